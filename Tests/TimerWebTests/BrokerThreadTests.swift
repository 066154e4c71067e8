import BrokerLink
import Logging
import NodeConfiguration
import Testing
import TimerClient
import TimerProtocol

@testable import timer_web

@Suite("The thread with the connection to the broker")
struct BrokerThreadTests {
    @Test("responds to every waiting caller, even if the command came while it was stopping", .timeLimit(.minutes(1)))
    func stopped() async throws {
        let mqtt = NodeConfiguration.MQTT(brokers: [Broker(host: "127.0.0.1", port: 1)], clientID: "")
        let command = OutgoingCommand(id: "1", to: .node("lectern"), .player(.stop))
        for _ in 0..<100 {
            let broker = try BrokerThread(mqtt, nodes: nil, name: "test", logger: Logger(label: "test")) { _ in }
            let answer = Task { await broker.execute(command) }
            let end = Task { await broker.stop() }
            try broker.start()
            await end.value
            // Whether before or after the stop, the result is the same because no broker exists.
            guard case .notConnected = await answer.value else {
                Issue.record("another answer")
                return
            }
        }
    }
}
