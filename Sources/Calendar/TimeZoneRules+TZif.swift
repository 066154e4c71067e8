/// Why bytes are not a valid TZif file.
package enum TimeZoneFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not begin like a TZif file.
    case notTZif
    /// The bytes end too early.
    case truncated
    /// They are inconsistent; the string describes what is wrong.
    case invalid(String)
    /// The rule at the end of the file is not a valid POSIX rule.
    case invalidRule(String)

    package var description: String {
        switch self {
        case .notTZif: "not a time zone file (TZif)"
        case .truncated: "the time zone file is truncated"
        case .invalid(let what): "the time zone file has \(what)"
        case .invalidRule(let rule): "the time zone file has an invalid rule: \(rule)"
        }
    }
}

extension TimeZoneRules {
    /// Parses a TZif file of version 1, 2, 3 or 4, as specified in RFC 8536 and RFC 9636.
    ///
    /// A file that counts leap seconds is also accepted: its transitions are converted for a clock that does not count
    /// them, such as the node's.
    package init(tzif bytes: [UInt8]) throws(TimeZoneFault) {
        var reader = TZifReader(bytes)
        var header = try reader.header()
        if header.version >= UInt8(ascii: "2") {
            // The first block is for readers of version 1. The second block contains the same with 64-bit instants.
            _ = try reader.take(header.size(timeSize: 4))
            header = try reader.header()
            let table = try reader.table(header, timeSize: 8)
            self = try table.rules(footer: try reader.footer())
        } else {
            self = try reader.table(header, timeSize: 4).rules(footer: nil)
        }
        file = bytes
    }
}

/// The transitions, unmodified, from the file.
private struct TZifTable {
    /// The offsets of the types.
    var types: [Int] = []
    /// The instants of the transitions.
    var transitions: [Int] = []
    /// The index of the type that begins at each transition.
    var indices: [Int] = []
    /// From each of these instants on, the file's instants include this number of leap seconds.
    var leaps: [(instant: Int, correction: Int)] = []

    func rules(footer: TimeZoneFooter?) throws(TimeZoneFault) -> TimeZoneRules {
        // The first type applies before the first transition.
        var (starts, offsets) = ([TimeZoneRules.longAgo], [types[0]])
        for (transition, index) in zip(transitions, indices) {
            guard types.indices.contains(index) else { throw .invalid("a transition to a type that does not exist") }
            let instant = transition - (leaps.last { $0.instant <= transition }?.correction ?? 0)
            guard instant > starts[starts.count - 1] else { throw .invalid("transitions out of order") }
            starts.append(instant)
            offsets.append(types[index])
        }
        return TimeZoneRules(starts: starts, offsets: offsets, footer: footer)
    }
}

/// Reads the sections of a TZif file, one after another.
private struct TZifReader {
    struct Header {
        let version: UInt8
        let utcIndicators, standardIndicators, leaps, transitions, types, characters: Int

        /// Returns the size of the block after the header, in bytes.
        func size(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standardIndicators
                + utcIndicators
        }
    }

    private static let magic = Array("TZif".utf8)
    /// The range that RFC 8536 recommends: less than 25 hours behind and less than 26 hours ahead of UTC.
    private static let offsets = -89_999...93_599
    /// Beyond all dates, but small enough that sums do not overflow.
    private static let instants = -(1 << 60)...(1 << 60)
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func take(_ count: Int) throws(TimeZoneFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads an unsigned integer of `size` bytes in big-endian order.
    private mutating func number(_ size: Int) throws(TimeZoneFault) -> UInt64 {
        try take(size).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func instant(_ size: Int) throws(TimeZoneFault) -> Int {
        let number = try number(size)
        let instant = size == 4 ? Int(Int32(truncatingIfNeeded: number)) : Int(Int64(truncatingIfNeeded: number))
        guard Self.instants.contains(instant) else { throw .invalid("an instant out of range") }
        return instant
    }

    private mutating func number32() throws(TimeZoneFault) -> Int { Int(Int32(truncatingIfNeeded: try number(4))) }

    mutating func header() throws(TimeZoneFault) -> Header {
        guard rest.starts(with: Self.magic) else { throw rest.count < Self.magic.count ? .truncated : .notTZif }
        _ = try take(Self.magic.count)
        let version = try UInt8(truncatingIfNeeded: number(1))
        guard version == 0 || version >= UInt8(ascii: "2") else { throw .invalid("an unknown version") }
        _ = try take(15)
        return Header(
            version: version, utcIndicators: Int(try number(4)), standardIndicators: Int(try number(4)),
            leaps: Int(try number(4)), transitions: Int(try number(4)), types: Int(try number(4)),
            characters: Int(try number(4)))
    }

    mutating func table(_ header: Header, timeSize: Int) throws(TimeZoneFault) -> TZifTable {
        // Checked before anything is read, so a truncated file cannot cause memory to be allocated for data that it
        // lacks.
        guard header.size(timeSize: timeSize) <= rest.count else { throw .truncated }
        guard header.types > 0 else { throw .invalid("no type") }
        var table = TZifTable()
        for _ in 0..<header.transitions { table.transitions.append(try instant(timeSize)) }
        table.indices = try take(header.transitions).map { Int($0) }
        for _ in 0..<header.types {
            let offset = try number32()
            guard Self.offsets.contains(offset) else { throw .invalid("an offset out of range") }
            table.types.append(offset)
            // Skips the flag for daylight saving and the index of the abbreviation.
            _ = try take(2)
        }
        _ = try take(header.characters)
        for _ in 0..<header.leaps { table.leaps.append((try instant(timeSize), try number32())) }
        _ = try take(header.standardIndicators + header.utcIndicators)
        return table
    }

    /// Reads the rule after the second block, between two line feeds; returns nil if it is empty.
    mutating func footer() throws(TimeZoneFault) -> TimeZoneFooter? {
        let lineFeed = UInt8(ascii: "\n")
        guard let first = rest.popFirst() else { throw .truncated }
        guard first == lineFeed else { throw .invalid("no line feed before the rule") }
        guard let end = rest.firstIndex(of: lineFeed) else { throw .truncated }
        let text = rest[..<end]
        return text.isEmpty ? nil : try TimeZoneFooter(posix: Array(text))
    }
}
