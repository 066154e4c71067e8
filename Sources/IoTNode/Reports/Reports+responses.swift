internal import TimerProtocol

extension Reports {
    /// Answers on the response topic, and where MQTT 5's request asked to be answered.
    mutating func respond(_ response: Response, to message: IncomingMessage, into batch: inout EffectBatch) {
        let content = OutgoingMessage.Content.message(.response(response))
        batch.responses.append(.publish(OutgoingMessage(topic: topics.response, content)))
        guard let topic = message.responseTopic, mayRespond(on: topic, into: &batch) else { return }
        batch.responses.append(
            .publish(OutgoingMessage(topic: topic, content, correlationData: message.correlationData)))
    }

    /// Whether a response topic is used; one that is not is logged once.
    private mutating func mayRespond(on topic: String, into batch: inout EffectBatch) -> Bool {
        let reserved = discovery.has(topic) ? "it is under the prefix of discovery" : nil
        guard let objection = topics.objection(toResponseTopic: topic) ?? reserved else { return true }
        let notice = "answering on \(topics.response) alone: not on the response topic \(topic.quoted), as \(objection)"
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
        (topics.command(from: topic) == nil ? formerTopics ?? topics : topics).excerpt(ofCommand: topic)
    }
}
