internal import TimerEngine
internal import TimerProtocol

/// How many commands are carried out, and how many refusals are answered.
struct RateLimit: Hashable, Sendable {
    private var ordinary: TokenBucket?
    private var stopping: TokenBucket?
    private var answers = TokenBucket(rate: 1, burst: 1)

    /// - Parameter perSecond: commands a second on average, with bursts of twice that; 0 for no limit.
    init(perSecond: Int) {
        guard perSecond > 0 else { return }
        let bucket = TokenBucket(rate: Double(perSecond), burst: Double(2 * perSecond))
        ordinary = bucket
        stopping = bucket
    }

    /// Whether a command may be carried out; nil stands for one whose verb could not be read.
    mutating func admits(_ verb: Verb?, at now: TimerEngine.Instant) -> Bool {
        verb?.alwaysGetsThrough == true
            ? stopping?.consume(at: now) ?? true
            : ordinary?.consume(at: now) ?? true
    }

    /// Whether a command that was not admitted gets an answer: one a second does.
    mutating func answersRefusal(at now: TimerEngine.Instant) -> Bool {
        answers.consume(at: now)
    }
}

/// Lets `rate` through each second on average, and `burst` at once.
struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var filledAt: TimerEngine.Instant?

    init(rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
        tokens = burst
    }

    /// Takes a token; false where there is none.
    mutating func consume(at now: TimerEngine.Instant) -> Bool {
        if let filledAt { tokens = min(burst, tokens + rate * filledAt.duration(to: now).inSeconds) }
        filledAt = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
