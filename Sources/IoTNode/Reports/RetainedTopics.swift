internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The node's own retained topics: what the broker was told last on each, and which are to be published again.
///
/// Others may write these topics too: the will of an earlier connection that a broker publishes late, a bridge or a
/// healed partition that brings an old value, another node with the same id. And a broker may refuse a message for a
/// while.
struct RetainedTopics: Sendable {
    /// How long after a value was replaced the broker may still send an echo of it. Brokers without No Local send back all
    /// that the node publishes, and a bridge may do so too.
    static let echoTime: Duration = .seconds(2)
    /// A message that the broker refused is published again after this time at the earliest.
    static let refusalDelay: Duration = .seconds(1)
    /// From this correction in a row on, somebody insists on other values.
    private static let insistence = 3
    /// How many replaced values of a topic are remembered.
    private static let maximumReplaced = 64

    private struct Topic: Sendable {
        /// What was published last on this connection; nil for nothing.
        var newest: OutgoingMessage.Content?
        /// What was published before it, and until when an echo of it may come.
        var replaced: [(content: OutgoingMessage.Content, until: Instant)] = []
        /// When it is to be published again; nil while it is right.
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
    /// Whether it was told that somebody insists on other values, since the last long pause.
    private var hasWarned = false

    /// When ``consumeDue(at:)`` has something; nil for never.
    var nextInstant: Instant? { topics.values.compactMap(\.dueAt).min() }

    /// Forgets what was published on an earlier connection, but not how often that had to be corrected.
    mutating func reset() {
        for kind in topics.keys {
            topics[kind]?.newest = nil
            topics[kind]?.replaced = []
            topics[kind]?.dueAt = nil
        }
    }

    /// Takes note of what is published.
    mutating func published(_ content: OutgoingMessage.Content, on kind: TopicKind, at now: Instant) {
        // In place: a copy of a topic would be one of all that was replaced.
        topics[kind, default: Topic()].published(content, at: now)
    }

    /// What a message on one of the topics means.
    enum Finding: Hashable {
        /// It says what the node said, or the node has said nothing yet.
        case right
        /// It says something else, so that the node publishes again.
        case wrong(News?)
    }

    /// What of it is worth a log line.
    enum News: Hashable {
        /// It has not happened for a while.
        case first
        /// It happens again and again; that is said once for all topics.
        case insistence
    }

    /// Compares what came on a topic with what the node published there.
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
            // Echoes come in the order of publishing, and perhaps one for each subscription that matches.
            topic.replaced.removeSubrange(..<place)
            // If this is the last that is heard of the topic, it is no echo: somebody has put the old value back.
            topic.dueAt = topic.dueAt ?? max(now + Self.echoTime, topic.corrections.earliest(after: now))
            return .right
        }
        let isFirst = topic.dueAt == nil
        topic.isRefused = false
        topic.dueAt = topic.corrections.earliest(after: now)
        let count = topic.corrections.count(at: now)
        guard isFirst else { return .wrong(nil) }
        if topics.values.allSatisfy({ $0.corrections.count(at: now) == 0 }) { hasWarned = false }
        guard count >= Self.insistence, !hasWarned else { return .wrong(count == 0 ? .first : nil) }
        hasWarned = true
        return .wrong(.insistence)
    }

    /// Whether the topic was emptied.
    func isEmptied(_ kind: TopicKind) -> Bool { topics[kind]?.newest == .bytes([]) }

    /// Somebody may have published something else on a topic without being heard.
    mutating func scheduleRepublish(_ kind: TopicKind, at now: Instant) {
        guard var topic = topics[kind], topic.newest != nil else { return }
        topic.isRefused = false
        topic.dueAt = topic.corrections.earliest(after: now)
        topics[kind] = topic
    }

    /// The broker refused what was published on a topic.
    mutating func refused(_ kind: TopicKind, at now: Instant) {
        guard var topic = topics[kind], topic.newest != nil else { return }
        topic.isRefused = true
        topic.dueAt = max(topic.refusals.earliest(after: now), now + Self.refusalDelay)
        topics[kind] = topic
    }

    /// The topics that are to be published again now.
    mutating func consumeDue(at now: Instant) -> Set<TopicKind> {
        let due = Set(topics.filter { $0.value.dueAt.map { $0 <= now } ?? false }.keys)
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

/// Limits how often something is done again: once a second at most, and up to once a minute if it goes on and on.
struct RepeatLimit: Hashable, Sendable {
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)
    /// After a pause like this it begins anew.
    private static let pause: Duration = .seconds(120)

    private var count = 0
    private var lastAt: Instant?

    /// How often it was done without a long pause.
    func count(at now: Instant) -> Int {
        guard let lastAt, lastAt + Self.pause > now else { return 0 }
        return count
    }

    /// When it may be done again.
    func earliest(after now: Instant) -> Instant {
        let count = count(at: now)
        guard count > 0, let lastAt else { return now }
        return max(now, lastAt + min(Self.longest, Self.shortest * (1 << min(count - 1, 6))))
    }

    /// It is done now.
    mutating func note(at now: Instant) {
        count = count(at: now) + 1
        lastAt = now
    }
}

/// What the node's retained topics say stays true, whoever else writes them.
extension Reports {
    /// What the node hears of its own retained topics: what others publish there from now on.
    var subscriptions: [Subscription] {
        TopicKind.allCases.filter(\.isRetained).map {
            Subscription(topics[$0], noLocal: true)
        }
    }

    /// Compares what came on one of the node's own topics with what it published there.
    mutating func receiveOwn(_ message: IncomingMessage, into batch: inout EffectBatch) {
        // What the broker kept from before was there before this connection's own messages.
        guard !message.retained, let kind = topics.retainedKind(of: message.topic) else { return }
        switch retained.receive(message.payload, on: kind, at: batch.now.instant) {
        case .right, .wrong(nil): break
        case .wrong(.first): batch.log(.info, "another client overwrote \(message.topic); republishing")
        case .wrong(.insistence):
            batch.log(
                .warning,
                "somebody else publishes on \(message.topic) again and again; is there another node with the id "
                    + "\(topics.node)?")
        }
    }

    /// Whether a filter is one of ``subscriptions``.
    func isOwn(_ filter: String) -> Bool { topics.retainedKind(of: filter) != nil }

    /// The broker accepted a subscription that it had refused. What others published meanwhile was not heard, so that what
    /// is true is published again.
    mutating func hearsAgain(_ filter: String, at now: Instant) {
        if let kind = topics.retainedKind(of: filter) { retained.scheduleRepublish(kind, at: now) }
    }

    /// The broker refused a retained message for now; the newest one is published again later.
    mutating func repeatRefused(_ topic: String, at now: Instant) {
        if let kind = topics.retainedKind(of: topic) {
            retained.refused(kind, at: now)
        } else if discovery.isAnnouncement(topic) {
            discovery.refused(topic, at: now)
        }
    }
}
