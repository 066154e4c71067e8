import BrokerLink
import LinuxSystem
internal import Mosquitto
import NodeTestSupport
import Testing

/// The rules of a connection, checked with a real broker.
@Suite("At a real broker, conformance of")
struct MosquittoConformanceTests {
    @Test("a connection", arguments: ConnectionConformance.rules, MQTTVersion.allCases)
    func connection(rule: Rule<any ConnectionHarness>, version: MQTTVersion) throws {
        try rule.check(RealBroker(version))
    }
}

/// A separate broker, and mosquitto's own clients.
private final class RealBroker: ConnectionHarness {
    let clock: any NodeClock = BootClock()
    let request: ConnectOptions
    private let broker: MosquittoBroker
    private var probe: MQTTProbe

    init(_ version: MQTTVersion) throws {
        broker = try MosquittoBroker()
        probe = try MQTTProbe(broker, "timer/node/#")
        request = MosquittoConnectionTests.request(broker.port, version: version)
    }

    func makeConnection() -> any MQTTConnection { MosquittoConnection() }

    /// The broker responds automatically.
    func answer() {}

    func setPresent(_ isPresent: Bool) throws {
        guard isPresent else { return try broker.kill() }
        try broker.restart()
        probe = try MQTTProbe(broker, "timer/node/#")
    }

    func awaitSubscriptions(_ count: Int) throws {
        try waitUntil("\(count) subscriptions") {
            broker.log.count { $0.contains("Sending SUBACK to \(request.clientID)") } >= count
        }
    }

    func publish(_ message: OutgoingMessage) throws {
        try MQTTProbe.publish(
            broker, message.topic, String(decoding: message.payload, as: UTF8.self), retain: message.retain)
    }

    func received() -> [OutgoingMessage] {
        probe.messages.filter { $0.topic.hasPrefix("timer/node/event") }.map {
            OutgoingMessage(
                topic: $0.topic, text: $0.payload, qos: $0.qos == 0 ? .atMostOnce : .atLeastOnce, retain: $0.retained)
        }
    }
}
