/// The payload of the `tick` topic: the second that has just begun.
public struct TickMessage: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.tick

    /// The whole seconds left, 0 or more.
    public let remaining: Int

    /// A tick with so many seconds left.
    public init(remaining: Int) { self.remaining = remaining }

    /// Reads a number in decimal digits.
    ///
    /// - Throws: ``PayloadError`` for anything but digits, and for more than any display shows.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let isNumber = !payload.isEmpty && payload.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let text = String(decoding: payload, as: UTF8.self)
        guard isNumber, let remaining = Int(text), ClosedRange.shownSeconds.contains(remaining) else {
            throw PayloadError("found \(text.quoted), expected \(Int.expected(.shownSeconds)) without a sign")
        }
        self.remaining = remaining
    }

    /// The number in decimal digits.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(decimal: remaining)
        return bytes
    }
}
