internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The steps between a message on a command topic and its execution: the rate limit, parsing, and duplicate detection.
///
/// A message is counted by its topic and size before it is parsed, so discarding it costs no more than receiving it.
struct CommandIntake: Sendable {
    /// A message up to this many bytes long is parsed before it is counted if only its payload can show that it has a
    /// separate allowance. Parsing it costs about as much as receiving it, and even a `stop` with an id of 128 bytes
    /// fits.
    static let maximumShort = 512

    /// A message, and the fields that could be read from it.
    struct Received {
        let message: IncomingMessage
        /// The verb and the id, if they could be read; the response repeats them.
        let verb: String?
        let id: String?
        let command: Result<Command, Refusal>
        let scope: Topics.Scope
        /// The follower that forwarded it.
        let forwardedBy: String?

        /// Whether the message is checked for duplicates.
        ///
        /// A retained message is not, because its send time is unknown. Nor is a time request, because each response is
        /// different.
        fileprivate var mayBeDuplicate: Bool {
            id != nil && !message.retained && (try? command.get()) != .time
        }
    }

    /// The decision about a message.
    enum Admission {
        /// The message is answered, and executed if the command could be read.
        case admitted(Received)
        /// Too many messages arrived; a refusal is sent.
        case refused(Received, Refusal)
        /// Too many messages arrived, and too many refusals were sent.
        case ignored
    }

    private var rateLimit: RateLimit
    private var duplicates = DuplicateFilter()
    private var refusalLog = TokenBucket(rate: 1, burst: 5)
    /// The total size of all parsed payloads in bytes.
    private(set) var parsedBytes = 0

    init(_ configuration: NodeConfiguration) {
        rateLimit = RateLimit(perSecond: configuration.mqtt?.commandRate ?? 0)
    }

    mutating func reconfigure(_ configuration: NodeConfiguration) {
        rateLimit = RateLimit(perSecond: configuration.mqtt?.commandRate ?? 0)
    }

    /// Counts a message, and parses it if there are not too many.
    ///
    /// - Parameter verb: the last level of its topic; nil if the payload names the verb.
    mutating func admit(
        _ message: IncomingMessage, verb: String?, scope: Topics.Scope, at now: Instant
    ) -> Admission {
        let bytes = message.payload.count
        let mayBeSpecial = verb.map { Verb(rawValue: $0).map { $0.rules.allowance != .ordinary } ?? false } ?? true
        let short = mayBeSpecial && bytes <= Self.maximumShort ? parse(message, verb: verb, scope: scope) : nil
        // Unreadable and long messages do not use up the separate allowances.
        let allowance = (try? short?.command.get())?.verb.rules.allowance ?? .ordinary
        if rateLimit.admits(allowance, bytes: bytes, at: now) {
            return .admitted(short ?? parse(message, verb: verb, scope: scope))
        }
        guard rateLimit.answersRefusal(at: now) else { return .ignored }
        let refusal = Refusal(
            .rateLimited,
            "more than \(rateLimit.perSecond) commands a second; each \(RateLimit.portion) bytes count as one command")
        // The response repeats its id.
        return .refused(short ?? parse(message, verb: verb, scope: scope), refusal)
    }

    private mutating func parse(_ message: IncomingMessage, verb: String?, scope: Topics.Scope) -> Received {
        parsedBytes += message.payload.count
        var parser = RequestParser()
        let command: Result<Command, Refusal>
        do throws(Refusal) {
            let request = try parser.request(verb: verb, scope: scope, payload: message.payload)
            if message.retained {
                throw Refusal(.retained, "a retained command would be executed on each connection; do not retain it")
            }
            command = .success(request.command)
        } catch {
            command = .failure(error)
        }
        return Received(
            message: message, verb: parser.verb, id: parser.id, command: command, scope: scope,
            forwardedBy: parser.forwardedBy)
    }

    /// Returns the earlier response to a repeated message; nil if the message is new.
    func response(toDuplicate received: Received, at now: Instant) -> Response? {
        guard received.mayBeDuplicate else { return nil }
        var first = duplicates.response(topic: received.message.topic, payload: received.message.payload, at: now)
        first?.duplicate = true
        return first
    }

    /// Remembers a response in case the message arrives again.
    mutating func remember(_ response: Response, to received: Received, at now: Instant) {
        guard received.mayBeDuplicate else { return }
        let message = received.message
        duplicates.remember(response, topic: message.topic, payload: message.payload, at: now)
    }

    /// Logs a refusal, unless too many have just been logged.
    mutating func log(
        _ refusal: Refusal, of source: @autoclosure () -> String, into batch: inout EffectBatch
    ) {
        guard refusalLog.consume(at: batch.now.instant) else { return }
        batch.log(.warning, "refused \(source()): \(refusal.code.rawValue): \(refusal.message)")
    }
}

/// Limits how many commands are executed, and how many refusals are answered.
///
/// A command counts once for each ``portion`` of its payload, because the cost of parsing it grows with its size.
struct RateLimit: Hashable, Sendable {
    /// The number of payload bytes that count as one command.
    static let portion = 4 * 1024

    /// The average number of commands a second that are executed; 0 for no limit.
    let perSecond: Int
    private var ordinary: TokenBucket?
    private var stopping: TokenBucket?
    private var time = TokenBucket(rate: 50, burst: 100)
    private var answers = TokenBucket(rate: 1, burst: 1)

    /// - Parameter perSecond: commands a second on average, with bursts of twice that; 0 for no limit.
    init(perSecond: Int) {
        self.perSecond = perSecond
        guard perSecond > 0 else { return }
        let bucket = TokenBucket(rate: Double(perSecond), burst: Double(2 * perSecond))
        ordinary = bucket
        stopping = bucket
    }

    /// Whether a command with a payload of this size may be read and executed.
    mutating func admits(_ allowance: Verb.Allowance, bytes: Int, at now: Instant) -> Bool {
        let count = Double(max(1, (bytes + Self.portion - 1) / Self.portion))
        return switch allowance {
        case .stopping: stopping?.consume(count, at: now) ?? true
        case .time: perSecond == 0 || time.consume(count, at: now)
        case .ordinary: ordinary?.consume(count, at: now) ?? true
        }
    }

    /// Whether a command that was not admitted is answered. One per second is.
    mutating func answersRefusal(at now: Instant) -> Bool {
        answers.consume(at: now)
    }
}

/// Remembers responses, so that a command that arrives twice is executed once.
struct DuplicateFilter: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let key: Int
        let at: Instant
        let response: Response
    }

    /// How long repeats are recognised.
    static let memory: Duration = .seconds(10)
    private static let capacity = 1024
    private var entries: [Entry] = []

    /// Returns the response to an identical payload, including the id, that arrived on the same topic less than
    /// ``memory`` ago.
    func response(topic: String, payload: [UInt8], at now: Instant) -> Response? {
        let key = Self.key(topic, payload)
        return entries.last { $0.key == key && $0.at.duration(to: now) < Self.memory }?.response
    }

    mutating func remember(_ response: Response, topic: String, payload: [UInt8], at now: Instant) {
        entries.removeAll { $0.at.duration(to: now) >= Self.memory }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(Entry(key: Self.key(topic, payload), at: now, response: response))
    }

    private static func key(_ topic: String, _ payload: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(topic)
        hasher.combine(payload)
        return hasher.finalize()
    }
}
