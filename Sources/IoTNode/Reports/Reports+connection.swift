internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

extension Reports {
    /// Prepares for a new connection, on which every retained topic is published once.
    mutating func connected(to broker: Broker, _ version: MQTTVersion, into batch: inout EffectBatch) {
        self.broker = broker
        formerTopics = nil
        health.connected(at: batch.now.instant)
        published = Published()
        discovery.connected(version)
        batch.connection.append(retain(.availability(.online), on: .availability, at: batch.now.instant))
        batch.responses += waitingResponses
        waitingResponses = []
    }

    mutating func disconnected() {
        published = nil
        retained.reset()
        discovery.disconnected()
    }

    /// Says goodbye to a broker; later messages are published to the next one.
    mutating func leaveBroker(into batch: inout EffectBatch) {
        keepResponses(in: &batch)
        if published != nil { batch.connection.append(.publish(will)) }
        disconnected()
    }

    /// Says goodbye on the old topics; later messages are published on the new ones.
    mutating func reconfigure(_ configuration: NodeConfiguration, into batch: inout EffectBatch) {
        leaveBroker(into: &batch)
        retained = RetainedTopics()
        formerTopics = topics
        topics = Topics(configuration)
        discovery.reconfigure(configuration)
        tickEvery = Int(configuration.mqtt?.tickEvery.components.seconds ?? 0)
        health.name = configuration.node.name
        health.interval = configuration.mqtt?.healthInterval ?? .zero
    }

    /// Says goodbye because the node is shutting down. Nothing is published afterwards.
    mutating func leave(into batch: inout EffectBatch) {
        if published != nil { batch.responses.append(.publish(will)) }
        disconnected()
    }

    /// Publishes everything again at a client's request.
    mutating func repeatAll(into batch: inout EffectBatch) {
        guard let before = published else { return }
        let now = batch.now.instant
        batch.connection.append(retain(.availability(.online), on: .availability, at: now))
        published = Published(talks: before.talks.emptied)
        health.ask(at: now)
    }

    /// Announces the node and publishes everything again because Home Assistant has come online.
    mutating func announceAgain(into batch: inout EffectBatch) {
        guard published != nil else { return }
        discovery.repeatAll()
        repeatAll(into: &batch)
        // Home Assistant may have missed that the message is no longer shown.
        published?.talks.message = nil
    }

    /// Announces the node to Home Assistant again, as the new configuration describes it, and reports its name.
    mutating func deviceChanged(to configuration: NodeConfiguration, at now: Instant) {
        discovery.reconfigure(configuration)
        health.name = configuration.node.name
        health.ask(at: now)
        published?.timers = nil
    }

    /// Schedules the state to be published, because its times changed although nothing else did.
    mutating func timesCorrected() { published?.state = nil }

    /// Schedules the state and the message to be published again, because setting the wall clock changed their dates.
    mutating func wallClockSet() {
        published?.state = nil
        published?.talks.wallClockSet()
    }
}

// MARK: - Responses

extension Reports {
    /// The maximum number of responses that wait for a connection. It exceeds the number of commands that arrive during
    /// a goodbye.
    private static let mostWaiting = 4096

    /// Publishes a response on the node's response topic, and on the response topic of an MQTT 5 request if it names
    /// one.
    ///
    /// A command that arrived during a goodbye is executed without a connection. Its response waits for the next
    /// connection.
    mutating func respond(_ response: Response, to message: IncomingMessage, into batch: inout EffectBatch) {
        let content = OutgoingMessage.Content.message(.response(response))
        answer(OutgoingMessage(topic: topics(of: message.topic)[.response], content), into: &batch)
        guard let topic = message.responseTopic, mayRespond(on: topic, into: &batch) else { return }
        answer(OutgoingMessage(topic: topic, content, correlationData: message.correlationData), into: &batch)
    }

    private mutating func answer(_ message: OutgoingMessage, into batch: inout EffectBatch) {
        if isConnected { batch.responses.append(.publish(message)) } else { keep(.publish(message)) }
    }

    private mutating func keep(_ response: NodeEffect) {
        if waitingResponses.count < Self.mostWaiting { waitingResponses.append(response) } else { health.drop() }
    }

    /// Keeps the current responses, because the connection ends before they can be sent.
    mutating func keepResponses(in batch: inout EffectBatch) {
        let isResponse = { (effect: NodeEffect) in
            if case .publish(let message) = effect, case .message(.response) = message.content { true } else { false }
        }
        for response in batch.responses.filter(isResponse) { keep(response) }
        batch.responses.removeAll(where: isResponse)
    }

    /// Returns the topics to which a command was sent: the former ones if it arrived on them during the goodbye.
    private func topics(of topic: String) -> Topics {
        guard let formerTopics, topics.command(from: topic) == nil else { return topics }
        return formerTopics
    }

    /// Whether the node publishes on a response topic; a topic that is not used is logged once.
    private mutating func mayRespond(on topic: String, into batch: inout EffectBatch) -> Bool {
        let reserved = discovery.has(topic) ? "it is under the discovery prefix" : nil
        guard let objection = topics.objection(toResponseTopic: topic) ?? reserved else { return true }
        let notice =
            "answering only on \(topics[.response]), not on the response topic \(topic.quoted): \(objection)"
        if unusedResponseTopics.note(notice) { batch.log(.warning, notice) }
        return false
    }
}

// MARK: - Command topics

extension Reports {
    /// Returns the recipient of a command topic, and its verb; nil for any other topic.
    ///
    /// A command that arrived on the node's former topics during the goodbye was delivered, so it counts.
    func command(from topic: String) -> (scope: Topics.Scope, verb: String?)? {
        topics.command(from: topic) ?? formerTopics?.command(from: topic)
    }

    /// Returns a command's topic for log lines.
    func excerpt(ofCommand topic: String) -> String {
        topics(of: topic).excerpt(ofCommand: topic)
    }
}
