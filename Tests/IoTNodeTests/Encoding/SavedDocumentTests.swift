import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A saved document")
struct SavedDocumentTests {
    @Test("of version 0.1.0, which sorted the keys and padded nothing, is taken up as it stands")
    func old() throws {
        let thresholds = try Thresholds(start: 300, warning: 60)
        let node = try Scenario(saved: Array(Self.old.utf8), boot: "a boot", after: .seconds(5)) {
            $0.storage = .init(directory: "/nowhere")
            $0.timers = .init(name: "Talk / é", thresholds: thresholds)
        }
        #expect(node.setAside.isEmpty)
        #expect(node.last("mode") == "countdown")
        #expect(node.state?["remaining"] == 295)
        #expect(node.state?["timer"]?["name"] == "Talk / é")
        #expect(node.state?["last"]?["used"] == .number(2.5))
        #expect(node.state?["started_at"] == "2023-11-14T22:13:20.000Z")
    }

    /// What `timer-node` 0.1.0 wrote.
    private static let old = #"""
        timer-node-state 1 258dbb5a
        {"at":{"sinceEpoch":[54,3875820019684212736]},"boot":"a boot",\#
        "configured":{"groups":[{"alarm":"none","at_zero":"next","display":"numerical","name":"Timers",\#
        "timers":[{"final":0,"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk / é","start":300,\#
        "warning":60}]}],"selected":"1/1","settings":{"start_timer_immediately":true},"version":2},\#
        "date":721692800,"player":{"countdown":{"over":{"before":[0,0]},"state":"running",\#
        "thresholds":{"final":0,"start":300,"warning":60},"ticked":298,"used":{"before":[0,0],\#
        "since":{"sinceEpoch":[54,3875820019684212736]}},"zero":{"sinceEpoch":[70,8727914840331386880]}},\#
        "last_run":{"name":"Talk / é","over":[0,0],"path":"1/1","used":[0,2500000000000000000]},\#
        "model":{"groups":[{"alarm":"none","at_zero":"next","display":"numerical","name":"Timers",\#
        "timers":[{"final":0,"id":"74696d65-722d-8e6f-8064-650000000101","name":"Talk / é","start":300,\#
        "warning":60}]}],"selected":"1/1","settings":{"start_timer_immediately":true},"version":2}},\#
        "started_at":{"sinceEpoch":[54,3875820019684212736]}}
        """#
}
