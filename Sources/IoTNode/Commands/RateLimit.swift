internal import TimerEngine
internal import TimerProtocol

/// Limits how many commands are executed, and how many refusals are answered.
///
/// A command counts as one for each ``portion`` of its payload, since what it costs to read it grows with that.
struct RateLimit: Hashable, Sendable {
    /// The bytes of a payload that count as one command.
    static let portion = 4 * 1024

    /// The commands a second that are obeyed on average; 0 for no limit.
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

    /// Whether a command with a payload of so many bytes may be read and executed.
    mutating func admits(_ allowance: Verb.Allowance, bytes: Int, at now: Instant) -> Bool {
        let count = Double(max(1, (bytes + Self.portion - 1) / Self.portion))
        return switch allowance {
        case .stopping: stopping?.consume(count, at: now) ?? true
        case .time: perSecond == 0 || time.consume(count, at: now)
        case .ordinary: ordinary?.consume(count, at: now) ?? true
        }
    }

    /// Whether a command that was not admitted gets an answer: one a second does.
    mutating func answersRefusal(at now: Instant) -> Bool {
        answers.consume(at: now)
    }
}

/// Allows `rate` events a second on average, and `burst` at once.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var filledAt: Instant?

    init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
        tokens = burst
    }

    /// Consumes so many tokens, or all where that is less; false if there are not as many.
    mutating func consume(_ count: Double = 1, at now: Instant) -> Bool {
        let count = min(count, burst)
        if let filledAt { tokens = min(burst, tokens + rate * filledAt.duration(to: now).inSeconds) }
        filledAt = now
        guard tokens >= count else { return false }
        tokens -= count
        return true
    }
}

/// Remembers responses, so that a command that arrives twice is executed once.
struct DuplicateFilter: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let key: Int
        let at: Instant
        let response: Response
    }

    /// How long a repeat is recognised.
    static let memory: Duration = .seconds(10)
    private static let capacity = 1024
    private var entries: [Entry] = []

    /// The response to the same payload, id and all, on the same topic, less than ``memory`` ago.
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
