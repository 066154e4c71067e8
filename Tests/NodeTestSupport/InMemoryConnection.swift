package import BrokerLink
internal import IoTNode
package import TimerEngine

/// A connection without a broker: it records all calls, and reports the events that a test pushes.
package final class InMemoryConnection: MQTTConnection {
    /// A recorded call.
    package enum Call: Hashable, Sendable {
        case connect(ConnectOptions)
        case subscribe([Subscription])
        case publish(OutgoingMessage)
        case disconnect
    }

    /// All calls so far, in order.
    package private(set) var calls: [Call] = []
    /// Called after each call to ``disconnect(timeout:)`` or ``publish(_:)``.
    package var onPublish: (OutgoingMessage) -> Void = { _ in }
    package var onDisconnect: (Duration) -> Void = { _ in }
    /// Whether ``ConnectionEvent/connected`` was the last reported change in the connection.
    package private(set) var isConnected = false
    /// The subscriptions of the current connection.
    package private(set) var subscriptions: [Subscription] = []
    /// The messages published while connected.
    package private(set) var delivered: [OutgoingMessage] = []
    private var pending: [ConnectionEvent] = []
    /// The number of dropped messages that have not been reported yet.
    private var droppedCount = 0

    package init() {}

    /// The messages passed to ``publish(_:)``, with or without a connection.
    package var publications: [OutgoingMessage] {
        calls.compactMap { if case .publish(let message) = $0 { message } else { nil } }
    }

    /// Reports an event at the next iteration of the loop, which follows at once.
    package func push(_ event: ConnectionEvent) { pending.append(event) }

    /// Returns the calls since the last time, and discards them.
    package func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Records the call, and drops the pending events of an earlier connection.
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

    /// Does nothing, because messages are not sent in packets here.
    package func collect() {}

    package func flush() {}

    /// Records the call, and drops all pending events.
    package func disconnect(timeout: Duration) {
        end()
        calls.append(.disconnect)
        onDisconnect(timeout)
    }

    package var interests: [Interest] { [] }

    /// An instant in the past while events are pending or dropped messages are unreported; otherwise nil.
    package var nextInstant: Instant? {
        pending.isEmpty && droppedCount == 0 ? nil : Instant(sinceEpoch: .zero)
    }

    /// Returns the number of dropped messages, followed by the pushed events.
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
