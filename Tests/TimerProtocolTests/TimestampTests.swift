import FoundationEssentials
import TestSupport
import Testing

@testable import TimerProtocol

@Suite("A written date")
struct TimestampTests {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test("matches Foundation's output, to the nearest millisecond, from 1970 to 9999")
    func likeFoundation() {
        var random = SeededGenerator()
        for _ in 0..<5000 {
            let milliseconds = Int.random(in: 0...253_402_300_799_999, using: &random)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            // The format style truncates, and a date is a binary fraction.
            let expected = Self.style.format(date.addingTimeInterval(0.0002))
            #expect(Timestamp.text(date) == expected, "\(milliseconds) ms")
        }
    }

    @Test(
        "is correct at the ends of days, months, years and centuries",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-0.001, "1970-01-01T00:00:00.000Z"),
            (951_782_399.9996, "2000-02-29T00:00:00.000Z"), (951_868_799.999, "2000-02-29T23:59:59.999Z"),
            (951_868_800, "2000-03-01T00:00:00.000Z"), (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"), (1_704_067_199.5, "2023-12-31T23:59:59.500Z"),
        ])
    func borders(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "is clamped to years of four digits",
        arguments: [(1e300, "9999-12-31T23:59:59.999Z"), (-1e300, "1970-01-01T00:00:00.000Z")])
    func absurd(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == text)
    }
}
