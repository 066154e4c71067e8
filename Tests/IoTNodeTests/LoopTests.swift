import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The loop")
struct LoopTests {
    /// Events with the instants at which the ports report them.
    final class Script: EventSource {
        private var events: [(at: Instant, event: NodeEvent)]

        init(_ events: [(seconds: Int, event: NodeEvent)]) {
            self.events = events.map { (Instant(sinceEpoch: .seconds($0.seconds)), $0.event) }
        }

        var interests: [Interest] { [] }
        var nextInstant: Instant? { events.first?.at }

        func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent] {
            let due = events.prefix { $0.at <= now }.map(\.event)
            events.removeFirst(due.count)
            return due
        }
    }

    private func command(_ verb: String) -> NodeEvent {
        .connection(.message(IncomingMessage(topic: "timer/lectern/command/\(verb)", payload: [])))
    }

    private func configuration() throws -> NodeConfiguration {
        var configuration = NodeConfiguration(node: .init(id: "lectern"))
        configuration.storage = .init(directory: "/nowhere")
        configuration.mqtt = .init(brokers: [Broker(host: "broker.test")], clientID: "lectern")
        configuration.timers = .init(
            name: "Talk", thresholds: try Thresholds(start: 600, warning: 120, final: 30))
        return configuration
    }

    private func parts(
        _ script: Script, clock: VirtualClock = VirtualClock(), store: InMemoryStore = InMemoryStore()
    ) -> (NodeParts, InMemoryConnection, InMemoryOutputs) {
        let (connection, outputs) = (InMemoryConnection(), InMemoryOutputs())
        return (
            NodeParts(
                clock: clock, connection: connection, outputs: outputs, store: store, otherSources: [script],
                log: { _, _ in }),
            connection, outputs
        )
    }

    @Test("yields for a moment after publishing the mode, once per burst, and never for a tick")
    func rest() throws {
        let clock = VirtualClock()
        let burst = (0..<100).map { _ in (seconds: 3, event: command("toggle")) }
        let (parts, connection, _) = parts(
            Script([(1, .connection(.connected)), (2, command("start"))] + burst + [(30, .terminate)]), clock: clock)
        NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts).run()
        #expect(connection.publications.filter { $0.topic == "timer/lectern/response" }.count == 101)
        #expect(connection.publications.filter { $0.topic == "timer/lectern/tick" }.count > 20)
        // The loop yields after connecting, after the start and after the burst.
        #expect(clock.rests == 3)
    }

    @Test("runs a talk of ten minutes on ports in memory, and exits on request")
    func talk() throws {
        let clock = VirtualClock()
        let (parts, connection, outputs) = parts(
            Script([(1, .connection(.connected)), (2, command("start")), (700, .terminate)]), clock: clock)
        NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts).run()

        #expect(clock.now.instant.sinceEpoch == .seconds(700))
        let modes = connection.publications.filter { $0.topic == "timer/lectern/mode" }.map(\.text)
        #expect(modes == ["stopped", "countdown", "warning", "final", "alarm"])
        #expect(connection.publications.filter { $0.topic == "timer/lectern/tick" }.count == 601)
        #expect(connection.publications.last?.text == "offline")
        #expect(connection.calls.last == .disconnect)
        #expect(outputs.levels == nil, "the lines are released")
    }

    @Test("continues from the saved state when it is run")
    func savedState() throws {
        let (clock, store) = (VirtualClock(), InMemoryStore())
        var modes: [String?] = []
        for script in [
            Script([(1, .connection(.connected)), (2, command("start")), (9, .terminate)]),
            Script([(10, .connection(.connected)), (11, .terminate)]),
        ] {
            let (parts, connection, _) = parts(script, clock: clock, store: store)
            NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts).run()
            modes.append(connection.publications.first { $0.topic == "timer/lectern/mode" }?.text)
        }
        #expect(modes == ["stopped", "countdown"])
    }

    @Test("counts each second even if the disk hangs for minutes, and then saves the newest state")
    func stuckDisk() throws {
        let (clock, store) = (VirtualClock(), InMemoryStore())
        var parts = parts(Script([(1, .connection(.connected)), (2, command("start"))]), clock: clock, store: store)
        var ticks: [Instant] = []
        let script = Script([(700, .terminate)])
        parts.0.otherSources.append(script)
        let loop = NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts.0)
        store.isStuck = true
        loop.start()
        while clock.now.instant.sinceEpoch < .seconds(650) {
            let before = parts.1.publications.count
            loop.step()
            let isTick = parts.1.publications[before...].contains { $0.topic.hasSuffix("/tick") }
            if isTick { ticks.append(clock.now.instant) }
        }
        #expect(ticks.map(\.sinceEpoch) == (2...602).map { .seconds($0) })
        #expect(store.saved.count == 0)
        store.isStuck = false
        loop.step()
        loop.step()
        #expect(store.saved.count == 1)
        let document = try #require(store.document)
        #expect(try SavedNodeState(document).player.mode == .alarm)
    }

    @Test("exits at most a second after the request, even if the disk hangs")
    func leavesInVain() throws {
        let (clock, store) = (VirtualClock(), InMemoryStore())
        let (parts, connection, outputs) = parts(
            Script([(1, .connection(.connected)), (2, command("start")), (9, .terminate)]), clock: clock, store: store)
        store.isStuck = true
        NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts).run()
        #expect(clock.now.instant.sinceEpoch == .milliseconds(9900))
        #expect(outputs.levels == nil)
        #expect(connection.calls.last == .disconnect)
    }

    @Test("reports failures of the ports to the core, which tries again")
    func faults() throws {
        let (parts, _, outputs) = parts(Script([(1, .connection(.connected)), (2, command("start")), (9, .terminate)]))
        outputs.fault = LinesFault("busy")
        let loop = NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts)
        loop.start()
        while parts.clock.now.instant.sinceEpoch < .seconds(4) { loop.step() }
        #expect(outputs.levels == nil)
        outputs.fault = nil
        while parts.clock.now.instant.sinceEpoch < .seconds(7) { loop.step() }
        #expect(outputs.levels?["green"] == true)
    }

    @Test("handles a button that was released in time before the deadline passes, even if the node is late")
    func lateEdges() throws {
        var button = NodeConfiguration.Button(line: "A")
        button.commands = [.press: try BoundCommand("start"), .hold: try BoundCommand("stop")]
        var configuration = try configuration()
        configuration.gpio = NodeConfiguration.GPIO(chip: .auto, buttons: [button])
        let clock = VirtualClock()
        var (parts, _, outputs) = parts(Script([]), clock: clock)
        let inputs = InMemoryInputs()
        parts.inputs = inputs
        let loop = NodeLoop(core: NodeCore(configuration: configuration, seed: 1), parts: parts)
        loop.start()

        inputs.set("A", true, at: clock.now.instant)
        loop.step()
        loop.step()
        clock.advance(by: .milliseconds(400))
        inputs.set("A", false, at: clock.now.instant)
        // The loop is late because the disk was slow.
        clock.advance(by: .seconds(3))
        loop.step()
        #expect(outputs.levels?["green"] == true, "pressed, not held")
    }

    @Test("passes the saved state to the next process, which ends the run at the same instant")
    func restart() throws {
        let clock = VirtualClock()
        let store = InMemoryStore()
        var alarms: [Instant] = []
        for script in [
            Script([(1, .connection(.connected)), (2, command("start")), (300, .terminate)]),
            Script([(301, .connection(.connected)), (700, .terminate)]),
        ] {
            var (parts, connection, _) = parts(script, clock: clock)
            parts.store = store
            let loop = NodeLoop(core: NodeCore(configuration: try configuration(), seed: 1), parts: parts)
            loop.start()
            while !connection.calls.contains(.disconnect) {
                let before = connection.publications.count
                loop.step()
                if connection.publications[before...].contains(where: {
                    $0.topic.hasSuffix("mode") && $0.text == "alarm"
                }) {
                    alarms.append(clock.now.instant)
                }
            }
        }
        #expect(alarms == [Instant(sinceEpoch: .seconds(602))])
    }
}
