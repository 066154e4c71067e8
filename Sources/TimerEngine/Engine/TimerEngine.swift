#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A countdown with thresholds that runs on a clock.
///
/// An engine may be called from any thread. Its handlers receive all ticks and transitions, one at a time and in order,
/// with no lock held: on the thread of the call that caused the event or, for events that fall due, on a thread of the
/// clock. A call made by a handler, or while another thread runs one, takes effect at once; its events are reported
/// when that handler has returned.
///
/// A running engine keeps itself alive until it stops, pauses or reaches its alarm.
public final class TimerEngine: Sendable, Identifiable, DriverOwner {
    /// Called whenever a new second is shown; ``currentTime`` returns it.
    public typealias TickHandler = @Sendable (_ engine: TimerEngine) -> Void
    /// Called at each change of ``mode``, with the old and the new mode.
    public typealias TransitionHandler = @Sendable (_ engine: TimerEngine, _ from: Mode, _ to: Mode) -> Void

    /// An engine's data besides its countdown.
    struct Extras: Sendable {
        var id: UUID
        var refCon: (any Sendable)?
        var tickHandler: TickHandler?
        var transitionHandler: TransitionHandler?
        var refusal: Refusal?
    }

    let driver: Driver<Countdown, Extras>

    /// The clock that the engine runs on.
    public var clock: any Clock { driver.clock }

    init(_ countdown: Countdown, _ extras: Extras, clock: any Clock) {
        driver = Driver(countdown, extras, clock: clock)
    }

    /// Creates an engine, stopped unless it starts immediately.
    ///
    /// - Parameters:
    ///   - startingTimeInSeconds: The starting time in whole seconds, clamped to 0…86 399. An engine with 0 cannot
    ///     start.
    ///   - warningTimeInSeconds: The warning time in seconds, clamped to below the starting time; 0 means none.
    ///   - finalTimeInSeconds: The final time in seconds, clamped to below the warning time, or below the starting time
    ///     if there is no warning; 0 and 1 mean none.
    ///   - transitionHandler: Called at each change of mode.
    ///   - id: The engine's identity.
    ///   - refCon: Arbitrary client data.
    ///   - startImmediately: Whether the engine starts before the initializer returns.
    ///   - clock: The clock that it runs on.
    ///   - tickHandler: Called whenever a new second is shown.
    public convenience init(
        startingTimeInSeconds: Int = 0, warningTimeInSeconds: Int = 0, finalTimeInSeconds: Int = 0,
        transitionHandler: TransitionHandler? = nil, id: UUID = UUID(), refCon: (any Sendable)? = nil,
        startImmediately: Bool = false, clock: any Clock = SystemClock(), tickHandler: TickHandler? = nil
    ) {
        let thresholds = Thresholds.zero.setting(start: startingTimeInSeconds)
            .setting(warning: warningTimeInSeconds).setting(final: finalTimeInSeconds)
        let extras = Extras(
            id: id, refCon: refCon, tickHandler: tickHandler, transitionHandler: transitionHandler)
        self.init(Countdown(thresholds), extras, clock: clock)
        if startImmediately { start() }
    }

    // MARK: - Helpers

    func report(_ event: Countdown.Event, _ extras: Extras) {
        switch event {
        case .tick: extras.tickHandler?(self)
        case .transition(let from, let to, _): extras.transitionHandler?(self, from, to)
        }
    }

    static func failure(_ error: ClockError) -> Refusal { .clock(error) }

    /// Makes a call; if it is refused, only ``lastRefusal`` changes.
    @discardableResult
    func call<Answer: Sendable>(_ change: Change<Answer>) throws(Refusal) -> Answer {
        do throws(Refusal) {
            return try perform { (countdown, extras, now) throws(Refusal) in
                extras.refusal = nil
                return try change(&countdown, &extras, now)
            }
        } catch {
            driver.replace(\.refusal, with: error)
            throw error
        }
    }

    /// Calls the countdown; throws the reason if it refuses the call.
    func callCountdown(
        _ call: (inout Countdown, _ now: Instant) throws(CountdownError) -> [Countdown.Event]
    ) throws(Refusal) {
        try self.call { (countdown, _, now) throws(Refusal) in
            do throws(CountdownError) { return (try call(&countdown, now), ()) } catch { throw .countdown(error) }
        }
    }
}

extension TimerEngine {
    /// Returns a sequence of all ticks and transitions from now on, as the handlers receive them, with the instants at
    /// which they were due.
    ///
    /// There may be any number of these sequences; each must be read by one task. They do not keep the engine alive.
    ///
    /// A sequence does not end at the alarm, since the engine may start again: it ends when the engine is released, or
    /// when the task that reads it is cancelled. To stop at the alarm, leave the loop at the transition to
    /// ``Mode/alarm``.
    public func events() -> AsyncStream<Countdown.Event> {
        driver.makeStream()
    }

    /// Calls `body` on the main actor with each tick and each transition from now on, in order.
    ///
    /// This is for a user interface, which then reads the values that it shows from the engine. These calls may come
    /// slightly later than the calls of the handlers.
    ///
    /// - Returns: The task that makes the calls; cancel it to stop them. It does not keep the engine alive, and ends
    ///   when the engine is released.
    @discardableResult
    public func onMainActor(_ body: @escaping @MainActor (Countdown.Event) -> Void) -> Task<Void, Never> {
        callOnMainActor(body)
    }
}

extension TimerEngine {
    /// The state of the engine as six named values.
    ///
    /// `startingTimeInSeconds`, `warningTimeInSeconds` and `finalTimeInSeconds` are `Int`, `id` is a `String`,
    /// `startTime` is the elapsed time in seconds as a `Double`, and `lastMode` is a `String`: `countdown`, `warning`
    /// or `final` for a running or paused engine, otherwise `stopped`.
    ///
    /// Setting it loads the times and, if present, the id, and stops the engine. If a value is missing or invalid,
    /// nothing changes and ``lastRefusal`` is the reason. To continue from the elapsed time, see
    /// ``resume(_:transitionHandler:tickHandler:)``.
    public var asDictionary: StateDictionary {
        get { savedState(inFull: false).dictionary }
        set {
            try? call { (countdown, extras, now) throws(Refusal) in
                let saved = try SavedState(newValue)
                let thresholds = try saved.countdown(at: now).thresholds
                let events = countdown.stop(at: now)
                countdown = Countdown(thresholds)
                extras.id = saved.id ?? extras.id
                return (events, ())
            }
        }
    }

    private func savedState(inFull: Bool) -> SavedState {
        driver.state.withLock { SavedState($0.value, id: $0.extras.id, at: driver.clock.now, inFull: inFull) }
    }
}

extension TimerEngine: Codable {
    /// The key in the decoder's `userInfo` for the ``Clock`` of a decoded engine; the default is a ``SystemClock``.
    public static let clockKey = CodingUserInfoKey(rawValue: "TimerEngine.clock")

    /// Encodes the six values of ``asDictionary``; here `lastMode` may also be `paused` or `alarm`.
    public func encode(to encoder: any Encoder) throws {
        try savedState(inFull: true).encode(to: encoder)
    }

    /// Decodes an engine in the saved mode, with the same time left to the nanosecond, but without handlers.
    ///
    /// A running engine continues from now.
    ///
    /// - Throws: ``ThresholdsError`` or ``CountdownError/notACountdown(_:)`` for values that no engine could have
    ///   written, a `DecodingError` for a field that is missing or of the wrong type, ``ClockError`` if the clock
    ///   cannot wake the engine.
    public convenience init(from decoder: any Decoder) throws {
        let clock = Self.clockKey.flatMap { decoder.userInfo[$0] as? any Clock } ?? SystemClock()
        let saved = try SavedState(from: decoder)
        do throws(Refusal) {
            let countdown = try saved.countdown(at: clock.now)
            try saved.check(countdown)
            self.init(countdown, Extras(id: saved.id ?? UUID()), clock: clock)
            try callCountdown { _, _ in [] }
        } catch { throw error.underlying }
    }
}
