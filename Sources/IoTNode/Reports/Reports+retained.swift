internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

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
        case .wrong(.first): batch.log(.info, "somebody else published on \(message.topic), which is put right")
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
        if let kind = topics.retainedKind(of: filter) { retained.doubt(kind, at: now) }
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
