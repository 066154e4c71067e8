public import TimerEngine

/// A link to nowhere, for tests: it records what it is asked, and reports what it is told to.
public final class InMemoryLink: Link {
    /// What was asked, one call each.
    public enum Call: Hashable, Sendable {
        /// ``Link/connect(_:)``.
        case connect(LinkRequest)
        /// ``Link/subscribe(_:)``.
        case subscribe([String])
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

    public func connect(_ request: LinkRequest) {
        // What there was is dropped without a word.
        pending = []
        calls.append(.connect(request))
    }

    public func subscribe(_ filters: [String]) { calls.append(.subscribe(filters)) }

    public func publish(_ publication: Publication) { calls.append(.publish(publication)) }

    public func disconnect(patience: Duration) {
        pending = []
        calls.append(.disconnect)
    }

    public var interests: [Interest] { [] }

    public var nextInstant: TimerEngine.Instant? {
        pending.isEmpty ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending.map(NodeEvent.link)
    }
}
