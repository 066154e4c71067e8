internal import BrokerLink
internal import NodeConfiguration
internal import TimerProtocol

extension Reports {
    /// The most responses that wait for a connection: more than arrives during a goodbye.
    private static let mostWaiting = 4096

    /// Answers on the response topic, and where MQTT 5's request asked to be answered.
    ///
    /// What arrived during a goodbye is executed without a connection. Its answer waits for the next one.
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

    /// Keeps the responses of this moment: the connection over which they were to go ends before they are sent.
    mutating func keepResponses(in batch: inout EffectBatch) {
        let isResponse = { (effect: NodeEffect) in
            if case .publish(let message) = effect, case .message(.response) = message.content { true } else { false }
        }
        for response in batch.responses.filter(isResponse) { keep(response) }
        batch.responses.removeAll(where: isResponse)
    }

    /// The topics that a command was sent to: the former ones where it arrived during the goodbye under these.
    private func topics(of topic: String) -> Topics {
        guard let formerTopics, topics.command(from: topic) == nil else { return topics }
        return formerTopics
    }

    /// Whether a response topic is used; one that is not is logged once.
    private mutating func mayRespond(on topic: String, into batch: inout EffectBatch) -> Bool {
        let reserved = discovery.has(topic) ? "it is under the prefix of discovery" : nil
        guard let objection = topics.objection(toResponseTopic: topic) ?? reserved else { return true }
        let notice =
            "answering on \(topics[.response]) alone: not on the response topic \(topic.quoted), as \(objection)"
        if unusedResponseTopics.note(notice) { batch.log(.warning, notice) }
        return false
    }
}

// MARK: - Command topics

extension Reports {
    /// Whom a command topic is for, and its verb; nil for any other topic.
    ///
    /// What arrived during the goodbye under the node's former topics was delivered, so that it counts.
    func command(from topic: String) -> (scope: Topics.Scope, verb: String?)? {
        topics.command(from: topic) ?? formerTopics?.command(from: topic)
    }

    /// A command's topic as a message shows it.
    func excerpt(ofCommand topic: String) -> String {
        topics(of: topic).excerpt(ofCommand: topic)
    }
}
