import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A state of version 0.1.0 with a run going on")
struct OldStateTests {
    /// The timers of config/toastmasters.yaml, whose cards have a minimum and a maximum by now.
    private func node(longest: Int = 420) throws -> Scenario {
        func group(_ name: String, _ cards: [(name: String, minimum: Int, middle: Int, maximum: Int)]) throws
            -> TimerGroup
        {
            let timers = try cards.map { card in
                TimerItem(
                    name: card.name,
                    thresholds: try Thresholds(
                        start: card.maximum, warning: card.maximum - card.minimum, final: card.maximum - card.middle),
                    qualifying: try QualifyingTime(minimum: card.minimum, maximum: card.maximum))
            }
            return TimerGroup(name: name, display: .stoplights, atZero: .alarm, timers: timers)
        }
        let timers = try NodeConfiguration.Timers(
            groups: [
                group(
                    "Prepared speeches",
                    [("Ice Breaker", 240, 300, 360), ("Speech", 300, 360, longest), ("Long speech", 600, 660, 720)]),
                group("Table Topics", [("Table Topic", 60, 90, 120)]),
                group("Evaluations", [("Evaluation", 120, 150, 180)]),
            ], settings: .init(startTimerImmediately: false))
        return try Scenario(saved: Array(Self.old.utf8), boot: "a boot", after: .seconds(5)) {
            $0.storage = .init(directory: "/nowhere")
            $0.timers = timers
            $0.signals.grace = .seconds(30)
        }
    }

    @Test("goes on, with the configuration's minimum and maximum, and nothing is set aside")
    func goesOn() throws {
        var node = try node()
        #expect(node.setAside.isEmpty)
        #expect(node.last("mode") == "countdown")
        #expect(node.state?["timer"]?["name"] == "Speech")
        #expect(node.state?["remaining"] == 415)
        #expect(node.state?["started_at"] == "2023-11-14T22:13:20.000Z")
        node.wait(.seconds(300))
        node.send("stop")
        let run = try #require(try RunTests.runs(node).first)
        #expect(run.used == .seconds(305))
        #expect(run.qualifying.minimum == 300)
        #expect(run.qualifying.maximum == 420)
        #expect(run.qualified == true)
        #expect(run.speaker == nil)
    }

    @Test("has the timers of a configuration with other times than before, as in any version")
    func otherTimers() throws {
        let node = try node(longest: 480)
        #expect(node.state?["timer"]?["name"] == "Speech")
        #expect(node.state?["start"] == 480)
        #expect(node.logs.contains { $0.contains("the timers are those of the configuration, which has others") })
    }

    /// What `timer-node` 0.1.0 wrote when it was stopped 2 s after the speech began; boot, instants and date are those of
    /// the test.
    private static let old = #"""
        timer-node-state 1 0e2ccaad
        {"boot":"a boot","at":{"sinceEpoch":[54,5875820019684212736]},"date":721692802,"configured":{"version":2,\#
        "settings":{"start_timer_immediately":false},"selected":"1/1","groups":[{"name":"Prepared speeches",\#
        "display":"stoplights","alarm":"none","at_zero":"alarm",\#
        "timers":[{"id":"74696d65-722d-8e6f-8064-650000000101","name":"Ice Breaker","start":360,"warning":120,\#
        "final":60},{"id":"74696d65-722d-8e6f-8064-650000000102","name":"Speech","start":420,"warning":120,\#
        "final":60},{"id":"74696d65-722d-8e6f-8064-650000000103","name":"Long speech","start":720,"warning":120,\#
        "final":60}]},{"name":"Table Topics","display":"stoplights","alarm":"none","at_zero":"alarm",\#
        "timers":[{"id":"74696d65-722d-8e6f-8064-650000000201","name":"Table Topic","start":120,"warning":60,\#
        "final":30}]},{"name":"Evaluations","display":"stoplights","alarm":"none","at_zero":"alarm",\#
        "timers":[{"id":"74696d65-722d-8e6f-8064-650000000301","name":"Evaluation","start":180,"warning":60,\#
        "final":30}]}]},"player":{"model":{"version":2,"settings":{"start_timer_immediately":false},\#
        "selected":"1/2","groups":[{"name":"Prepared speeches","display":"stoplights","alarm":"none",\#
        "at_zero":"alarm","timers":[{"id":"74696d65-722d-8e6f-8064-650000000101","name":"Ice Breaker","start":360,\#
        "warning":120,"final":60},{"id":"74696d65-722d-8e6f-8064-650000000102","name":"Speech","start":420,\#
        "warning":120,"final":60},{"id":"74696d65-722d-8e6f-8064-650000000103","name":"Long speech","start":720,\#
        "warning":120,"final":60}]},{"name":"Table Topics","display":"stoplights","alarm":"none",\#
        "at_zero":"alarm","timers":[{"id":"74696d65-722d-8e6f-8064-650000000201","name":"Table Topic","start":120,\#
        "warning":60,"final":30}]},{"name":"Evaluations","display":"stoplights","alarm":"none","at_zero":"alarm",\#
        "timers":[{"id":"74696d65-722d-8e6f-8064-650000000301","name":"Evaluation","start":180,"warning":60,\#
        "final":30}]}]},"countdown":{"thresholds":{"start":420,"warning":120,"final":60},"used":{"before":[0,0],\#
        "since":{"sinceEpoch":[54,3875820019684212736]}},"over":{"before":[0,0]},"state":"running",\#
        "zero":{"sinceEpoch":[76,18047450398074077184]},"ticked":418}},"started_at":{"sinceEpoch":[54,\#
        3875820019684212736]}}
        """#
}
