import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import NodeTape

@Suite("A replay by another program")
struct OtherProgramTests {
    /// Returns the tape of a short talk.
    private func talk() throws -> MemoryTape {
        let tape = MemoryTape()
        var node = try Scenario(tape: tape)
        node.send("start")
        node.wait(.seconds(8))
        return tape
    }

    @Test("shows where it decides otherwise")
    func within() throws {
        let replay = try replay(talk()) { configuration in
            // The warning begins a second later than on the tape.
            configuration.timers = .init(
                name: "Talk",
                thresholds: TimerEngine.Thresholds.zero.setting(start: 6).setting(warning: 3).setting(final: 2))
        }
        let text = replay.text(prefix: "timer/lectern/")
        #expect(text.contains("- green off, yellow on") && text.contains("+ green off, yellow on"))
    }

    @Test("shows what it decides between two turns")
    func between() throws {
        let tape = MemoryTape()
        var node = try Scenario(tape: tape)
        node.wait(.seconds(95))
        node.send("start")
        // A pattern that is on for a second and off for a second.
        let pattern = Pattern(milliseconds: 1000, 1000)
        let replay = try replay(tape) { $0.signals.modes[.stopped] = ["green": .blink(pattern)] }
        let changes = replay.differences.flatMap(\.today).count { if case .sets = $0 { true } else { false } }
        #expect((90...96).contains(changes), "\(changes)")
    }

    /// Replays a tape with a node that has another configuration.
    private func replay(_ tape: MemoryTape, _ change: @escaping (inout NodeConfiguration) -> Void) throws -> Replay {
        try Replay(Tape(tape.segments)) { _ in
            var configuration = NodeConfiguration(node: .init(id: "lectern", groups: ["hall-a"]))
            configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: "timer-node-lectern")
            configuration.mqtt?.healthInterval = .zero
            configuration.mqtt?.discovery.style = .none
            change(&configuration)
            return configuration
        }
    }
}
