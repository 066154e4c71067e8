internal import TimerEngine

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
