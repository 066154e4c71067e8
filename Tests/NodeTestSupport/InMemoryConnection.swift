package import IoTNode
package import TimerEngine

/// A link to nowhere, for tests: it records what it is asked, and reports what it is told to.
package final class InMemoryConnection: MQTTConnection {
    /// What was asked, one call each.
    package enum Call: Hashable, Sendable {
        /// ``MQTTConnection/connect(_:)``.
        case connect(ConnectOptions)
        /// ``MQTTConnection/subscribe(_:)``.
        case subscribe([Subscription])
        /// ``MQTTConnection/publish(_:)``.
        case publish(OutgoingMessage)
        /// ``MQTTConnection/disconnect(patience:)``.
        case disconnect
    }

    /// All calls so far, in order.
    package private(set) var calls: [Call] = []
    private var pending: [ConnectionEvent] = []

    /// Makes one that nothing was asked of.
    package init() {}

    /// The publications among the calls.
    package var publications: [OutgoingMessage] {
        calls.compactMap { if case .publish(let message) = $0 { message } else { nil } }
    }

    /// Reports an event when the loop next looks, which is at once.
    package func push(_ event: ConnectionEvent) { pending.append(event) }

    /// What was asked since the last time, and forgets it.
    package func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Records the request; what was pushed for an earlier connection is dropped.
    package func connect(_ request: ConnectOptions) {
        pending = []
        calls.append(.connect(request))
    }

    /// Records the subscriptions.
    package func subscribe(_ subscriptions: [Subscription]) { calls.append(.subscribe(subscriptions)) }

    /// Records the publication.
    package func publish(_ message: OutgoingMessage) { calls.append(.publish(message)) }

    /// Nothing: messages have no packets here.
    package func collect() {}

    /// Nothing.
    package func flush() {}

    /// Records the call; what was pushed is dropped.
    package func disconnect(patience: Duration) {
        pending = []
        calls.append(.disconnect)
    }

    /// Nothing.
    package var interests: [Interest] { [] }

    /// At once while something is pushed.
    package var nextInstant: TimerEngine.Instant? {
        pending.isEmpty ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// What was pushed.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending.map(NodeEvent.connection)
    }
}
