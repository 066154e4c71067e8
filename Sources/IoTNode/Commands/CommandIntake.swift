internal import TimerEngine
internal import TimerProtocol

/// What stands between a message on a command topic and its execution: parsing, the rate limit, duplicates.
struct CommandIntake: Sendable {
    /// A message with what could be read of it.
    struct Received {
        let message: IncomingMessage
        /// As far as they could be read; the response repeats them.
        let verb: String?
        let id: String?
        let command: Result<Command, Refusal>
        let scope: Topics.Scope
        /// The follower that handed it on.
        let handedBy: String?

        /// A retained message's send time is unknown: it is excluded from duplicate detection.
        ///
        /// The time is another one each time that somebody asks.
        fileprivate var mayBeDuplicate: Bool {
            id != nil && !message.retained && (try? command.get()) != .time
        }
    }

    /// What becomes of it.
    enum Admission {
        /// Executed, unless the command could not be read, and answered.
        case execute
        /// Answered as before.
        case duplicate(of: Response)
        /// Too many came; nil where not even that is answered.
        case limited(Refusal?)
    }

    private var rateLimit: RateLimit
    private var duplicates = DuplicateFilter()
    private var refusalLog = TokenBucket(rate: 1, burst: 5)

    init(_ configuration: NodeConfiguration) {
        rateLimit = RateLimit(perSecond: configuration.mqtt?.commandRate ?? 0)
    }

    mutating func reconfigure(_ configuration: NodeConfiguration) {
        rateLimit = RateLimit(perSecond: configuration.mqtt?.commandRate ?? 0)
    }

    func parse(_ message: IncomingMessage, verb: String?, scope: Topics.Scope) -> Received {
        var parser = RequestParser()
        let command: Result<Command, Refusal>
        do throws(Refusal) {
            let request = try parser.request(verb: verb, scope: scope, payload: message.payload)
            if message.retained {
                throw Refusal(.retained, "a retained command would be carried out at each connection; send it without")
            }
            command = .success(request.command)
        } catch {
            command = .failure(error)
        }
        return Received(
            message: message, verb: parser.verb, id: parser.id, command: command, scope: scope,
            handedBy: parser.handedBy)
    }

    mutating func admit(_ received: Received, at now: TimerEngine.Instant) -> Admission {
        guard rateLimit.admits(try? received.command.get().verb, at: now) else {
            return .limited(
                rateLimit.answersRefusal(at: now)
                    ? Refusal(.rateLimited, "more than \(rateLimit.perSecond) commands a second") : nil)
        }
        let (topic, payload) = (received.message.topic, received.message.payload)
        guard received.mayBeDuplicate,
            var first = duplicates.response(topic: topic, payload: payload, at: now)
        else { return .execute }
        first.duplicate = true
        return .duplicate(of: first)
    }

    /// Remembers what was answered, for the case that the message comes again.
    mutating func remember(_ response: Response, to received: Received, at now: TimerEngine.Instant) {
        guard received.mayBeDuplicate else { return }
        let message = received.message
        duplicates.remember(response, topic: message.topic, payload: message.payload, at: now)
    }

    /// Logs a refusal, but not each of very many.
    mutating func log(
        _ refusal: Refusal, of source: @autoclosure () -> String, into batch: inout EffectBatch
    ) {
        guard refusalLog.consume(at: batch.now.instant) else { return }
        batch.log(.warning, "refused \(source()): \(refusal.code.rawValue): \(refusal.message)")
    }
}
