internal import TimerEngine
internal import TimerProtocol

/// Commands: each is carried out at once, or refused with nothing changed, and answered.
extension NodeCore {
    mutating func receive(_ message: IncomingMessage, into batch: inout EffectBatch) {
        guard let (scope, verb) = topics.command(from: message.topic) else {
            return handleRemote(message, into: &batch)
        }
        var parser = RequestParser()
        let result: Result<Request, Refusal>
        do throws(Refusal) {
            let request = try parser.request(verb: verb, scope: scope, payload: message.payload)
            if message.retained {
                throw Refusal(.retained, "a retained command would be carried out at each connection; send it without")
            }
            result = .success(request)
        } catch {
            result = .failure(error)
        }

        guard rateLimit.admits(try? result.get().command.verb, at: batch.now.instant) else {
            health.count(refused: true)
            guard rateLimit.answersRefusal(at: batch.now.instant) else { return }
            let rate = configuration.mqtt?.commandRate ?? 0
            let refusal = Refusal(.rateLimited, "more than \(rate) commands a second")
            return answer(message, response(id: parser.id, command: parser.verb, refusal, at: batch.now), into: &batch)
        }
        answer(message, respond(to: result, of: parser, message, into: &batch), into: &batch)
    }

    /// Carries a command out or refuses it, or repeats what was answered when it first came.
    private mutating func respond(
        to result: Result<Request, Refusal>, of parser: RequestParser, _ message: IncomingMessage,
        into batch: inout EffectBatch
    ) -> Response {
        let (topic, payload, now) = (message.topic, message.payload, batch.now.instant)
        // Of a retained message nobody knows when it was sent, so that it repeats none and none repeats it.
        let mayRepeat = parser.id != nil && !message.retained
        if mayRepeat, var first = repeats.response(topic: topic, payload: payload, at: now) {
            first.duplicate = true
            return first
        }
        var refusal: Refusal?
        do throws(Refusal) { try execute(result.get().command, into: &batch) } catch { refusal = error }
        health.count(refused: refusal != nil)
        let response = response(id: parser.id, command: parser.verb, refusal, at: batch.now)
        if mayRepeat { repeats.remember(response, topic: topic, payload: payload, at: now) }
        return response
    }

    private func response(id: String?, command: String?, _ refusal: Refusal?, at now: Moment) -> Response {
        // What is carried out has a name that is known.
        let command = refusal == nil || command == "" ? command : command?.excerpt
        let outcome =
            refusal.map(Response.Outcome.error)
            ?? .ok(mode: ModeName(player.mode), remaining: player.countdown.shownSeconds(at: now.instant))
        return Response(id: id, command: command, outcome: outcome)
    }

    /// Answers on the response topic, and where MQTT 5's request asked to be answered.
    private mutating func answer(_ message: IncomingMessage, _ response: Response, into batch: inout EffectBatch) {
        let content = OutgoingMessage.Content.message(.response(response))
        batch.answers.append(OutgoingMessage(topic: topics.response, content))
        if let topic = message.responseTopic, maySend(to: topic, into: &batch) {
            batch.answers.append(OutgoingMessage(topic: topic, content, correlationData: message.correlationData))
        }
        if let refusal = response.refusal, !response.duplicate, refusalLog.consume(at: batch.now.instant) {
            let topic = topics.excerpt(ofCommand: message.topic)
            batch.log(.warning, "refused \(topic): \(refusal.code.rawValue): \(refusal.message)")
        }
    }

    /// Whether a response topic is used; one that is not is told once.
    private mutating func maySend(to topic: String, into batch: inout EffectBatch) -> Bool {
        guard let objection = topics.objection(toResponseTopic: topic) else { return true }
        let denial = "answering on \(topics.response) alone: not on the response topic \(topic.quoted), as \(objection)"
        if unusedResponseTopics.note(denial) { batch.log(.warning, denial) }
        return false
    }
}
