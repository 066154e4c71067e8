internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The node's own retained topics: the value last published on each, and the topics that must be published again.
///
/// Other sources may overwrite these topics: a broker that is late to publish the will of an earlier connection, a
/// bridge or a healed partition that delivers an old value, or another node with the same id. A broker may also refuse
/// messages temporarily.
struct RetainedTopics: Sendable {
    /// How long the broker may still echo a value after it was replaced. Brokers without No Local echo everything that
    /// the node publishes, and a bridge may do so too.
    static let echoTime: Duration = .seconds(2)
    /// The minimum time before a refused message is published again.
    static let refusalDelay: Duration = .seconds(1)
    /// After this many corrections in a row, the node assumes that another client keeps publishing different values.
    private static let conflictThreshold = 3
    /// How many replaced values of a topic are remembered.
    private static let maximumReplaced = 64

    private struct Topic: Sendable {
        /// The value that was last published on this connection; nil before the first one.
        var newest: OutgoingMessage.Content?
        /// The values published before that, each with the time until which its echo may arrive.
        var replaced: [(content: OutgoingMessage.Content, until: Instant)] = []
        /// When the topic must be published again; nil while its value is correct.
        var dueAt: Instant?
        var isRefused = false
        var corrections = RepeatLimit()
        var refusals = RepeatLimit()

        mutating func published(_ content: OutgoingMessage.Content, at now: Instant) {
            replaced.removeAll { $0.until < now }
            if let before = newest, before != content {
                if replaced.count == RetainedTopics.maximumReplaced { replaced.removeFirst() }
                replaced.append((before, now + RetainedTopics.echoTime))
            }
            newest = content
            dueAt = nil
        }
    }

    private var topics: [TopicKind: Topic] = [:]
    /// Whether a warning about a client that keeps publishing has been logged since the last long pause.
    private var hasWarned = false

    /// When ``consumeDue(at:)`` will next return a topic; nil for never.
    var nextInstant: Instant? { topics.values.compactMap(\.dueAt).min() }

    /// Forgets the values published on an earlier connection, but not how many times they were corrected.
    mutating func reset() {
        for kind in topics.keys {
            topics[kind]?.newest = nil
            topics[kind]?.replaced = []
            topics[kind]?.dueAt = nil
        }
    }

    /// Records a published value.
    mutating func published(_ content: OutgoingMessage.Content, on kind: TopicKind, at now: Instant) {
        // The topic is changed in place, because copying it would also copy all replaced values.
        topics[kind, default: Topic()].published(content, at: now)
    }

    /// The meaning of a message on one of the topics.
    enum Finding: Hashable {
        /// The message has the node's value, or the node has not published one yet.
        case right
        /// The message has a different value, so the node publishes its own again.
        case wrong(News?)
    }

    /// How to log a wrong value.
    enum News: Hashable {
        /// The value is the first wrong one for a while.
        case first
        /// Wrong values keep arriving. This is logged once for all topics.
        case conflictThreshold
    }

    /// Compares a message on a topic with the value that the node published there.
    mutating func receive(_ payload: [UInt8], on kind: TopicKind, at now: Instant) -> Finding {
        guard var topic = topics[kind], topic.newest != nil else { return .right }
        defer { topics[kind] = topic }
        topic.newest?.encode()
        guard topic.newest != .bytes(payload) else {
            topic.dueAt = nil
            return .right
        }
        topic.replaced.removeAll { $0.until < now }
        let echoed = topic.replaced.indices.first { place in
            topic.replaced[place].content.encode()
            return topic.replaced[place].content == .bytes(payload)
        }
        if let place = echoed {
            // Echoes arrive in publishing order, possibly one for each matching subscription.
            topic.replaced.removeSubrange(..<place)
            // If no further message arrives on the topic, this one was not an echo: another client restored the old
            // value.
            topic.dueAt = topic.dueAt ?? max(now + Self.echoTime, topic.corrections.earliest(after: now))
            return .right
        }
        let isFirst = topic.dueAt == nil
        topic.isRefused = false
        topic.dueAt = topic.corrections.earliest(after: now)
        let count = topic.corrections.count(at: now)
        guard isFirst else { return .wrong(nil) }
        if topics.values.allSatisfy({ $0.corrections.count(at: now) == 0 }) { hasWarned = false }
        guard count >= Self.conflictThreshold, !hasWarned else { return .wrong(count == 0 ? .first : nil) }
        hasWarned = true
        return .wrong(.conflictThreshold)
    }

    /// Whether the topic has been emptied.
    func isEmptied(_ kind: TopicKind) -> Bool { topics[kind]?.newest == .bytes([]) }

    /// Schedules a topic to be published again, because other clients may have changed it without the node noticing.
    mutating func scheduleRepublish(_ kind: TopicKind, at now: Instant) {
        guard var topic = topics[kind], topic.newest != nil else { return }
        topic.isRefused = false
        topic.dueAt = topic.corrections.earliest(after: now)
        topics[kind] = topic
    }

    /// Schedules a topic to be published again after the broker refused its message.
    mutating func refused(_ kind: TopicKind, at now: Instant) {
        guard var topic = topics[kind], topic.newest != nil else { return }
        topic.isRefused = true
        topic.dueAt = max(topic.refusals.earliest(after: now), now + Self.refusalDelay)
        topics[kind] = topic
    }

    /// Returns the topics that must be published again now, in the order of their kinds.
    mutating func consumeDue(at now: Instant) -> [TopicKind] {
        let due = TopicKind.allCases.filter { topics[$0]?.dueAt.map { $0 <= now } ?? false }
        for kind in due {
            guard var topic = topics[kind] else { continue }
            topic.dueAt = nil
            if topic.isRefused { topic.refusals.note(at: now) } else { topic.corrections.note(at: now) }
            topic.isRefused = false
            topics[kind] = topic
        }
        return due
    }
}

/// Limits the rate of a repeated action: at first at most once a second, then less and less often, down to once a
/// minute.
struct RepeatLimit: Hashable, Sendable {
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)
    /// After a pause of this length, the count starts again.
    private static let pause: Duration = .seconds(120)

    private var count = 0
    private var lastAt: Instant?

    /// Returns how many times the action has been repeated without a long pause.
    func count(at now: Instant) -> Int {
        guard let lastAt, lastAt + Self.pause > now else { return 0 }
        return count
    }

    /// Returns when the action may be repeated.
    func earliest(after now: Instant) -> Instant {
        let count = count(at: now)
        guard count > 0, let lastAt else { return now }
        return max(now, lastAt + min(Self.longest, Self.shortest * (1 << min(count - 1, 6))))
    }

    /// Records that the action is performed now.
    mutating func note(at now: Instant) {
        count = count(at: now) + 1
        lastAt = now
    }
}

/// Keeps the node's retained topics correct even if other clients publish on them.
extension Reports {
    /// The subscriptions to the node's own retained topics, used to detect messages that other clients publish there
    /// from now on.
    var subscriptions: [Subscription] {
        TopicKind.allCases.filter(\.isRetained).map {
            Subscription(topics[$0], noLocal: true)
        }
    }

    /// Compares a message on one of the node's own topics with the value that the node published there.
    mutating func receiveOwn(_ message: IncomingMessage, into batch: inout EffectBatch) {
        // A message that the broker retained is older than any published on this connection.
        guard !message.retained, let kind = topics.retainedKind(of: message.topic) else { return }
        switch retained.receive(message.payload, on: kind, at: batch.now.instant) {
        case .right, .wrong(nil): break
        case .wrong(.first): batch.log(.info, "another client overwrote \(message.topic); republishing")
        case .wrong(.conflictThreshold):
            batch.log(
                .warning,
                "another client keeps publishing on \(message.topic); is there another node with the id "
                    + "\(topics.node)?")
        }
    }

    /// Whether a filter is one of ``subscriptions``.
    func isOwn(_ filter: String) -> Bool { topics.retainedKind(of: filter) != nil }

    /// Handles a subscription that the broker accepted after refusing it. The node missed any messages that other
    /// clients published meanwhile, so it publishes its value again.
    mutating func resubscribed(_ filter: String, at now: Instant) {
        if let kind = topics.retainedKind(of: filter) { retained.scheduleRepublish(kind, at: now) }
    }

    /// Handles a retained message that the broker refused. The newest value is published again later.
    ///
    /// A refusal by an access list ends when the list is edited, and the node's own topics must be right from then on.
    /// An announcement is often forbidden on purpose.
    mutating func repeatRefused(_ rejection: Rejection, at now: Instant) {
        guard rejection.isTemporary || rejection.isNotAuthorized else { return }
        if let kind = topics.retainedKind(of: rejection.topic) {
            retained.refused(kind, at: now)
        } else if rejection.isTemporary, discovery.isAnnouncement(rejection.topic) {
            discovery.refused(rejection.topic, at: now)
        }
    }
}
