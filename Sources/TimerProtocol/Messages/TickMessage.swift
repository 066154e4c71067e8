/// The payload of the `tick` topic: the second that has just begun.
public struct TickMessage: MessagePayload {
    /// The whole seconds left, 0 or more.
    public let remaining: Int

    /// A tick with so many seconds left.
    public init(remaining: Int) { self.remaining = remaining }

    /// Reads a number in decimal digits.
    ///
    /// - Throws: ``PayloadError`` for anything but digits, and for a number that does not fit.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let isNumber = !payload.isEmpty && payload.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let remaining = Int(String(decoding: payload, as: UTF8.self)) else {
            throw PayloadError("found \(String(decoding: payload, as: UTF8.self).quoted), expected whole seconds")
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
