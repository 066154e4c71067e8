import FoundationEssentials
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A date of RFC 3339")
struct DateTests {
    @Test(
        "is read",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-20T12:00:00Z", 1_795_176_000),
            ("2026-11-20t12:00:00z", 1_795_176_000),
            ("2026-11-20T12:00:00+00:00", 1_795_176_000), ("2026-11-20T12:00:00-00:00", 1_795_176_000),
            ("2026-11-20T13:30:00+01:30", 1_795_176_000), ("2026-11-19T12:01:00-23:59", 1_795_176_000),
            ("2026-11-20T12:00:00.5Z", 1_795_176_000.5), ("2026-11-20T12:00:00.123456789012Z", 1_795_176_000.123456789),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-02-29T00:00:00Z", 951_782_400),
            ("1969-12-31T23:59:59Z", -1), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("1900-03-01T00:00:00Z", -2_203_891_200),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("1990-12-31T15:59:60-08:00", 662_688_000),
        ] as [(String, Double)])
    func read(text: String, seconds: Double) throws {
        let date = try #require(Timestamp.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(
        "has no other form",
        arguments: [
            "", "2026-11-20", "12:00:00Z", "2026-11-20T12:00:00", "2026-11-20T12:00Z", "2026-11-20T12:00:00Z junk",
            "2026-11-20T12:00:00Z ", " 2026-11-20T12:00:00Z", "2026-11-20 12:00:00Z", "2026-11-20T12:00:00ZZ",
            "2026-02-30T12:00:00Z", "2026-02-29T12:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
            "2026-11-20T24:00:00Z", "2026-11-20T12:60:00Z", "2026-11-20T12:00:61Z", "2026-11-20T12:00:60Z",
            "2026-11-30T23:59:60Z", "2016-12-31T23:59:60+01:00", "99999-01-01T00:00:00Z", "+2026-11-20T12:00:00Z",
            "-2026-11-20T12:00:00Z", "26-11-20T12:00:00Z", "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00,5Z",
            "2026-11-20T12:00:00.5", "2026-11-20T12:00:00.+5Z", "2026-11-20T12:00:00+24:00",
            "2026-11-20T12:00:00+01:60",
            "2026-11-20T12:00:00+0100", "2026-11-20T12:00:00+01", "2026-11-20T12:00:00Z+01:00", "20261120T120000Z",
            "2026-W47-5T12:00:00Z", "2026-324T12:00:00Z", "２026-11-20T12:00:00Z", "2026-11-20T12:00:00Ź",
            "2026-11-20T12:00:00.5Z\0", "2026-+1-20T12:00:00Z", "2026-1a-20T12:00:00Z", "noon",
        ])
    func refused(text: String) {
        #expect(Timestamp.date(text) == nil)
    }

    @Test("that the node writes can be read", arguments: [0, 0.001, 1_795_176_000.999, 951_782_399.5])
    func roundTrip(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let read = try #require(Timestamp.date(Timestamp.text(date)))
        #expect(abs(read.timeIntervalSince(date)) < 0.000_6)
    }

    @Test("that is invalid is refused by sync", arguments: ["2026-11-20T12:00:00Z junk", "2026-02-30T12:00:00Z"])
    func sync(text: String) throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        let response = node.send("sync", #"{"remaining":5,"at":"\#(text)"}"#)
        #expect(
            response?["message"]
                == .string(
                    #"field "at": found "\#(text)", expected an RFC 3339 date such as 2026-11-20T12:00:00Z"#))
        #expect(node.send("sync", #"{"remaining":5,"at":"2023-11-14t22:13:20z"}"#)?["remaining"] == 5)
    }
}
