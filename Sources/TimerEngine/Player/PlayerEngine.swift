/// Runs the timers in a model on a clock: a ``TimerPlayer`` with its own driver.
///
/// An engine may be called from any thread. Its handler receives all events, one at a time and in order, with no lock
/// held: on the thread of the call that caused the event or, for events that fall due, on a thread of the clock. A call
/// made by the handler, or while another thread runs it, takes effect at once; its events are reported when the handler
/// has returned.
///
/// A running engine keeps itself alive until it stops, pauses or reaches the alarm.
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

    /// Creates an engine that continues from the state of a player, and first reports everything that has fallen due
    /// since.
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

    /// Applies an action to the player at the current time.
    func act(
        _ action: (inout TimerPlayer, _ now: TimerEngine.Instant) throws(PlayerError) -> [TimerPlayer.Event]
    ) throws(PlayerError) {
        try perform { (player, _, now) throws(PlayerError) in (try action(&player, now), ()) }
    }
}

// MARK: - Readings

extension PlayerEngine {
    /// The current state of the player, with the model, the selection, the last run and the next timer.
    public var player: TimerPlayer { driver.reading.value }

    /// The timers and the selection.
    public var model: TimerModel { player.model }

    /// The mode of the selected timer.
    public var mode: TimerEngine.Mode { player.mode }

    /// The seconds shown: the time left of the selected timer, rounded up.
    public var currentTime: Int { remaining.shownSeconds }

    /// The time left, in the format of ``TimerEngine/timerDisplay-swift.property``.
    public var timerDisplay: String { TimerEngine.timerDisplay(of: currentTime) }

    /// The time left of the selected timer.
    public var remaining: Duration {
        let (player, now) = driver.reading
        return player.countdown.remaining(at: now)
    }

    /// When the selected timer reaches zero, on the engine's ``clock``; nil unless it is running.
    public var zero: TimerEngine.Instant? { player.countdown.zero }

    /// How long this run has lasted, excluding pauses but including the alarm; zero while stopped.
    public var used: Duration {
        let (player, now) = driver.reading
        return player.countdown.used(at: now)
    }

    /// How long the alarm of this run has lasted. If time was added during an alarm, this is the sum of all its alarms.
    public var over: Duration {
        let (player, now) = driver.reading
        return player.countdown.over(at: now)
    }
}

// MARK: - Events

extension PlayerEngine {
    /// Returns a sequence of all events from now on, as the handler receives them.
    ///
    /// There may be any number of these sequences; each must be read by one task. They do not keep the engine alive. A
    /// sequence does not end at the alarm: it ends when the engine is released, or when the task that reads it is
    /// cancelled.
    public func events() -> AsyncStream<TimerPlayer.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each event from now on, in order.
    ///
    /// - Returns: The task that makes the calls; cancel it to stop them. It does not keep the engine alive, and ends
    ///   when the engine is released.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (TimerPlayer.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}
