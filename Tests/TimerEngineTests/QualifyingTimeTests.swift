import Testing
import TimerEngine

@Suite("A rule for the length of a run")
struct QualifyingTimeTests {
    @Test(
        "lowers its minimum to a new maximum below it, and keeps it otherwise",
        arguments: [
            (50, 40, 50), (40, 40, 40), (30, 30, 30), (0, 40, nil), (-1, 40, nil), (90_000, 40, 86_399),
        ] as [(Int, Int?, Int?)])
    func settingMaximum(_ maximum: Int, lowest: Int?, highest: Int?) throws {
        let rule = try QualifyingTime(minimum: 40, maximum: 60).setting(maximum: maximum)
        #expect(rule.minimum == lowest && rule.maximum == highest)
        #expect(QualifyingTime.none.setting(maximum: maximum).minimum == nil)
    }

    @Test(
        "has no minimum above its maximum",
        arguments: [(50, 50), (60, 60), (61, 60), (0, nil), (-1, nil)] as [(Int, Int?)])
    func settingMinimum(_ minimum: Int, lowest: Int?) throws {
        let rule = try QualifyingTime(minimum: 40, maximum: 60).setting(minimum: minimum)
        #expect(rule.minimum == lowest && rule.maximum == 60)
    }
}
