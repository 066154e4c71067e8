internal import FoundationEssentials
internal import TimerEngine

/// Writes JSON as bytes, in one pass: what is written first stands first, without white space.
struct JSONWriter {
    /// What is written so far.
    private(set) var bytes: [UInt8] = []

    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Writes an object, with the members that `body` writes.
    mutating func object(_ body: (inout JSONWriter) -> Void) {
        open("{")
        body(&self)
        close("}")
    }

    /// Writes an array, with each element as `body` writes it.
    mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
        open("[")
        for element in elements { body(&self, element) }
        close("]")
    }

    /// Begins an object or an array.
    mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
    }

    /// Ends it.
    mutating func close(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

    /// Writes a key that has nothing to be escaped, which the next value belongs to.
    mutating func key(_ key: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += key.utf8
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a value that is encoded already.
    mutating func raw(_ value: ArraySlice<UInt8>) {
        separate()
        bytes += value
    }

    /// Writes any key.
    mutating func key(escaping key: String) {
        value(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a comma, unless what follows is the first in its brackets or belongs to a key.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}

// MARK: - Values

extension JSONWriter {
    mutating func null() {
        separate()
        bytes += "null".utf8
    }

    mutating func value(_ value: Bool) {
        separate()
        bytes += (value ? "true" : "false").utf8
    }

    mutating func value(_ value: Int) {
        separate()
        bytes.append(decimal: value)
    }

    mutating func value(_ value: UInt) {
        separate()
        bytes.append(decimal: value)
    }

    /// A number; null for one that JSON has no form for.
    mutating func value(_ value: Double) {
        if abs(value) < 1e15, value == value.rounded() { return self.value(Int(value)) }
        guard value.isFinite else { return null() }
        separate()
        bytes += "\(value)".utf8
    }

    /// Seconds to the millisecond.
    mutating func value(_ value: Duration) {
        let milliseconds = (value.inSeconds * 1000).rounded()
        guard abs(milliseconds) < 1e15 else { return self.value(milliseconds / 1000) }
        separate()
        if milliseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let (seconds, fraction) = Int(milliseconds.magnitude).quotientAndRemainder(dividingBy: 1000)
        bytes.append(decimal: seconds)
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: fraction, width: 3)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }

    /// A path such as `2/1`.
    mutating func value(_ value: TimerPath) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(decimal: value.group + 1)
        bytes.append(UInt8(ascii: "/"))
        bytes.append(decimal: value.item + 1)
        bytes.append(UInt8(ascii: "\""))
    }

    /// An id, in lower case.
    mutating func value(_ value: UUID) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let id = value.uuid
        bytes.append(hexadecimal: id.0, id.1, id.2, id.3)
        for pair in [(id.4, id.5), (id.6, id.7), (id.8, id.9)] {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(hexadecimal: pair.0, pair.1)
        }
        bytes.append(UInt8(ascii: "-"))
        bytes.append(hexadecimal: id.10, id.11, id.12, id.13, id.14, id.15)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A date as RFC 3339 has it.
    mutating func value(_ value: Date) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Timestamp.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += value.utf8
        // Hardly any text has something to be escaped.
        if bytes[start...].contains(where: Self.isEscaped) {
            bytes.removeSubrange(start...)
            for byte in value.utf8 { append(escaping: byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escaping byte: UInt8) {
        guard Self.isEscaped(byte) else { return bytes.append(byte) }
        switch byte {
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case UInt8(ascii: "\r"): bytes += "\\r".utf8
        case UInt8(ascii: "\t"): bytes += "\\t".utf8
        case 0..<0x20: bytes += "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: bytes += [UInt8(ascii: "\\"), byte]
        }
    }
}
