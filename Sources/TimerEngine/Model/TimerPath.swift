/// The position of a timer in a model: that of its group, and its own in the group.
///
/// Positions count from 0 in code and from 1 for people: `TimerPath(group: 1, item: 0)` is written `2/1`, also in JSON.
public struct TimerPath: Hashable, Sendable {
    /// The position of the group, from 0.
    public var group: Int
    /// The position in the group, from 0.
    public var item: Int

    /// Creates a path; both positions count from 0.
    public init(group: Int, item: Int) {
        self.group = group
        self.item = item
    }
}

extension TimerPath: Comparable {
    /// Whether the left path comes first in the model.
    public static func < (left: TimerPath, right: TimerPath) -> Bool {
        (left.group, left.item) < (right.group, right.item)
    }
}

extension TimerPath: LosslessStringConvertible {
    /// The path as people write it: `2/1`.
    public var description: String { "\(group &+ 1)/\(item &+ 1)" }

    /// Reads `2/1`: two unsigned decimal numbers from 1; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (48...57).contains($0) }),
            let group = Int(parts[0]), let item = Int(parts[1]), group > 0, item > 0
        else { return nil }
        self.init(group: group - 1, item: item - 1)
    }
}
