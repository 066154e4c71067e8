import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The buttons of a node")
struct ButtonActionTests {
    /// A button with a press and a hold, and one with only a press; optionally a broker.
    private func scenario(
        press: String = "toggle", hold: String = "stop", connected: Bool = false, held: Set<InputName> = []
    ) throws -> Scenario {
        var first = NodeConfiguration.Button(line: "A")
        first.commands = [.press: try BoundCommand(press), .hold: try BoundCommand(hold)]
        var second = NodeConfiguration.Button(line: "B")
        second.commands = [.press: try BoundCommand("add +60")]
        let buttons = [first, second]
        var node = try Scenario(60, 0, 0, connected: false) {
            $0.gpio = NodeConfiguration.GPIO(chip: .auto, buttons: buttons)
            if !connected { $0.mqtt = nil }
        }
        node.happens(.inputsAcquired(HeldInputs(active: held, areDebounced: false)))
        if connected { node.accept() }
        return node
    }

    @Test("work without a broker: a press toggles, a hold stops while the button is still down")
    func withoutBroker() throws {
        var node = try scenario()
        node.push("A", for: .milliseconds(100))
        #expect(node.lit == "green")
        #expect(node.core.timer.player.mode == .countdown)
        node.wait(.seconds(5))
        node.push("B", for: .milliseconds(100))
        #expect(node.core.timer.player.countdown.shownSeconds(at: node.now.instant) > 100)
        node.move("A", down: true)
        node.wait(.milliseconds(819))
        #expect(node.core.timer.player.mode == .countdown)
        node.wait(.milliseconds(1))
        #expect(node.core.timer.player.mode == .stopped)
        node.move("A", down: false)
        node.wait(.seconds(1))
        #expect(node.core.timer.player.mode == .stopped, "the button has no further effect")
    }

    @Test("publish the effects of each command, but no response")
    func published() throws {
        var node = try scenario(connected: true)
        node.push("A", for: .milliseconds(100))
        #expect(node.last("mode") == "countdown")
        #expect(node.last("event")?.contains(#""event_type":"countdown""#) == true)
        #expect(node.last("response") == nil)
    }

    @Test("that are refused change nothing, and are logged")
    func refused() throws {
        var node = try scenario(press: "start 7/1", connected: true)
        node.push("B", for: .milliseconds(100))
        #expect(
            node.logs.last == """
                refused button B, press: add +60: not_allowed: add needs a running, paused or alarmed timer; this one \
                is stopped
                """)
        node.push("A", for: .milliseconds(100))
        #expect(node.logs.last == #"refused button A, press: start 7/1: not_found: there is no timer "7/1""#)
        #expect(node.core.timer.player.mode == .stopped)
        #expect(node.last("response") == nil)
    }

    @Test("are not held back by the rate limit of commands")
    func noRateLimit() throws {
        var node = try scenario(connected: true)
        for _ in 0..<100 { node.send("start") }
        #expect(node.send("start")?["code"] == "rate_limited")
        node.push("A", for: .milliseconds(100))
        #expect(node.last("mode") == "paused")
    }

    @Test("that are down when the node starts do nothing until they are released")
    func heldAtStart() throws {
        var node = try scenario(held: ["A"])
        node.wait(.seconds(10))
        node.move("A", down: false)
        node.wait(.seconds(1))
        #expect(node.core.timer.player.mode == .stopped)
        node.push("A", for: .milliseconds(100))
        #expect(node.core.timer.player.mode == .countdown)
    }

    @Test("that request the state without a broker leave the node asleep", arguments: [true, false])
    func stateAlone(hasBroker: Bool) throws {
        var node = try scenario(press: "state", connected: hasBroker)
        if hasBroker { node.lose() }
        node.move("A", down: true)
        node.wait(.milliseconds(100))
        // A press acts on release. The node's next deadline is never in the past.
        node.move("A", down: false)
        node.happens(.timePassed)
        #expect(node.core.nextInstant.map { $0 > node.now.instant } != false)
    }

    @Test("whose lines cannot be acquired are retried every two seconds, while everything else continues")
    func busy() throws {
        var node = try scenario()
        node.inputsFault = LinesFault("line A is busy")
        node.happens(.inputs(.failed(LinesFault("line A is busy"))))
        node.move("A", down: true)
        node.wait(.seconds(7))
        #expect(node.core.timer.player.mode == .stopped)
        #expect(node.logs.filter { $0 == "buttons: line A is busy" }.count == 1)
        node.inputsFault = nil
        node.heldInputs = HeldInputs(areDebounced: true)
        node.wait(.seconds(1))
        #expect(node.logs.last == "buttons are back")
        node.push("A", for: .milliseconds(1))
        #expect(node.core.timer.player.mode == .countdown)
    }

    @Test("that are lost while held cause the lamps' lines to be requested again, since their chip may be gone")
    func lost() throws {
        var node = try scenario()
        node.move("A", down: true)
        node.wait(.milliseconds(100))
        node.linesFault = LinesFault("the chip is gone")
        node.inputsFault = LinesFault("the chip is gone")
        node.happens(.inputs(.failed(LinesFault("No such device"))))
        #expect(node.logs.contains("outputs: the chip is gone"))
        node.wait(.seconds(5))
        #expect(node.core.timer.player.mode == .stopped, "the hold in progress is discarded")
        node.linesFault = nil
        node.inputsFault = nil
        node.wait(.seconds(2))
        #expect(Set(node.logs.suffix(2)) == ["outputs are back", "buttons are back"])
    }

    @Test("that are not configured are not requested")
    func none() throws {
        var node = try Scenario()
        node.inputsFault = LinesFault("there should be no lines")
        node.wait(.seconds(10))
        #expect(!node.logs.contains { $0.contains("buttons") })
    }
}

extension Scenario {
    /// Presses or releases a button now.
    mutating func move(_ line: InputName, down: Bool) {
        happens(.inputs(.edges([Edge(line: line, isActive: down, at: now.instant)])))
    }

    /// Pushes a button for a while, and waits for the result.
    mutating func push(_ line: InputName, for duration: Duration) {
        move(line, down: true)
        wait(duration)
        move(line, down: false)
        wait(.milliseconds(500))
    }
}
