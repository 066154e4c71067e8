/// Runs the timers of a model on a clock: a ``TimerPlayer`` with its own driver.
///
/// It may be called from any thread. The handler gets all events, one at a time and in order, with no lock held: on the
/// thread of the call that caused it or, for what falls due, on a thread of the clock. A call made by the handler, or
/// while another thread runs it, takes effect at once; its events are reported when the handler has returned.
///
/// While a timer runs, the engine keeps itself alive, until it stops, pauses or reaches the alarm.
public final class PlayerEngine: Sendable, DriverOwner {
    /// Called with each event.
    public typealias Handler = @Sendable (_ engine: PlayerEngine, _ event: TimerPlayer.Event) -> Void

    let driver: Driver<TimerPlayer, Handler?>

    /// The clock that the engine runs on.
    public var clock: any TimerEngine.Clock { driver.clock }

    private init(_ player: TimerPlayer, _ clock: any TimerEngine.Clock, _ handler: Handler?) {
        driver = Driver(player, handler, clock: clock)
    }

    /// Creates a stopped engine.
    ///
    /// - Parameters:
    ///   - model: The model that it plays.
    ///   - clock: The clock that it runs on.
    ///   - handler: Called with each event.
    public convenience init(
        _ model: TimerModel = TimerModel(), clock: any TimerEngine.Clock = TimerEngine.SystemClock(),
        handler: Handler? = nil
    ) {
        self.init(TimerPlayer(model), clock, handler)
    }

    /// Creates an engine that continues a player's state, and first reports what fell due in the meantime.
    ///
    /// - Parameters:
    ///   - player: The state to continue, with instants of the same clock.
    ///   - clock: The clock that it runs on.
    ///   - handler: Called with each event.
    /// - Throws: ``PlayerError/clock(_:)`` if the clock cannot wake it.
    public convenience init(
        resuming player: TimerPlayer, clock: any TimerEngine.Clock = TimerEngine.SystemClock(),
        handler: Handler? = nil
    ) throws(PlayerError) {
        self.init(player, clock, handler)
        try act { (player, now) throws(PlayerError) in player.advance(to: now) }
    }

    /// Called with each event.
    public var handler: Handler? {
        get { driver.state.withLock(\.extras) }
        set { driver.replace(\.self, with: newValue) }
    }

    func report(_ event: TimerPlayer.Event, _ handler: Handler?) { handler?(self, event) }

    static func failure(_ error: TimerEngine.ClockError) -> PlayerError { .clock(error) }

    /// Applies an action to the player now.
    func act(
        _ action: (inout TimerPlayer, _ now: TimerEngine.Instant) throws(PlayerError) -> [TimerPlayer.Event]
    ) throws(PlayerError) {
        try perform { (player, _, now) throws(PlayerError) in (try action(&player, now), ()) }
    }
}

// MARK: - Readings

extension PlayerEngine {
    /// The player as of now: the model, the selection, the last run, the next timer.
    public var player: TimerPlayer { driver.reading.value }

    /// The timers and the selection.
    public var model: TimerModel { player.model }

    /// The mode of the selected timer.
    public var mode: TimerEngine.Mode { player.mode }

    /// The seconds shown: the time left of the selected timer, rounded up.
    public var currentTime: Int { remaining.shownSeconds }

    /// The time left, as ``TimerEngine/timerDisplay-swift.property`` shows it.
    public var timerDisplay: String { TimerEngine.timerDisplay(of: currentTime) }

    /// The time left of the selected timer.
    public var remaining: Duration {
        let (player, now) = driver.reading
        return player.countdown.remaining(at: now)
    }

    /// When the selected timer reaches zero, on the engine's ``clock``; nil unless it is running.
    public var zero: TimerEngine.Instant? { player.countdown.zero }

    /// How long this run has lasted, without pauses but including the time in alarm; zero while stopped.
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
    /// All events from now on, as the handler gets them.
    ///
    /// There may be any number of these sequences; each must be read by one task. They do not keep the engine alive. A
    /// sequence does not end at the alarm: it ends when the engine is released, or when the task that reads it is
    /// cancelled.
    public func events() -> AsyncStream<TimerPlayer.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each event from now on, in order.
    ///
    /// - Returns: The task that calls it; cancel it to stop. It does not keep the engine alive, and ends with the
    ///   engine.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (TimerPlayer.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}
