internal import FoundationEssentials
internal import TimerEngine

/// Writes the values of a tape, in a compact form without names.
package struct TapeWriter {
    package private(set) var bytes: [UInt8] = []
    /// Where the current record begins.
    private var record = 0

    package init() {}

    /// The bytes of a record's length, which is not known at its beginning. They suffice for 256 MB.
    private static let lengthSize = 4

    /// Begins a record, which has its length in front.
    mutating func beginRecord() {
        record = bytes.count
        for _ in 0..<Self.lengthSize { bytes.append(0x80) }
    }

    /// Ends a record.
    mutating func endRecord() {
        var length = UInt(bytes.count - record - Self.lengthSize)
        for place in record..<record + Self.lengthSize {
            bytes[place] |= UInt8(length & 0x7F)
            length >>= 7
        }
        bytes[record + Self.lengthSize - 1] &= 0x7F
    }

    /// Forgets what was written, but keeps the memory.
    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    /// Writes a number from 0 up, in seven bits a byte, the lowest first.
    mutating func count(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func tag(_ tag: UInt8) { bytes.append(tag) }

    mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func fixed(_ number: UInt64) {
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (UInt64(place) * 8))) }
    }

    mutating func array(_ array: [UInt8]) {
        count(array.count)
        bytes.append(contentsOf: array)
    }

    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout TapeWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Values: Collection>(_ values: Values, _ write: (inout TapeWriter, Values.Element) -> Void) {
        count(values.count)
        for value in values { write(&self, value) }
    }

    /// Writes an instant exactly.
    mutating func instant(_ instant: Instant) {
        let attoseconds = instant.sinceEpoch.attoseconds
        fixed(UInt64(truncatingIfNeeded: attoseconds))
        fixed(UInt64(truncatingIfNeeded: attoseconds >> 64))
    }

    mutating func date(_ date: Date) { fixed(date.timeIntervalSince1970.bitPattern) }
}

/// Reads what a ``TapeWriter`` wrote.
struct TapeReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var place: Int
    /// Changes each text and each document; nil to read them as they are.
    var rewrite: (([UInt8]) -> [UInt8])?

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { place == bytes.endIndex }

    mutating func count() throws(TapeError) -> Int {
        var (number, shift) = (UInt(0), UInt(0))
        while true {
            let byte = try tag()
            guard shift < 56 else { throw .damaged }
            number |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(number) }
            shift += 7
        }
    }

    mutating func tag() throws(TapeError) -> UInt8 {
        guard place < bytes.endIndex else { throw .damaged }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func flag() throws(TapeError) -> Bool { try tag() != 0 }

    mutating func fixed() throws(TapeError) -> UInt64 {
        try slice(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func slice(_ count: Int) throws(TapeError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - place else { throw .damaged }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func array() throws(TapeError) -> [UInt8] {
        let array = Array(try slice(try count()))
        return rewrite?(array) ?? array
    }

    mutating func text() throws(TapeError) -> String { String(decoding: try array(), as: UTF8.self) }

    mutating func optional<Value>(
        _ read: (inout TapeReader) throws(TapeError) -> Value
    ) throws(TapeError) -> Value? { try flag() ? try read(&self) : nil }

    mutating func list<Value>(_ read: (inout TapeReader) throws(TapeError) -> Value) throws(TapeError) -> [Value] {
        let count = try count()
        // Each element has at least one byte, so a damaged count cannot reserve much.
        guard count <= bytes.endIndex - place else { throw .damaged }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    mutating func instant() throws(TapeError) -> Instant {
        let (low, high) = (try fixed(), try fixed())
        let time = Duration(attoseconds: Int128(truncatingIfNeeded: high) << 64 | Int128(low))
        // The longest boot lasts for a fraction of this, and arithmetic on instants must not overflow.
        guard time.attoseconds.magnitude < Duration.seconds(1 << 40).attoseconds else { throw .damaged }
        return Instant(sinceEpoch: time)
    }

    mutating func date() throws(TapeError) -> Date {
        let seconds = Double(bitPattern: try fixed())
        // The years 1600 to 2400, since arithmetic on dates must not overflow either.
        guard abs(seconds) < 1.3e10 else { throw .damaged }
        return Date(timeIntervalSince1970: seconds)
    }
}

/// Why a tape cannot be read.
package enum TapeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not begin as a tape does.
    case foreign
    /// A later version of this program wrote it.
    case newer(Int)
    /// A record has impossible values.
    case damaged
    /// No part of the tape shows how the node began.
    case empty
    /// Today's program refuses the configuration on the tape.
    case configuration([String])

    package var description: String {
        switch self {
        case .foreign: "it is not a tape of timer-node"
        case .newer(let version): "it has version \(version), but only \(Tape.version) is supported"
        case .damaged: "it is damaged"
        case .empty: "it is empty, expected a tape"
        case .configuration(let faults):
            "today's timer-node does not accept its configuration:\n" + faults.joined(separator: "\n")
        }
    }
}
