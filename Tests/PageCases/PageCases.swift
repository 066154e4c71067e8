import TestSupport
import TimerProtocol

/// Prints the results that the page modules must produce, as computed by the Swift code. `Tests/web/cases.mjs` compares
/// them with the results of the modules.
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
