package import BrokerLink
internal import IoTNode
package import TimerEngine

/// A connection to nowhere: it records what it is asked, and reports what it is told to.
package final class InMemoryConnection: MQTTConnection {
    /// What was asked, one call each.
    package enum Call: Hashable, Sendable {
        case connect(ConnectOptions)
        case subscribe([Subscription])
        case publish(OutgoingMessage)
        case disconnect
    }

    /// All calls so far, in order.
    package private(set) var calls: [Call] = []
    /// Called after each call of ``disconnect(patience:)`` and ``publish(_:)``.
    package var onPublish: (OutgoingMessage) -> Void = { _ in }
    package var onDisconnect: (Duration) -> Void = { _ in }
    /// Whether ``ConnectionEvent/connected`` was the last that was reported of the connection.
    package private(set) var isConnected = false
    /// What this connection subscribed to.
    package private(set) var subscriptions: [Subscription] = []
    /// What was published while there was a connection.
    package private(set) var delivered: [OutgoingMessage] = []
    private var pending: [ConnectionEvent] = []
    /// How many messages were dropped and not yet reported.
    private var droppedCount = 0

    package init() {}

    /// The messages that were to be published.
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

    /// What was pushed for an earlier connection is dropped.
    package func connect(_ request: ConnectOptions) {
        end()
        calls.append(.connect(request))
    }

    package func subscribe(_ subscriptions: [Subscription]) {
        calls.append(.subscribe(subscriptions))
        if isConnected { self.subscriptions += subscriptions }
    }

    package func publish(_ message: OutgoingMessage) {
        calls.append(.publish(message))
        if isConnected { delivered.append(message) } else if !message.retain { droppedCount += 1 }
        onPublish(message)
    }

    /// Does nothing: messages have no packets here.
    package func collect() {}

    package func flush() {}

    /// What was pushed is dropped.
    package func disconnect(patience: Duration) {
        end()
        calls.append(.disconnect)
        onDisconnect(patience)
    }

    package var interests: [Interest] { [] }

    /// At once while something is pushed, or was dropped.
    package var nextInstant: Instant? {
        pending.isEmpty && droppedCount == 0 ? nil : Instant(sinceEpoch: .zero)
    }

    /// What was dropped, and then what was pushed.
    package func takeEvents(ready: [Interest], at now: Instant) -> [ConnectionEvent] {
        var events = pending
        pending = []
        for event in events {
            if case .connected = event { isConnected = true }
            if case .lost = event { end() }
        }
        if droppedCount > 0 { events.insert(.dropped(droppedCount), at: 0) }
        droppedCount = 0
        return events
    }

    private func end() {
        pending = []
        isConnected = false
        subscriptions = []
    }
}
