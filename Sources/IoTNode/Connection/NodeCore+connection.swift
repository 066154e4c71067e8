internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// Handling connection events.
extension NodeCore {
    /// Handles a connection event.
    mutating func hear(_ event: ConnectionEvent, into batch: inout EffectBatch) {
        switch event {
        case .connected:
            guard let (broker, version) = connection.connected(into: &batch) else { return }
            remotes.connected()
            mirrors.connected()
            follower?.connected(at: batch.now.instant)
            let own = reports.subscriptions.filter { !remotes.subscribes(to: $0.filter) }
            connection.subscribe(to: subscriptions, late: own, into: &batch)
            reports.connected(to: broker, version, into: &batch)
        case .lost(let error):
            reports.keepResponses(in: &batch)
            reports.disconnected()
            follower?.disconnected()
            connection.lost(error, into: &batch)
        case .accepted(let filter):
            guard reports.isConnected else { return }
            connection.accepted(filter, into: &batch)
            reports.resubscribed(filter, at: batch.now.instant)
        case .rejected(let rejection): retry(after: rejection, into: &batch)
        case .tooLarge(let topic, let bytes, let limit):
            reports.health.drop()
            connection.tooLarge(topic, bytes, limit: limit, into: &batch)
        case .leftOut(let topic, let bytes, let limit):
            connection.leftOut(topic, bytes, limit: limit, into: &batch)
        case .dropped(let count):
            reports.health.drop(count)
            mirrors.dropped(at: batch.now.instant)
        case .message(let message): receive(message, into: &batch)
        }
    }

    /// Schedules a retry of a refused request, or leaves the broker.
    private mutating func retry(after rejection: Rejection, into batch: inout EffectBatch) {
        // The node may have left this connection at the same moment.
        guard reports.isConnected else { return }
        let now = batch.now.instant
        switch rejection.subject {
        case .subscription(let filter):
            connection.rejected(rejection, of: reports.isOwn(filter) ? .ownTopics : nil, into: &batch)
            let isCommand = reports.topics.commandFilters.contains(filter)
            guard connection.retry(filter, after: rejection, isCommand: isCommand, at: now) else { return }
            reports.leaveBroker(into: &batch)
            follower?.disconnected()
            connection.leave(because: rejection, into: &batch)
        case .publication(let topic, let isRetained):
            let isAnnouncement = reports.discovery.isAnnouncement(topic)
            connection.rejected(rejection, of: isAnnouncement ? .announcement : nil, into: &batch)
            if isRetained { reports.repeatRefused(rejection, at: now) }
        }
    }

    private var subscriptions: [Subscription] {
        // Retained commands are refused, so their retain flag must be visible. Other devices may set it as they like.
        var subscriptions = reports.topics.commandFilters.map { Subscription($0, retainAsPublished: true) }
        subscriptions += remotes.subscriptions
        subscriptions += follower?.subscriptions ?? []
        if let topic = reports.discovery.birthTopic, !remotes.subscribes(to: topic) {
            subscriptions.append(Subscription(topic))
        }
        return subscriptions
    }
}
