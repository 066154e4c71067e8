import TestSupport
import TimerProtocol

/// Prints the results that the modules of the pages must produce, as the Swift code computes them.
/// `Tests/web/cases.mjs` compares them.
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
