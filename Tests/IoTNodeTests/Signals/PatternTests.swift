import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The patterns in the state")
struct PatternTests {
    /// The patterns in the last state.
    private func patterns(_ node: Scenario) throws -> [String: OutputPattern] {
        let state = try #require(node.publications.last { $0.topic == "timer/lectern/state" })
        return try StateMessage(state.payload).patterns
    }

    private func pattern(_ milliseconds: Int..., at began: Instant, once: Bool = false) -> OutputPattern {
        OutputPattern(
            steps: milliseconds.map { .milliseconds($0) }, repeats: !once, began: began.sinceEpoch)
    }

    @Test("are the alarm's, from its instant until its sound is over")
    func alarm() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        #expect(try patterns(node).isEmpty, "a lamp that is lit has no pattern")
        let zero = node.now.instant + .seconds(6)
        node.wait(.seconds(7))
        let flash = pattern(425, 425, at: zero)
        #expect(try patterns(node) == ["red": flash, "buzzer": flash])
        node.wait(.seconds(10))
        #expect(try patterns(node) == ["red": flash])
        node.send("stop")
        #expect(try patterns(node).isEmpty)
    }

    @Test("are the pause's while paused")
    func paused() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        node.wait(.milliseconds(1_234))
        node.send("pause")
        #expect(try patterns(node) == ["green": pattern(500, 1500, at: node.now.instant)])
    }

    @Test("include those for identify and for a sound that is played once")
    func cues() throws {
        var node = try Scenario(60, 40, 20)
        node.send("identify")
        let identify = pattern(250, 250, at: node.now.instant)
        #expect(try patterns(node) == ["green": identify, "red": identify, "yellow": identify])
        node.wait(.seconds(4))
        #expect(try patterns(node).isEmpty)
        node.send("beep", "double")
        #expect(try patterns(node) == ["buzzer": pattern(150, 150, 150, at: node.now.instant, once: true)])
        node.wait(.seconds(4))
        node.send("message", #"{"text":"Louder","attention":true}"#)
        let attention = pattern(150, 150, 150, 150, 150, at: node.now.instant, once: true)
        #expect(try patterns(node) == ["yellow": attention])
    }

    @Test("do not cause a state to be published on their own")
    func seldom() throws {
        var node = try Scenario(60, 40, 20)
        node.send("identify")
        let count = node.publications.count { $0.topic == "timer/lectern/state" }
        node.wait(.milliseconds(700))
        node.send("identify")
        #expect(node.publications.count { $0.topic == "timer/lectern/state" } == count)
    }
}
