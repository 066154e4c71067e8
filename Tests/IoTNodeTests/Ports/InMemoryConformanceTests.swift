import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

/// The basis of the other tests: the in-memory ports follow the same rules as the real ones.
@Suite("In memory, conformance of")
struct InMemoryConformanceTests {
    @Test("a clock", arguments: ClockConformance.rules)
    func clock(rule: Rule<any ClockHarness>) throws { try rule.check(VirtualClocks()) }

    @Test("a store", arguments: StoreConformance.rules, [.zero, .milliseconds(600)] as [Duration])
    func store(rule: Rule<any StoreHarness>, diskTime: Duration) throws { try rule.check(MemoryDisk(diskTime)) }

    @Test("outputs", arguments: OutputsConformance.rules)
    func outputs(rule: Rule<any OutputsHarness>) throws { try rule.check(MemoryWires()) }

    @Test("inputs", arguments: InputsConformance.rules)
    func inputs(rule: Rule<any InputsHarness>) throws { try rule.check(MemoryButtons()) }

    @Test("a connection", arguments: ConnectionConformance.rules, MQTTVersion.allCases)
    func connection(rule: Rule<any ConnectionHarness>, version: MQTTVersion) throws {
        try rule.check(MemoryBroker(version))
    }
}

/// Clocks that stand still, except the one under test.
private final class VirtualClocks: ClockHarness {
    private var clocks: [VirtualClock] = []

    func makeClock() -> any NodeClock {
        let clock = VirtualClock()
        clocks.append(clock)
        return clock
    }

    func elapsed() -> Duration { clocks.reduce(.zero) { $0 + $1.now.instant.sinceEpoch } }
}

/// An in-memory disk; the store is its own disk.
private final class MemoryDisk: StoreHarness {
    let clock: any NodeClock
    private let store: InMemoryStore

    init(_ time: Duration) {
        let clock = VirtualClock()
        self.clock = clock
        store = InMemoryStore(clock: clock)
        store.time = time
    }

    func makeStore() -> any Store { store }

    func setFaulty(_ isFaulty: Bool) {
        store.fault = isFaulty ? StoreError("cannot write: Input/output error") : nil
        store.loadFault = isFaulty ? StoreError("cannot read: Input/output error") : nil
    }

    func kept(as name: String) -> [UInt8]? { store.others[name] }
}

/// Wires that follow the outputs.
private final class MemoryWires: OutputsHarness {
    let clock: any NodeClock = VirtualClock()
    private var outputs = InMemoryOutputs()

    func makeOutputs() -> any Outputs {
        outputs = InMemoryOutputs()
        return outputs
    }

    func lit() -> Set<OutputName> { Set((outputs.levels ?? [:]).filter(\.value).keys) }
    func areHeld() -> Bool { outputs.levels != nil }

    func setPresent(_ isPresent: Bool) { outputs.fault = isPresent ? nil : LinesFault("No such device") }
}

/// Two in-memory buttons.
private final class MemoryButtons: InputsHarness {
    let clock: any NodeClock = VirtualClock()
    let lines = ("GPIO23", "GPIO24")
    private let inputs = InMemoryInputs()

    func makeInputs() -> any Inputs { inputs }
    func set(_ line: InputName, _ isDown: Bool) { inputs.set(line, isDown, at: clock.now.instant) }

    func setPresent(_ isPresent: Bool) {
        if isPresent { inputs.fault = nil } else { inputs.lose(LinesFault("No such device")) }
    }
}

/// An in-memory broker that receives the messages that the connection publishes, controlled by a test.
private final class MemoryBroker: ConnectionHarness {
    let clock: any NodeClock = VirtualClock()
    let request: ConnectOptions
    private let connection = InMemoryConnection()
    private var isPresent = true

    init(_ version: MQTTVersion) {
        request = ConnectOptions(
            broker: Broker(host: "broker.test"), version: version, clientID: "node", keepAlive: 60, credentials: nil,
            will: OutgoingMessage(topic: "timer/node/availability", text: "offline", retain: true))
    }

    func makeConnection() -> any MQTTConnection { connection }

    func answer() { connection.push(isPresent ? .connected : .lost(ConnectionError("Connection refused"))) }

    func setPresent(_ isPresent: Bool) {
        self.isPresent = isPresent
        if !isPresent, connection.isConnected { connection.push(.lost(ConnectionError("closed the connection"))) }
    }

    func awaitSubscriptions(_ count: Int) {}

    func publish(_ message: OutgoingMessage) throws {
        let filters = try connection.subscriptions.map { try TopicFilter($0.filter) }
        guard filters.contains(where: { $0.matches(message.topic) }) else { return }
        connection.push(
            .message(
                IncomingMessage(topic: message.topic, payload: message.payload, retained: keepsFlag(message))))
    }

    func received() -> [OutgoingMessage] { connection.delivered.map(\.encoded) }
}
