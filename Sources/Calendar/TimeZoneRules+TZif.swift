/// Why bytes are no TZif file.
package enum TimeZoneFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// They do not begin as such a file.
    case notTZif
    /// They end too early.
    case truncated
    /// They contradict themselves; what does, in words.
    case invalid(String)
    /// The rule at the end is none that POSIX has.
    case invalidRule(String)

    package var description: String {
        switch self {
        case .notTZif: "found no file of a time zone (TZif)"
        case .truncated: "the file of the time zone is cut off"
        case .invalid(let what): "the file of the time zone has \(what)"
        case .invalidRule(let rule): "the file of the time zone has an invalid rule: \(rule)"
        }
    }
}

extension TimeZoneRules {
    /// Reads a TZif file as RFC 8536 and RFC 9636 have it, of version 1, 2, 3 or 4.
    ///
    /// A file whose seconds count leap seconds is read too: its transitions are put where a clock shows them that does
    /// not count these, which the node's is.
    package init(tzif bytes: [UInt8]) throws(TimeZoneFault) {
        var reader = TZifReader(bytes)
        var header = try reader.header()
        guard header.version >= UInt8(ascii: "2") else {
            self = try reader.table(header, timeSize: 4).rules(footer: nil)
            return
        }
        // The first block is for readers of version 1. The second one has the same with instants of 64 bits.
        _ = try reader.take(header.size(timeSize: 4))
        header = try reader.header()
        let table = try reader.table(header, timeSize: 8)
        self = try table.rules(footer: try reader.footer())
    }
}

/// The transitions as the file has them.
private struct TZifTable {
    /// The offsets of the types.
    var types: [Int] = []
    /// The instants of the transitions.
    var transitions: [Int] = []
    /// The type that begins with each.
    var indices: [Int] = []
    /// The instants from which on so many leap seconds are counted in the file's instants.
    var leaps: [(instant: Int, correction: Int)] = []

    func rules(footer: TimeZoneFooter?) throws(TimeZoneFault) -> TimeZoneRules {
        // Before the first transition the first type holds.
        var (starts, offsets) = ([TimeZoneRules.longAgo], [types[0]])
        for (transition, index) in zip(transitions, indices) {
            guard types.indices.contains(index) else { throw .invalid("a transition to a type that is not there") }
            let instant = transition - (leaps.last { $0.instant <= transition }?.correction ?? 0)
            guard instant > starts[starts.count - 1] else { throw .invalid("transitions in disorder") }
            starts.append(instant)
            offsets.append(types[index])
        }
        return TimeZoneRules(starts: starts, offsets: offsets, footer: footer)
    }
}

/// Reads the parts of a TZif file, one after another.
private struct TZifReader {
    struct Header {
        let version: UInt8
        let utcIndicators, standardIndicators, leaps, transitions, types, characters: Int

        /// The bytes of the block behind the header.
        func size(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4) + standardIndicators
                + utcIndicators
        }
    }

    private static let magic = Array("TZif".utf8)
    /// The offsets that RFC 8536 recommends as bounds: less than a day behind, and 26 hours ahead.
    private static let offsets = -89_999...93_599
    /// Beyond all dates, and far from where sums would overflow.
    private static let instants = -(1 << 60)...(1 << 60)
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func take(_ count: Int) throws(TimeZoneFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A whole number without sign, the highest byte first.
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
        // Looked at before anything is read, so that a torn file takes no memory for what it announces.
        guard header.size(timeSize: timeSize) <= rest.count else { throw .truncated }
        guard header.types > 0 else { throw .invalid("no type") }
        var table = TZifTable()
        for _ in 0..<header.transitions { table.transitions.append(try instant(timeSize)) }
        table.indices = try take(header.transitions).map { Int($0) }
        for _ in 0..<header.types {
            let offset = try number32()
            guard Self.offsets.contains(offset) else { throw .invalid("an offset out of range") }
            table.types.append(offset)
            // Whether it is summer time, and what it is called.
            _ = try take(2)
        }
        _ = try take(header.characters)
        for _ in 0..<header.leaps { table.leaps.append((try instant(timeSize), try number32())) }
        _ = try take(header.standardIndicators + header.utcIndicators)
        return table
    }

    /// The rule behind the second block, between two line feeds; nil where there is none between them.
    mutating func footer() throws(TimeZoneFault) -> TimeZoneFooter? {
        let lineFeed = UInt8(ascii: "\n")
        guard let first = rest.popFirst() else { throw .truncated }
        guard first == lineFeed else { throw .invalid("something else where the rule begins") }
        guard let end = rest.firstIndex(of: lineFeed) else { throw .truncated }
        let text = rest[..<end]
        return text.isEmpty ? nil : try TimeZoneFooter(posix: Array(text))
    }
}
