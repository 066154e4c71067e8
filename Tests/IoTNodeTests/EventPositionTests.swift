import BrokerLink
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("An event")
struct EventPositionTests {
    /// Two groups, of which the first is a sequence of three timers.
    private func scenario() throws -> Scenario {
        let timers = try load(
            """
            timers:
              groups:
                - {at_zero: next, timers: [{start: 10, warning: 4, final: 2}, {start: 8, warning: 3, final: 0}, {start: 6, warning: 0, final: 0}]}
                - timers: [{start: 20, warning: 0, final: 0}]
            """
        ).configuration.timers
        return try Scenario { $0.timers = timers }
    }

    /// The type, timer and remaining time of each event after a number of publications.
    private func events(_ node: Scenario, since count: Int = 0) throws -> [String] {
        try node.publications[count...].filter { $0.topic == "timer/lectern/event" }.map { publication in
            let json = try JSON(parsing: publication.payload)
            guard case .string(let type) = json["event_type"], case .string(let timer) = json["timer"],
                case .integer(let remaining) = json["remaining"]
            else { return publication.text }
            return "\(type) \(timer) \(remaining)"
        }
    }

    private static let sequence = [
        "warning 1/1 4", "final 1/1 2", "run_ended 1/1 0", "transition 1/2 8", "countdown 1/2 8", "warning 1/2 3",
        "run_ended 1/2 0", "transition 1/3 6", "countdown 1/3 6", "alarm 1/3 0",
    ]

    @Test("names the timer and the time of its instant, whether on time or late after a stall")
    func late() throws {
        var onTime = try scenario()
        onTime.send("start")
        let begun = onTime.publications.count
        onTime.wait(.seconds(30))
        var late = try scenario()
        late.send("start")
        #expect(late.publications.count == begun)
        late.stall(.seconds(30))
        #expect(try events(onTime, since: begun) == Self.sequence)
        #expect(try events(late, since: begun) == Self.sequence)
        #expect(onTime.last("mode") == "alarm")
    }

    @Test("is published late up to any point of the sequence", arguments: [7, 9, 11, 15.5, 16, 20, 23.9])
    func stalls(seconds: Double) throws {
        var node = try scenario()
        node.send("start")
        let begun = node.publications.count
        node.stall(.seconds(seconds))
        node.wait(.seconds(30 - seconds))
        #expect(try events(node, since: begun) == Self.sequence)
    }

    @Test("of a run that a command ended has its remaining time")
    func commands() throws {
        var node = try scenario()
        node.send("start")
        node.wait(.milliseconds(2500))
        let begun = node.publications.count
        node.send("start", "2/1")
        node.wait(.seconds(1))
        node.send("pause")
        node.send("select", "1/2")
        node.send("start")
        node.wait(.seconds(1))
        node.send("fast_forward")
        node.send("edit", #"{"timer":"2/1","name":"Other"}"#)
        #expect(
            try events(node, since: begun) == [
                "run_ended 1/1 8", "paused 2/1 19", "run_ended 2/1 19", "stopped 1/2 8", "countdown 1/2 8",
                "run_ended 1/2 0", "transition 1/3 6", "timer_edited 2/1 6",
            ])
    }

    @Test("of a fault that is published after the next connection has the time of the fault")
    func fault() throws {
        var node = try scenario()
        node.send("start")
        node.wait(.seconds(1))
        node.lose()
        node.linesFault = LinesFault("the chip is gone")
        node.wait(.seconds(7))
        let begun = node.publications.count
        node.accept()
        let told = try events(node, since: begun)
        #expect(told == ["gpio_fault 1/1 4"], "the lamps fail when they change at the warning")
    }
}
