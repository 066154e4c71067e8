internal import TimerEngine
internal import TimerProtocol

/// The subscriptions of one connection, and when those that the broker refused are tried again.
///
/// A member of a cluster may refuse a subscription for a while, such as during an election. The refusal of an access
/// list may end too, when somebody changes the list, so each filter is tried again for as long as it is refused.
struct SubscriptionRetries: Hashable, Sendable {
    private struct Refused: Hashable, Sendable {
        var backoff: Backoff
        var count = 0
        /// When it is tried again; nil while the broker has not answered the last try.
        var dueAt: Instant?
    }

    /// By filter.
    private var subscriptions: [String: Subscription] = [:]
    private var refused: [String: Refused] = [:]
    private let seed: UInt64

    /// - Parameter seed: for the jitter of the delays.
    init(seed: UInt64) { self.seed = seed }

    /// When ``consumeDue(at:)`` has something; nil for never.
    var nextInstant: Instant? { refused.values.compactMap(\.dueAt).min() }

    /// Whether there is a subscription that the broker refused and did not accept since.
    var hasRefused: Bool { !refused.isEmpty }

    /// Forgets all of an earlier connection.
    mutating func reset() {
        subscriptions = [:]
        refused = [:]
    }

    /// Takes note of what is subscribed to.
    mutating func add(_ new: [Subscription]) {
        for subscription in new { subscriptions[subscription.filter] = subscription }
    }

    /// The broker refused a subscription; returns how often in a row it did.
    mutating func refuse(_ filter: String, at now: Instant) -> Int {
        guard subscriptions[filter] != nil else { return 0 }
        // All filters share the seed, so that they are tried again together.
        var entry = refused[filter] ?? Refused(backoff: Backoff(seed: seed, shortestShare: 0.5))
        entry.count += 1
        entry.dueAt = now + entry.backoff.next()
        refused[filter] = entry
        return entry.count
    }

    /// The broker accepted a subscription that it had refused before.
    mutating func accept(_ filter: String) { refused[filter] = nil }

    /// The subscriptions that are to be tried again now.
    mutating func consumeDue(at now: Instant) -> [Subscription] {
        let due = refused.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys.sorted()
        for filter in due { refused[filter]?.dueAt = nil }
        return due.compactMap { subscriptions[$0] }
    }
}
