/// Plays the timers of a model by itself on a clock: a ``TimerPlayer`` with what drives it.
///
/// It may be called from any thread. The handler gets each event, one at a time and in order, without any lock held: on
/// the thread of the call that caused it or, for what falls due, on a thread of the clock. A call made by the handler, or
/// while another thread is busy with it, takes effect at once, and what it causes is reported when it has returned.
///
/// While a timer runs the engine keeps itself alive, until it stops, pauses or reaches the alarm.
public final class PlayerEngine: Sendable, DriverOwner {
    /// Is called with each event.
    public typealias Handler = @Sendable (_ engine: PlayerEngine, _ event: TimerPlayer.Event) -> Void

    let driver: Driver<TimerPlayer, Handler?>

    /// What the engine runs on.
    public var clock: any TimerEngine.Clock { driver.clock }

    private init(_ player: TimerPlayer, _ clock: any TimerEngine.Clock, _ handler: Handler?) {
        driver = Driver(player, handler, clock: clock)
    }

    /// A stopped engine.
    ///
    /// - Parameters:
    ///   - model: What it plays.
    ///   - clock: What it runs on.
    ///   - handler: Is called with each event.
    public convenience init(
        _ model: TimerModel = TimerModel(), clock: any TimerEngine.Clock = TimerEngine.SystemClock(),
        handler: Handler? = nil
    ) {
        self.init(TimerPlayer(model), clock, handler)
    }

    /// An engine that goes on with what a player was doing, and first reports what fell due meanwhile.
    ///
    /// - Parameters:
    ///   - player: What was going on, with instants of the same clock.
    ///   - clock: What it runs on.
    ///   - handler: Is called with each event.
    /// - Throws: ``PlayerError/clock(_:)`` where the clock cannot wake it.
    public convenience init(
        resuming player: TimerPlayer, clock: any TimerEngine.Clock = TimerEngine.SystemClock(),
        handler: Handler? = nil
    ) throws(PlayerError) {
        self.init(player, clock, handler)
        try act { (player, now) throws(PlayerError) in player.advance(to: now) }
    }

    /// Is called with each event.
    public var handler: Handler? {
        get { driver.state.withLock(\.extras) }
        set { driver.replace(\.self, with: newValue) }
    }

    func report(_ event: TimerPlayer.Event, _ handler: Handler?) { handler?(self, event) }

    static func failure(_ error: TimerEngine.ClockError) -> PlayerError { .clock(error) }

    /// Acts on the player now.
    func act(
        _ action: (inout TimerPlayer, _ now: TimerEngine.Instant) throws(PlayerError) -> [TimerPlayer.Event]
    ) throws(PlayerError) {
        try perform { (player, _, now) throws(PlayerError) in (try action(&player, now), ()) }
    }
}

// MARK: - Readings

extension PlayerEngine {
    /// The player as of now: the model, what is selected, the last run, what comes next. To save it, encode this.
    public var player: TimerPlayer { driver.reading.value }

    /// The timers, and which of them is selected.
    public var model: TimerModel { player.model }

    /// What the selected timer is doing.
    public var mode: TimerEngine.Mode { player.mode }

    /// The seconds shown: what is left of the selected timer, rounded up.
    public var currentTime: Int { remaining.shownSeconds }

    /// What is left, as ``TimerEngine/timerDisplay-swift.property`` shows it.
    public var timerDisplay: String { TimerEngine.timerDisplay(of: currentTime) }

    /// What is left of the selected timer.
    public var remaining: Duration {
        let (player, now) = driver.reading
        return player.countdown.remaining(at: now)
    }

    /// When the selected timer reaches zero, on the engine's ``clock``; nil unless it runs.
    public var zero: TimerEngine.Instant? { player.countdown.zero }

    /// How long this run has lasted: pauses out, the time in alarm in; zero while stopped.
    public var used: Duration {
        let (player, now) = driver.reading
        return player.countdown.used(at: now)
    }

    /// How long this run has been in alarm.
    public var over: Duration {
        let (player, now) = driver.reading
        return player.countdown.over(at: now)
    }
}

// MARK: - Events

extension PlayerEngine {
    /// Each event from now on, as the handler gets it.
    ///
    /// There may be any number of these sequences, each of which is read by one task. They do not keep the engine alive.
    /// A sequence does not end at the alarm: it ends when the engine is released, or when the task that reads it is
    /// cancelled.
    public func events() -> AsyncStream<TimerPlayer.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each event from now on, in order.
    ///
    /// - Returns: What calls it; cancel that to hear no more. It does not keep the engine alive, and ends with it.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (TimerPlayer.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}
