/// Where a timer is in a model: the place of its group, and its place in there.
///
/// Counted from 0 in code and from 1 for people: `TimerPath(group: 1, item: 0)` is written `2/1`, in JSON too.
public struct TimerPath: Hashable, Sendable {
    /// The place of the group, from 0.
    public var group: Int
    /// The place in the group, from 0.
    public var item: Int

    /// The path to a place, both parts from 0.
    public init(group: Int, item: Int) {
        self.group = group
        self.item = item
    }
}

extension TimerPath: Comparable {
    /// Whether the left path comes first in the model's order.
    public static func < (left: TimerPath, right: TimerPath) -> Bool {
        (left.group, left.item) < (right.group, right.item)
    }
}

extension TimerPath: LosslessStringConvertible {
    /// The path for people: `2/1`.
    public var description: String { "\(group &+ 1)/\(item &+ 1)" }

    /// Reads `2/1`: two whole numbers from 1, in decimal digits without a sign; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.allSatisfy({ $0 == UInt8(ascii: "/") || (48...57).contains($0) }),
            let group = Int(parts[0]), let item = Int(parts[1]), group > 0, item > 0
        else { return nil }
        self.init(group: group - 1, item: item - 1)
    }
}

extension TimerPath: Codable {
    /// Writes the path for people.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }

    /// Reads the path for people.
    ///
    /// - Throws: ``ModelError/notAPath(_:)`` for another text, a `DecodingError` where there is none.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let path = TimerPath(text) else { throw ModelError.notAPath(text) }
        self = path
    }
}
