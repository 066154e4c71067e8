import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The node's health")
struct HealthTests {
    private func health(_ node: Scenario) -> JSON? {
        node.last("health").flatMap { try? JSON(parsing: Array($0.utf8)) }
    }

    private func count(_ node: Scenario) -> Int {
        node.publications.filter { $0.topic == "timer/lectern/health" }.count
    }

    @Test("is published with each connection, retained, after everything else")
    func birth() throws {
        let node = try Scenario()
        #expect(node.publications.last?.retain == true)
        #expect(
            node.last("health") == """
                {"version":"\(NodeVersion.current)","name":"lectern","started_at":"2023-11-14T22:13:20.000Z","at":"2023-11-14T22:13:20.000Z","uptime_s":0,\
                "broker":"mqtt://broker.test:1883","reconnects":0,"commands":{"ok":0,"error":0},"dropped":0,\
                "gpio":{"chip":null,"backend":"simulated","fault":null},"late_ticks":0,"max_tick_lateness_ms":0,\
                "rss_bytes":4000000,"follow":null,"signals":{"stopped":{"word":"Stopped","lamps":{}},\
                "countdown":{"word":"Running","lamps":{"green":"on"}},"warning":{"word":"Warning","lamps":{"yellow":"on"}},\
                "final":{"word":"Final","lamps":{"red":"on"}},"alarm":{"word":"Overtime","lamps":{"red":"blink"}},\
                "paused":{"word":"Paused","lamps":null}}}
                """)
    }

    @Test("is published every interval, and only once with an interval of 0", arguments: [(60, 11), (600, 2), (0, 1)])
    func interval(seconds: Int, count: Int) throws {
        var node = try Scenario { $0.mqtt?.healthInterval = .seconds(seconds) }
        node.wait(.seconds(600))
        #expect(self.count(node) == count)
        #expect(health(node)?["uptime_s"] == .integer(seconds == 0 ? 0 : 600))
        #expect(health(node)?["at"] == .string(seconds == 0 ? "2023-11-14T22:13:20.000Z" : "2023-11-14T22:23:20.000Z"))
        #expect(seconds != 0 || node.core.nextInstant == nil, "the node sleeps")
    }

    @Test("is not due while there is no connection")
    func offline() throws {
        var node = try Scenario(connected: false)
        node.wait(.milliseconds(1))
        #expect(node.publications.isEmpty)
        node.accept()
        node.lose()
        node.wait(.seconds(9))
        #expect(count(node) == 1)
        node.accept()
        #expect(health(node)?["reconnects"] == 1)
        #expect(health(node)?["uptime_s"] == 9)
    }

    @Test("counts executed and refused commands, but not repeats")
    func commands() throws {
        var node = try Scenario(60, 0, 0) { $0.mqtt?.commandRate = 2 }
        node.send("start", #"{"id":"1"}"#)
        node.send("start", #"{"id":"1"}"#)
        node.send("resume")
        node.send("dance")
        for _ in 0..<5 { node.send("start") }
        node.wait(.seconds(1))
        node.send("state")
        #expect(health(node)?["commands"] == ["ok": 2, "error": 7])
    }

    @Test("counts ticks and events that were dropped without a broker, but nothing that is published later")
    func dropped() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.lose()
        node.wait(.seconds(6))
        node.accept()
        // 5, 4, 3, 2, 1, 0; and warning, final, alarm.
        #expect(health(node)?["dropped"] == 9)
    }

    @Test("also counts messages that the connection could not send")
    func droppedByTheLink() throws {
        var node = try Scenario(6, 4, 2)
        node.happens(.connection(.dropped(1)))
        node.happens(.connection(.dropped(3)))
        node.send("state")
        #expect(health(node)?["dropped"] == 4)
    }

    @Test("counts the ticks that were more than 50 ms late, and reports the worst")
    func lateness() throws {
        var node = try Scenario(60, 0, 0)
        node.send("start")
        node.wait(.milliseconds(500))
        node.stall(.milliseconds(550))
        node.send("state")
        #expect(health(node)?["late_ticks"] == 0)
        node.wait(.milliseconds(450))
        node.stall(.milliseconds(1230))
        node.send("state")
        #expect(health(node)?["late_ticks"] == 1)
        #expect(health(node)?["max_tick_lateness_ms"] == 730)
    }

    @Test(
        "counts each second that a stall skipped, even past the end of a timer",
        arguments: [
            (600, 11_000, 11, 10_500), (600, 560, 1, 60), (600, 1540, 1, 1040), (600, 1560, 2, 1060),
            (5, 11_000, 5, 10_500),
        ])
    func stall(start: Int, milliseconds: Int, late: Int, worst: Int) throws {
        var node = try Scenario(start, 0, 0)
        node.send("start")
        node.wait(.milliseconds(500))
        node.stall(.milliseconds(milliseconds))
        node.send("state")
        #expect(health(node)?["late_ticks"] == .integer(late))
        #expect(health(node)?["max_tick_lateness_ms"] == .integer(worst))
        let ticks = node.publications.count { $0.topic == "timer/lectern/tick" }
        #expect(ticks == 2, "the skipped seconds are not published")
    }

    @Test("is published when the lines fail and when they are back")
    func fault() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.linesFault = LinesFault("the chip is gone")
        node.wait(.seconds(3))
        #expect(health(node)?["gpio"]?["fault"] == "the chip is gone")
        #expect(count(node) == 2, "once while it stays the same")
        node.linesFault = nil
        node.wait(.milliseconds(1500))
        #expect(health(node)?["gpio"]?["fault"] == .null)
        #expect(count(node) == 3)
    }

    @Test("is published on the command state")
    func asked() throws {
        var node = try Scenario { $0.mqtt?.healthInterval = .seconds(60) }
        node.wait(.seconds(7))
        node.send("state")
        #expect(count(node) == 2)
        #expect(health(node)?["uptime_s"] == 7)
        node.wait(.milliseconds(59_999))
        #expect(count(node) == 2, "the next one is due a minute later")
    }
}
