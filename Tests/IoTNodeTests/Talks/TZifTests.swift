import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing

@testable import Calendar
@testable import TimerProtocol

@Suite("A time zone file")
struct TZifTests {
    private static let first = 1_000_000_000
    private static let second = 1_100_000_000
    private static let full = TZifFile(
        transitions: [(first, 1), (second, 2)], types: [3600, 7200, -3600], footer: "CET-1CEST,M3.5.0,M10.5.0/3")

    @Test("has transitions, and the first type before them", arguments: [0, 0x32, 0x33, 0x34] as [UInt8])
    func table(version: UInt8) throws {
        var file = Self.full
        file.version = version
        file.footer = ""
        let zone = try TimeZoneRules(tzif: file.bytes)
        for (instant, offset) in [
            (0, 3600), (Self.first - 1, 3600), (Self.first, 7200), (Self.second - 1, 7200), (Self.second, -3600),
            (253_402_300_799, -3600),
        ] {
            #expect(zone.offset(at: Date(wholeSeconds: instant)) == offset)
        }
    }

    @Test("of a later version has the values of its second block, and then its rule")
    func secondBlock() throws {
        var file = Self.full
        file.firstTypes = [0, 0, 0]
        let zone = try TimeZoneRules(tzif: file.bytes)
        #expect(zone.offset(at: Date(wholeSeconds: Self.first)) == 7200)
        // As in glibc and Python, the rule applies from the last transition onwards.
        #expect(zone.offset(at: Date(wholeSeconds: Self.second)) == 3600)
        let summer = try TimeZoneRulesTests.date("2005-07-01T00:00:00Z")
        #expect(zone.offset(at: summer) == 7200)
        file.version = 0
        #expect(try TimeZoneRules(tzif: file.bytes).offset(at: Date(wholeSeconds: Self.first)) == 0)
    }

    @Test("may have a transition before 1970", arguments: [0, 0x32] as [UInt8])
    func before1970(version: UInt8) throws {
        let file = TZifFile(version: version, transitions: [(-1000, 1), (Self.first, 2)], types: [3600, 7200, -3600])
        let zone = try TimeZoneRules(tzif: file.bytes)
        #expect(zone.offset(at: Date(wholeSeconds: 0)) == 7200)
        #expect(zone.offset(at: Date(wholeSeconds: Self.first)) == -3600)
    }

    @Test("may count leap seconds, unlike the node's clock")
    func leapSeconds() throws {
        var file = Self.full
        file.leaps = [(100, 1), (Self.first - 50, 20)]
        let zone = try TimeZoneRules(tzif: file.bytes)
        #expect(zone.offset(at: Date(wholeSeconds: Self.first - 21)) == 3600)
        #expect(zone.offset(at: Date(wholeSeconds: Self.first - 20)) == 7200)
    }

    @Test("is refused wherever it is cut off", arguments: [0, 0x32] as [UInt8])
    func cutOff(version: UInt8) throws {
        var file = Self.full
        file.version = version
        let bytes = file.bytes
        _ = try TimeZoneRules(tzif: bytes)
        for count in bytes.indices {
            #expect(throws: TimeZoneFault.truncated) { try TimeZoneRules(tzif: Array(bytes[..<count])) }
        }
    }

    @Test("is refused if it is not a TZif file")
    func other() throws {
        func fault(_ change: (inout TZifFile) -> Void) -> TimeZoneFault? {
            var file = Self.full
            change(&file)
            return #expect(throws: TimeZoneFault.self) { try TimeZoneRules(tzif: file.bytes) }
        }
        #expect(throws: TimeZoneFault.notTZif) { try TimeZoneRules(tzif: Array("hello, world".utf8)) }
        #expect(fault { $0.version = 7 } == .invalid("an unknown version"))
        #expect(fault { $0.types = [] } == .invalid("no type"))
        #expect(fault { $0.types = [0, 93_600, 0] } == .invalid("an offset out of range"))
        #expect(fault { $0.types = [0, -90_000, 0] } == .invalid("an offset out of range"))
        #expect(fault { $0.transitions[1].type = 3 } == .invalid("a transition to a type that does not exist"))
        #expect(fault { $0.transitions[1].instant = Self.first } == .invalid("transitions out of order"))
        #expect(fault { $0.transitions[1].instant = .max } == .invalid("an instant out of range"))
        #expect(fault { $0.transitions[0].instant = .min } == .invalid("an instant out of range"))
        #expect(fault { $0.footer = "tomorrow" } == .invalidRule(#""tomorrow""#))
    }

    @Test(
        "is refused with an invalid rule",
        arguments: [
            "A0", "AB0", "CET", "CET-", "CET25", "CET-1:60", "CET-1CE", "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0",
            "CET-1CEST,M3.5.0,", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,J0,J5",
            "CET-1CEST,J366,J5", "CET-1CEST,366,5", "CET-1CEST,1/168,5", "CET-1CEST,1/-168,5", "CET-1CEST,1/,5",
            "CET-1CEST,1,5 ", " CET-1", "<>1", "<+031", "<+ 3>1", "CET-1CEST,1,5,9", "CET--1", "CET-1:00:00:00",
        ])
    func noRule(rule: String) {
        #expect(throws: TimeZoneFault.self) { try TimeZoneRules(rule: rule) }
    }

    @Test("may contain any bytes, and is either refused or usable", arguments: SeededGenerator.seeds(300))
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var file = Self.full
        file.leaps = [(100, 1)]
        var bytes = file.bytes
        for _ in 0...Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
            }
            if bytes.isEmpty { bytes = Array("TZif2".utf8) }
        }
        guard let zone = try? TimeZoneRules(tzif: bytes) else { return }
        for _ in 0..<50 {
            let instant = Int.random(in: 0...253_402_300_799, using: &random)
            let date = Date(wholeSeconds: instant)
            let (day, second) = zone.local(of: date)
            #expect((0..<86_400).contains(second))
            #expect(zone.startOfDay(after: date) > date)
            _ = zone.instant(ofLocal: day, .init(secondOfDay: second))
        }
    }

    @Test("may contain only random bytes after its header", arguments: SeededGenerator.seeds(200))
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...400, using: &random)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...(Bool.random(using: &random) ? 3 : 255), using: &random)
        }
        for head in ["", "TZif", "TZif2", "TZif\0"] {
            _ = try? TimeZoneRules(tzif: Array(head.utf8) + noise)
            _ = try? TimeZoneFooter(posix: Array(head.utf8) + noise)
        }
        let letters = Array("MJ<>,./+-:0123459ABC".utf8)
        let rule = (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
        _ = try? TimeZoneFooter(posix: rule)
    }
}
