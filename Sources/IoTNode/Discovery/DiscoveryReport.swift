internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The announcement to Home Assistant: what it contains and when it is published.
struct DiscoveryReport: Sendable {
    /// The part of the announcement that does not depend on the configuration.
    private struct Subject: Equatable {
        /// The selectable timers.
        var selectors: [String]
        var parts: OptionalParts
    }

    /// The form in which the node was last announced, possibly by an earlier process; nil if it has never been
    /// announced.
    private(set) var announced: Encoded<AnnouncedDevice>?
    private var settings: NodeConfiguration.Discovery?
    private var device: HomeAssistantDevice
    /// The content that was last announced; nil if the announcement must be published.
    private var subject: Subject?
    /// The messages that were published since the last reset.
    private var published: Set<OutgoingMessage> = []
    /// When the announcement is published again because the broker refused it; nil for never.
    private var repeatAt: Instant?
    private var repeatLimit = RepeatLimit()
    /// The topics whose messages the broker refused.
    private var refusedTopics: Set<String> = []
    /// Limited because any client can claim that Home Assistant has come online.
    private var births = TokenBucket(rate: 0.1, burst: 5)

    init(_ configuration: NodeConfiguration) {
        settings = configuration.mqtt?.discovery
        device = HomeAssistantDevice(configuration)
    }

    /// Resumes from the announcement of an earlier process, unless that process was a different node. That node may
    /// still exist, and this one may be running on a copy of its state.
    mutating func restore(_ announced: Encoded<AnnouncedDevice>?, into batch: inout EffectBatch) {
        guard let announced else { return }
        let node = announced.value.node
        if node == device.identity.id { return self.announced = announced }
        batch.log(
            .warning,
            "the saved state belongs to node \(node), which is still announced to Home Assistant; if that node "
                + "no longer exists, run timer-node nodes --forget \(node)")
    }

    /// Uses a new configuration for the next announcement.
    mutating func reconfigure(_ configuration: NodeConfiguration) {
        settings = configuration.mqtt?.discovery
        let commandsExpire = device.commandsExpire
        device = HomeAssistantDevice(configuration)
        device.commandsExpire = commandsExpire
        repeatAll()
    }

    /// Schedules the whole announcement for a new connection. Home Assistant uses MQTT 5 whenever the broker supports
    /// it.
    mutating func connected(_ version: MQTTVersion) {
        device.commandsExpire = version == .v5
        repeatAll()
    }

    /// Publishes the announcement again even though nothing in it has changed.
    mutating func repeatAll() {
        subject = nil
        published = []
    }

    /// When ``repeatIfDue(at:)`` must be called; nil for never.
    var nextInstant: Instant? { repeatAt }

    /// Schedules a retry after the broker temporarily refused a message of the announcement.
    mutating func refused(_ topic: String, at now: Instant) {
        refusedTopics.insert(topic)
        repeatAt = max(repeatLimit.earliest(after: now), now + RetainedTopics.refusalDelay)
    }

    /// Publishes a refused announcement again once its retry is due; returns whether it was due.
    mutating func repeatIfDue(at now: Instant) -> Bool {
        guard let due = repeatAt, due <= now else { return false }
        repeatAt = nil
        repeatLimit.note(at: now)
        repeatAll()
        return true
    }

    /// Cancels retries, because everything is published at the next connection.
    mutating func disconnected() {
        repeatAt = nil
        refusedTopics = []
    }

    /// The topic on which Home Assistant publishes that it came online; nil if the node is not announced.
    var birthTopic: String? {
        guard let settings, settings.style != .none else { return nil }
        return "\(settings.prefix)/status"
    }

    /// Whether a message reports that Home Assistant has just come online.
    mutating func isBirth(_ message: IncomingMessage, at now: Instant) -> Bool {
        guard message.topic == birthTopic, !message.retained else { return false }
        return message.payload.elementsEqual("online".utf8) && births.consume(at: now)
    }

    /// Whether a topic is under the discovery prefix, where the node may publish whatever it announces.
    func has(_ topic: String) -> Bool {
        // MQTT compares bytes.
        settings.map { topic.utf8.starts(with: "\($0.prefix)/".utf8) } ?? false
    }

    /// Whether the node or one of its entities may be announced on a topic.
    func isAnnouncement(_ topic: String) -> Bool { has(topic) && topic.hasSuffix("/config") }

    /// Announces the node if that has not been done yet or if its timers or its parts have changed.
    ///
    /// - Parameter parts: the optional parts of the node.
    /// - Returns: whether anything was published. Home Assistant does not read the retained state again by itself.
    mutating func update(_ model: TimerModel, with parts: OptionalParts, into batch: inout EffectBatch) -> Bool {
        let timers = model.paths.map { (path: $0, selector: model.selector(of: $0)) }
        guard subject.update(to: Subject(selectors: timers.map(\.selector), parts: parts)) else {
            return false
        }
        let entities = device.entities(timers: timers, with: parts)
        let new = settings.flatMap { settings in
            settings.style == .none
                ? nil
                : AnnouncedDevice(
                    prefix: settings.prefix, node: device.identity.id, style: settings.style,
                    entities: entities.map(AnnouncedDevice.Place.init))
        }
        let announcement = announcing(new, entities)
        // The current announcement does not show that a removal was refused.
        let left = refusedTopics.subtracting(new?.topics ?? []).sorted().map { OutgoingMessage.discovery($0, []) }
        refusedTopics = []
        let messages = takingBack(for: new, entities) + left + announcement.filter { !published.contains($0) }
        published = Set(announcement)
        if announced?.value != new { announced = new.map(Encoded.init) }
        batch.discovery += messages.map(NodeEffect.publish)
        return !messages.isEmpty
    }

    private func announcing(_ new: AnnouncedDevice?, _ entities: [Entity]) -> [OutgoingMessage] {
        guard let new else { return [] }
        switch new.style {
        case .device: return [.discovery(new.deviceTopic, device.payload(for: entities))]
        case .component:
            return entities.map { .discovery(new.topic(of: AnnouncedDevice.Place($0)), device.payload(for: $0)) }
        case .none: return []
        }
    }

    /// Returns the messages that remove entities that no longer exist, and migrate the remaining ones if the style
    /// changed.
    private func takingBack(for new: AnnouncedDevice?, _ entities: [Entity]) -> [OutgoingMessage] {
        guard let old = announced?.value else { return [] }
        let isSameDevice = old.prefix == new?.prefix && old.node == new?.node
        let stays = Set(isSameDevice ? new?.entities ?? [] : [])
        let gone = old.entities.filter { !stays.contains($0) }
        var messages: [OutgoingMessage] = []
        switch old.style {
        case _ where stays.isEmpty: return old.topics.map { .discovery($0, []) }
        case .component: messages = gone.map { .discovery(old.topic(of: $0), []) }
        case .device where !gone.isEmpty:
            // This message is not retained, so no later message can replace it before it is sent.
            messages = [OutgoingMessage(topic: old.deviceTopic, payload: device.payload(for: entities, removing: gone))]
        case .device, .none: break
        }
        guard old.style != new?.style else { return messages }
        // After this message, Home Assistant keeps the entities with their names and ids when their old topics are
        // emptied.
        let left = old.style == .device ? [old.deviceTopic] : old.entities.filter(stays.contains).map(old.topic)
        let migrate = JSON.object([.init(key: "migrate_discovery", value: true)]).bytes
        messages += left.map { OutgoingMessage(topic: $0, payload: migrate) }
        return messages + left.map { .discovery($0, []) }
    }
}

extension OutgoingMessage {
    /// Returns a retained message of the announcement; an empty one removes an earlier one.
    fileprivate static func discovery(_ topic: String, _ payload: [UInt8]) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: payload, retain: true)
    }
}
