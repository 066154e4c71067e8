import TestSupport
import TimerProtocol

/// Prints what the pages' modules have to say, as the real parts say it: see `Tests/web/cases.js`, which compares.
@main struct PageCases {
    static func main() throws {
        var random = SeededGenerator(seed: 41)
        let cases: JSON = [
            "counting": .array(try CountingCases.all()),
            "clamps": .array(try ClampCases.all(using: &random)),
            "clocks": .array(ClockCases.all(using: &random)),
            "verdicts": .array(try VerdictCases.all()),
            "meetings": .array(try MeetingCases.all()),
            "signals": try JSON(parsing: SignalCases.usual),
        ]
        print(cases.text)
    }
}
