import BrokerLink
import NodeTestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite struct InMemoryConnectionTests {
    private static let now = Instant(sinceEpoch: .seconds(1))

    @Test("pushed events are reported at once, and only once")
    func push() {
        let connection = InMemoryConnection()
        #expect(connection.nextInstant == nil)
        connection.push(.connected)
        #expect(connection.nextInstant.map { $0 <= Self.now } == true)
        #expect(connection.takeEvents(ready: [], at: Self.now) == [.connected])
        #expect(connection.nextInstant == nil)
        #expect(connection.takeEvents(ready: [], at: Self.now).isEmpty)
    }

    @Test("calls are recorded in order")
    func calls() {
        let connection = InMemoryConnection()
        let publication = OutgoingMessage(topic: "timer/node/mode", text: "stopped")
        connection.subscribe([Subscription("timer/node/command/+")])
        connection.publish(publication)
        connection.disconnect(timeout: .seconds(1))
        #expect(connection.publications == [publication])
        #expect(
            connection.takeCalls() == [
                .subscribe([Subscription("timer/node/command/+")]), .publish(publication), .disconnect,
            ])
        #expect(connection.calls.isEmpty)
    }

    @Test("a dropped connection reports nothing more")
    func dropped() {
        let connection = InMemoryConnection()
        connection.push(.connected)
        connection.disconnect(timeout: .zero)
        #expect(connection.takeEvents(ready: [], at: Self.now).isEmpty)
    }
}
