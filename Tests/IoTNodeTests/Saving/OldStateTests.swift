import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The state of a node from before true times, running orders and accounts")
struct OldStateTests {
    /// What a node saved in its folder 1.5 s after Grace Hopper had begun.
    private static let state = #"""
        timer-node-state 1 e3a3c0d9
        {"boot":"4670397e-e754-493d-b940-88f60382c238","at":{"sinceEpoch":[399,7185480143888905216]}\#
        ,"date":817478041.4552338,"configured":{"version":2,"settings":{"start_timer_immediately":true}\#
        ,"selected":"1/1","groups":[{"name":"Talk 1","display":"numerical","alarm":"none","at_zero":"next"\#
        ,"timers":[{"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk","start":1200,"warning":300\#
        ,"final":60,"minimum":900,"maximum":1200},{"id":"74696d65-722d-8e6f-8064-650000000102"\#
        ,"name":"Questions","start":300,"warning":0,"final":0}]},{"name":"Break","display":"numerical"\#
        ,"alarm":"none","at_zero":"next","timers":[{"id":"74696d65-722d-8e6f-8064-650000000201","name":"Break"\#
        ,"start":600,"warning":0,"final":0}]}]},"player":{"model":{"version":2\#
        ,"settings":{"start_timer_immediately":true},"selected":"1/2","groups":[{"name":"Talk 1"\#
        ,"display":"numerical","alarm":"none","at_zero":"next"\#
        ,"timers":[{"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk","start":1200,"warning":300\#
        ,"final":60,"minimum":900,"maximum":1200},{"id":"74696d65-722d-8e6f-8064-650000000102"\#
        ,"name":"Questions","start":300,"warning":0,"final":0}]},{"name":"Break","display":"numerical"\#
        ,"alarm":"none","at_zero":"next","timers":[{"id":"74696d65-722d-8e6f-8064-650000000201","name":"Break"\#
        ,"start":600,"warning":0,"final":0}]}]},"countdown":{"thresholds":{"start":300,"warning":0,"final":0}\#
        ,"used":{"before":[0,0],"since":{"sinceEpoch":[399,5664524065888905216]}},"over":{"before":[0,0]}\#
        ,"state":"running","zero":{"sinceEpoch":[415,10516618886536079360]},"ticked":299}\#
        ,"last_run":{"path":"1/1","name":"Talk","used":[0,3010893341000000000],"over":[0,0]}}\#
        ,"started_at":{"sinceEpoch":[399,5664524065888905216]},"announced":{"prefix":"homeassistant"\#
        ,"node":"lectern","style":"device","entities":["sensor/mode","binary_sensor/running","select/timer"\#
        ,"sensor/timer_name","sensor/ends_at","sensor/remaining","button/start","button/pause","button/resume"\#
        ,"button/toggle","button/stop","button/end","button/next","button/previous","button/plus_1_min"\#
        ,"button/minus_1_min","button/silence","event/transition","sensor/last_used","sensor/last_over"\#
        ,"number/duration","text/speaker","notify/message","text/shown_message","switch/lock","sensor/meeting"\#
        ,"sensor/meeting_ends_at","sensor/next_meeting","sensor/next_meeting_at","button/identify"\#
        ,"button/lamp_test","binary_sensor/gpio_problem","sensor/started","sensor/reconnects"]}\#
        ,"run":"f8a5d5a2-5fc2-4867-b759-00d850dc91f1","added":0,"model_revision":1\#
        ,"mode_since":{"sinceEpoch":[399,5664524065888905216]},"speaker":"Grace Hopper","locked":"inputs"\#
        ,"message":{"text":"Please wrap up","at":{"sinceEpoch":[399,6677964827888905216]},"attention":false\#
        ,"keep":false},"agenda":{"revision":1,"configured":{"zone":"UTC","remind_after":60\#
        ,"meetings":[{"name":"Council","day":"tue","at":"19:00","for":7200,"group":1,"begin":"select"\#
        ,"attend":true}]},"begun":[]}}
        """#

    /// The runs that it had recorded.
    private static let runs = #"""
        timer-node-runs 1 854fb36c
        {"runs":[{"id":"e18291a3-3196-4538-bc34-68ba8445f687","timer":"1/1","name":"Talk","group":"Talk 1"\#
        ,"speaker":"Ada Lovelace","started_at":"2026-11-27T13:13:56.609Z","ended_at":"2026-11-27T13:13:59.620Z"\#
        ,"used":3.011,"paused":0,"over":0,"start":1200,"added":0,"minimum":900,"maximum":1200,"grace":0\#
        ,"qualified":false}]}
        """#

    /// A new process on the same machine.
    private func restarted(_ saved: [UInt8], _ runs: [UInt8], after down: Duration = .seconds(10)) throws -> Scenario {
        let groups = [
            TimerGroup(
                name: "Talk 1",
                timers: [
                    TimerItem(
                        name: "Talk", thresholds: try Thresholds(start: 1200, warning: 300, final: 60),
                        qualifying: try QualifyingTime(minimum: 900, maximum: 1200)),
                    TimerItem(name: "Questions", thresholds: try Thresholds(start: 300, warning: 0, final: 0)),
                ]),
            TimerGroup(
                name: "Break",
                timers: [TimerItem(name: "Break", thresholds: try Thresholds(start: 600, warning: 0, final: 0))]),
        ]
        // When the state was saved, on its boot clock and on the wall clock.
        let (instant, date) = (Duration.milliseconds(7_367_434), Date(timeIntervalSinceReferenceDate: 817_478_041.455))
        return try Scenario(
            saved: saved, savedRuns: runs, boot: "4670397e-e754-493d-b940-88f60382c238",
            after: instant + down - .seconds(1000), wallClock: date.addingTimeInterval(down.inSeconds)
        ) {
            $0.storage = .init(directory: "/nowhere")
            if let timers = try? NodeConfiguration.Timers(groups: groups) { $0.timers = timers }
        }
    }

    @Test("is taken up with its run, and all that is new begins empty")
    func takenUp() throws {
        var node = try restarted(Array(Self.state.utf8), Array(Self.runs.utf8))
        let state = try #require(node.state)
        #expect(state["mode"] == "countdown" && state["timer"]?["name"] == "Questions")
        #expect(state["remaining"] == 289)
        #expect(state["speaker"] == "Grace Hopper" && state["locked"] == "inputs")
        #expect(
            try ShownMessage(try #require(node.publications.last { $0.topic.hasSuffix("/message") }).payload).text
                == "Please wrap up")
        for key in ["undo", "entry", "budget", "until", "lead"] { #expect(state[key] == .null, "\(key)") }
        #expect(node.send("undo")?["code"] == "not_allowed")
        #expect(node.send("stop")?["status"] == "ok")
        let runs = try #require(node.savedRuns.map { try SavedRuns($0).runs })
        #expect(runs.map(\.speaker) == ["Ada Lovelace", "Grace Hopper"])
        #expect(runs.allSatisfy { $0.entry == nil && $0.total == nil && $0.measured == nil })
        // What is new works, and is saved with the rest.
        #expect(node.send("undo")?["mode"] == "countdown")
        #expect(node.send("programme", #"{"entries":[{"id":"a","title":"Opening","timer":"1/1"}]}"#)?["status"] == "ok")
        #expect(node.send("entry", "next")?["status"] == "ok")
        let saved = try #require(node.saved.last)
        let again = try restarted(saved, node.savedRuns ?? [], after: .seconds(20))
        #expect(again.state?["entry"]?["title"] == "Opening")
        #expect(again.state?["timer"]?["name"] == "Talk")
    }
}
