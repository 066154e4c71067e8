import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A pattern")
struct PatternTests {
    private static let start = TimerEngine.Instant(sinceEpoch: .seconds(77))

    /// The milliseconds at which a signal changes within `limit`, the first of them on.
    private func edges(_ signal: LampSignal, within limit: Int) -> [Int] {
        var edges: [Int] = []
        var now = Self.start
        var wasOn = false
        while true {
            let level = signal.level(since: Self.start, at: now)
            if level.isOn != wasOn { edges.append(Int(Self.start.duration(to: now) / .milliseconds(1))) }
            wasOn = level.isOn
            guard let next = level.until, next <= Self.start + .milliseconds(limit) else { return edges }
            now = next
        }
    }

    @Test(
        "has its edges where they are written",
        arguments: [
            ("beep", [0, 150]), ("double", [0, 150, 300, 450]), ("triple", [0, 150, 300, 450, 600, 750]),
            ("long", [0, 1000]), ("alarm", [0, 425]),
        ])
    func edges(name: String, expected: [Int]) throws {
        let pattern = try #require(Pattern.builtIn[name])
        #expect(edges(.play(pattern), within: 10_000) == expected)
    }

    @Test(
        "that is repeated has a pause where its end and its beginning would be one",
        arguments: [
            ("beep", [0, 150, 650, 800, 1300, 1450]), ("double", [0, 150, 300, 450, 950, 1100, 1250, 1400]),
            ("long", [0, 1000, 1500]), ("alarm", [0, 425, 850, 1275]),
        ])
    func repeats(name: String, expected: [Int]) throws {
        let pattern = try #require(Pattern.builtIn[name])
        #expect(edges(LampSignal.play(pattern).repeated, within: 1500) == expected)
    }

    @Test("is on until its edge and off from it, to the nanosecond")
    func exact() {
        let signal = LampSignal.blink(.held)
        let edge = Self.start + .milliseconds(500)
        #expect(signal.level(since: Self.start, at: edge - .nanoseconds(1)).isOn)
        #expect(!signal.level(since: Self.start, at: edge).isOn)
        #expect(signal.level(since: Self.start, at: edge - .nanoseconds(1)).until == edge)
    }
}
