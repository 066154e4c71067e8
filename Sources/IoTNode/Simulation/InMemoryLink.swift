public import TimerEngine

/// A link to nowhere, for tests: it records what it is asked, and reports what it is told to.
public final class InMemoryLink: Link {
    /// What was asked, one call each.
    public enum Call: Hashable, Sendable {
        /// ``Link/connect(_:)``.
        case connect(LinkRequest)
        /// ``Link/subscribe(_:)``.
        case subscribe([Subscription])
        /// ``Link/publish(_:)``.
        case publish(Publication)
        /// ``Link/disconnect(patience:)``.
        case disconnect
    }

    /// All calls so far, in order.
    public private(set) var calls: [Call] = []
    private var pending: [LinkEvent] = []

    /// Makes one that nothing was asked of.
    public init() {}

    /// The publications among the calls.
    public var publications: [Publication] {
        calls.compactMap { if case .publish(let publication) = $0 { publication } else { nil } }
    }

    /// Reports an event when the loop next looks, which is at once.
    public func push(_ event: LinkEvent) { pending.append(event) }

    /// What was asked since the last time, and forgets it.
    public func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Records the request; what was pushed for an earlier connection is dropped.
    public func connect(_ request: LinkRequest) {
        pending = []
        calls.append(.connect(request))
    }

    /// Records the subscriptions.
    public func subscribe(_ subscriptions: [Subscription]) { calls.append(.subscribe(subscriptions)) }

    /// Records the publication.
    public func publish(_ publication: Publication) { calls.append(.publish(publication)) }

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
        return pending.map(NodeEvent.link)
    }
}
