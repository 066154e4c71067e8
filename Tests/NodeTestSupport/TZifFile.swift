package import Calendar

/// Encodes a TZif file from its contents, valid or not.
package struct TZifFile {
    package var version = UInt8(ascii: "2")
    /// The transition instants, each with the index of its type.
    package var transitions: [(instant: Int, type: UInt8)] = []
    /// The offsets of the types.
    package var types = [0]
    /// The instants of leap seconds, each with the correction that applies from then on.
    package var leaps: [(instant: Int, correction: Int)] = []
    package var footer = ""
    /// The contents of the first block of a later version, if they differ.
    package var firstTypes: [Int]?

    /// A file with these transitions, types, leap seconds and footer; empty by default.
    package init(
        version: UInt8 = UInt8(ascii: "2"), transitions: [(instant: Int, type: UInt8)] = [], types: [Int] = [0],
        leaps: [(instant: Int, correction: Int)] = [], footer: String = ""
    ) {
        (self.version, self.transitions, self.types) = (version, transitions, types)
        (self.leaps, self.footer) = (leaps, footer)
    }

    /// A file with only a rule.
    package static func rule(_ footer: String, version: UInt8 = UInt8(ascii: "3")) -> TZifFile {
        TZifFile(version: version, footer: footer)
    }

    package var bytes: [UInt8] {
        var first = self
        first.types = firstTypes ?? types
        let block = first.block(timeSize: 4)
        return version == 0 ? block : block + self.block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }

    private func block(timeSize: Int) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, leaps.count, transitions.count, types.count, 4] { bytes += number(count, 4) }
        for transition in transitions { bytes += number(transition.instant, timeSize) }
        bytes += transitions.map(\.type)
        for type in types { bytes += number(type, 4) + [0, 0] }
        bytes += Array("XXX\0".utf8)
        for leap in leaps { bytes += number(leap.instant, timeSize) + number(leap.correction, 4) }
        return bytes
    }

    private func number(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension TimeZoneRules {
    /// A zone with only a POSIX rule.
    package init(rule: String) throws { try self.init(tzif: TZifFile.rule(rule).bytes) }

    package static func berlin() throws -> TimeZoneRules { try .init(rule: "CET-1CEST,M3.5.0,M10.5.0/3") }
    package static func newYork() throws -> TimeZoneRules { try .init(rule: "EST5EDT,M3.2.0,M11.1.0") }
    package static func lordHowe() throws -> TimeZoneRules { try .init(rule: "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0") }
    package static func kolkata() throws -> TimeZoneRules { try .init(rule: "IST-5:30") }
}
