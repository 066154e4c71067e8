package import FoundationEssentials
package import TimerEngine

/// Writes JSON as bytes, in one pass and without white space.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value follows another one in the same brackets and needs a comma before it.
    private var isInList = false

    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Writes an object, with the members that `body` writes.
    // Inlined, even into other modules, because a closure that is passed on copies its captures.
    @inline(__always) package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    /// Writes an array, with each element as `body` writes it.
    package mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
        open("[")
        for element in elements { body(&self, element) }
        close("]")
    }

    /// Begins an object or an array.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        isInList = false
    }

    /// Ends an object or an array.
    package mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        isInList = true
    }

    /// Writes the key of the next value, which may contain any characters.
    package mutating func key(escaping key: String) {
        value(key)
        bytes.append(UInt8(ascii: ":"))
        isInList = false
    }

    /// Writes the key of the next value, whose characters must not need escapes.
    package mutating func key(_ key: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += key.utf8
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        isInList = false
    }

    /// Writes a value that is already encoded.
    package mutating func encoded(_ value: [UInt8]) {
        separate()
        bytes += value
    }

    /// Writes a comma if the next value follows another one in the same brackets.
    private mutating func separate() {
        if isInList { bytes.append(UInt8(ascii: ",")) }
        isInList = true
    }
}

// MARK: - Values

extension JSONWriter {
    private static let null = Array("null".utf8)
    private static let `true` = Array("true".utf8)
    private static let `false` = Array("false".utf8)

    package mutating func null() {
        separate()
        bytes += Self.null
    }

    package mutating func value(_ value: Bool) {
        separate()
        bytes += value ? Self.true : Self.false
    }

    package mutating func value(_ value: Int) {
        separate()
        bytes.append(decimal: value)
    }

    package mutating func value(_ value: UInt) {
        separate()
        bytes.append(decimal: value)
    }

    /// Writes a number, or null for one that JSON cannot express.
    package mutating func value(_ value: Double) {
        if abs(value) < 1e15, value == value.rounded() { return self.value(Int(value)) }
        guard value.isFinite else { return null() }
        separate()
        bytes += "\(value)".utf8
    }

    /// Writes seconds, rounded to the millisecond.
    package mutating func value(_ value: Duration) {
        let limit = Duration.seconds(1_000_000_000_000)
        guard .zero - limit < value, value < limit else { return self.value(value.inSeconds) }
        let (whole, attoseconds) = value.components
        // The whole seconds and the attoseconds have the same sign.
        let thousandths = (attoseconds.magnitude + 500_000_000_000_000) / 1_000_000_000_000_000
        let milliseconds = UInt(whole.magnitude) * 1000 + UInt(thousandths)
        separate()
        if milliseconds > 0, value < .zero { bytes.append(UInt8(ascii: "-")) }
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        bytes.append(decimal: seconds)
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: fraction, width: 3)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    /// Writes a path such as `2/1`.
    package mutating func value(_ value: TimerPath) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(decimal: value.group + 1)
        bytes.append(UInt8(ascii: "/"))
        bytes.append(decimal: value.item + 1)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an id, in lower case.
    package mutating func value(_ value: UUID) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let id = value.uuid
        bytes.append(hexadecimal: id.0, id.1)
        bytes.append(hexadecimal: id.2, id.3)
        for pair in [(id.4, id.5), (id.6, id.7), (id.8, id.9), (id.10, id.11)] {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(hexadecimal: pair.0, pair.1)
        }
        bytes.append(hexadecimal: id.12, id.13)
        bytes.append(hexadecimal: id.14, id.15)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a date as RFC 3339 defines it.
    package mutating func value(_ value: Date) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Timestamp.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func value(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += value.utf8
        // Hardly any string needs escapes, and one append is faster than one for each byte.
        if (start..<bytes.count).contains(where: { Self.isEscaped(bytes[$0]) }) {
            bytes.removeSubrange(start...)
            for scalar in value.unicodeScalars { append(escaping: scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a string with this byte may need an escape: U+0080 to U+009F begin with 0xC2, U+061C with 0xD8, and
    /// U+200E to U+2069 with 0xE2.
    private static func isEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xD8, 0xE2: true
        default: false
        }
    }

    /// JSON requires escapes up to U+001F. The other characters are escaped because they can control a terminal.
    private mutating func append(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "\n": bytes += "\\n".utf8
        case "\r": bytes += "\\r".utf8
        case "\t": bytes += "\\t".utf8
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
        case _ where scalar.drivesTerminal:
            // All of these are in the first plane, whose codes have at most four digits.
            let digits = String(scalar.value, radix: 16)
            bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        default: bytes += Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter
        }
    }
}

// Keys with their values.
extension JSONWriter {
    package mutating func member<Value: ScalarValue>(_ key: String, _ value: Value) {
        self.key(key)
        value.write(to: &self, ())
    }

    package mutating func member(_ key: String, _ value: String) {
        self.key(key)
        self.value(value)
    }

    /// Writes an object, with the members that `body` writes; inlined for the same reason as ``object(_:)``.
    @inline(__always) package mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }
}
