import BrokerLink
import NodePorts
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("The output lines")
struct LinesTests {
    @Test("that cannot be acquired are retried every two seconds while the timer runs, and then show the current mode")
    func busyAtStart() throws {
        var node = try Scenario(6, 4, 2, connected: false)
        node.linesFault = LinesFault("line GREEN is busy")
        node.accept()
        node.happens(.outputsFailed(LinesFault("line GREEN is busy")))
        node.send("start")
        node.wait(.milliseconds(4500))
        #expect(node.last("mode") == "final")
        #expect(node.logs.filter { $0.contains("line GREEN is busy") }.count == 1)
        node.linesFault = nil
        node.wait(.milliseconds(1500))
        #expect(node.lit == "buzzer+red")
        #expect(node.logs.last == "outputs are back")
    }

    @Test("that fail in the middle are acquired again")
    func lostInTheMiddle() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.linesFault = LinesFault("the chip is gone")
        node.wait(.seconds(2))
        #expect(node.levels == nil)
        node.linesFault = nil
        node.wait(.seconds(2))
        #expect(node.lit == "red")
    }

    @Test("are off in the state while they are not held, whatever the mode, and retries publish nothing")
    func offInState() throws {
        var node = try Scenario(60, 4, 2)
        let dark: JSON = ["buzzer": "off", "green": "off", "red": "off", "yellow": "off"]
        node.send("start")
        #expect(node.state?["outputs"]?["green"] == "on")
        node.linesFault = LinesFault("the chip is gone")
        node.happens(.outputsFailed(LinesFault("the chip is gone")))
        #expect(node.state?["outputs"] == dark)
        let states = node.publications.count { $0.topic == "timer/lectern/state" }
        node.wait(.seconds(55))
        #expect(node.state?["outputs"] == dark)
        #expect(node.publications.count { $0.topic == "timer/lectern/state" } == states, "until the next mode")
        node.wait(.seconds(8))
        #expect(node.last("mode") == "alarm")
        #expect(node.state?["outputs"] == dark)
        node.linesFault = nil
        node.wait(.seconds(2))
        #expect(node.state?["outputs"]?["red"] == "blink")
    }

    @Test("are held and dark before anything else happens")
    func first() throws {
        let node = try Scenario()
        #expect(node.diary.first == "0 lamps dark")
    }
}
