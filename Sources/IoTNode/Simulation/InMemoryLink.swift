public import TimerEngine

/// A link to nowhere, for tests: it records what it is asked, and reports what it is told to.
public final class InMemoryConnection: MQTTConnection {
    /// What was asked, one call each.
    public enum Call: Hashable, Sendable {
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
    public private(set) var calls: [Call] = []
    private var pending: [ConnectionEvent] = []

    /// Makes one that nothing was asked of.
    public init() {}

    /// The publications among the calls.
    public var publications: [OutgoingMessage] {
        calls.compactMap { if case .publish(let message) = $0 { message } else { nil } }
    }

    /// Reports an event when the loop next looks, which is at once.
    public func push(_ event: ConnectionEvent) { pending.append(event) }

    /// What was asked since the last time, and forgets it.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Records the request; what was pushed for an earlier connection is dropped.
    public func connect(_ request: ConnectOptions) {
        pending = []
        calls.append(.connect(request))
    }

    /// Records the subscriptions.
    public func subscribe(_ subscriptions: [Subscription]) { calls.append(.subscribe(subscriptions)) }

    /// Records the publication.
    public func publish(_ message: OutgoingMessage) { calls.append(.publish(message)) }

    /// Nothing: messages have no packets here.
    public func collect() {}

    /// Nothing.
    public func flush() {}

    /// Records the call; what was pushed is dropped.
    public func disconnect(patience: Duration) {
        pending = []
        calls.append(.disconnect)
    }

    /// Nothing.
    public var interests: [Interest] { [] }

    /// At once while something is pushed.
    public var nextInstant: TimerEngine.Instant? {
        pending.isEmpty ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// What was pushed.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending.map(NodeEvent.connection)
    }
}
