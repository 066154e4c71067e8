public import FoundationEssentials

/// A countdown with thresholds that runs by itself on a clock.
///
/// It may be called from any thread. The handlers get each tick and each transition, one at a time and in order, without
/// any lock held: on the thread of the call that caused them or, for what falls due, on a thread of the clock. A call
/// made by a handler, or while another thread is busy with one, takes effect at once, and what it causes is reported when
/// that handler has returned.
///
/// A running engine keeps itself alive until it stops, pauses or reaches its alarm.
public final class TimerEngine: Sendable, Identifiable {
    /// Is called at each second shown; ``currentTime`` says which.
    public typealias TickHandler = @Sendable (_ engine: TimerEngine) -> Void
    /// Is called at each change of ``mode``, with the mode before and the mode after.
    public typealias TransitionHandler = @Sendable (_ engine: TimerEngine, _ from: Mode, _ to: Mode) -> Void

    struct State {
        var id: UUID
        var refCon: (any Sendable)?
        var tickHandler: TickHandler?
        var transitionHandler: TransitionHandler?
        var countdown: Countdown

        /// What is still to be reported, the first first.
        var reports: [Countdown.Event] = []
        /// Whether a thread is reporting; it goes on until nothing is left.
        var isReporting = false
        var streams: [UUID: AsyncStream<Countdown.Event>.Continuation] = [:]
    }

    let state: Monitor<State>
    let clock: any Clock
    private let waker: any Waker

    init(_ countdown: Countdown, id: UUID, clock: any Clock) {
        state = Monitor(State(id: id, countdown: countdown))
        self.clock = clock
        waker = clock.makeWaker()
    }

    /// An engine, stopped unless it is to start immediately.
    ///
    /// - Parameters:
    ///   - startingTimeInSeconds: Where a run starts, in whole seconds, clamped to 0…86 399. An engine of 0 cannot start.
    ///   - warningTimeInSeconds: Where the warning begins, in seconds, clamped to below the starting time; 0 means none.
    ///   - finalTimeInSeconds: Where the final mode begins, in seconds, clamped to below the warning time, or below the
    ///     starting time where there is none; 0 means none, and so does 1.
    ///   - transitionHandler: Is called at each change of mode.
    ///   - id: What tells the engine from others.
    ///   - refCon: Whatever the client wants to find again at the engine.
    ///   - startImmediately: Whether the engine starts before this returns.
    ///   - clock: What it runs on.
    ///   - tickHandler: Is called at each second.
    public convenience init(
        startingTimeInSeconds: Int = 0, warningTimeInSeconds: Int = 0, finalTimeInSeconds: Int = 0,
        transitionHandler: TransitionHandler? = nil, id: UUID = UUID(), refCon: (any Sendable)? = nil,
        startImmediately: Bool = false, clock: any Clock = SystemClock(), tickHandler: TickHandler? = nil
    ) {
        let thresholds = Thresholds.zero.setting(start: startingTimeInSeconds)
            .setting(warning: warningTimeInSeconds).setting(final: finalTimeInSeconds)
        self.init(Countdown(thresholds), id: id, clock: clock)
        state.withLock { state in
            state.refCon = refCon
            state.transitionHandler = transitionHandler
            state.tickHandler = tickHandler
        }
        if startImmediately { start() }
    }

    deinit {
        for stream in state.withLock(\.streams.values) { stream.finish() }
    }

    // MARK: - How a call is done

    /// Changes the state, has the clock wake the engine when something is due next, and reports what happened.
    @discardableResult
    func perform<Answer: Sendable>(
        _ change: (inout State, _ now: Instant) -> (events: [Countdown.Event], answer: Answer)
    ) -> Answer {
        let answer = state.withLock { state in
            let (events, answer) = change(&state, clock.now)
            state.reports += events
            if let next = state.countdown.nextInstant {
                waker.wake(at: next) { self.catchUp() }
            } else {
                waker.cancel()
            }
            return answer
        }
        report()
        return answer
    }

    func perform(_ change: (inout State, _ now: Instant) -> [Countdown.Event]) {
        perform { (change(&$0, $1), ()) }
    }

    private func catchUp() {
        perform { $0.countdown.advance(to: $1) }
    }

    private struct Report {
        let event: Countdown.Event
        let tickHandler: TickHandler?
        let transitionHandler: TransitionHandler?
        let streams: [AsyncStream<Countdown.Event>.Continuation]
    }

    /// Reports until nothing is left, unless another thread, or this one further up, is at it.
    private func report() {
        var isMine = false
        while let report = nextReport(&isMine) {
            switch report.event {
            case .tick: report.tickHandler?(self)
            case .transition(let from, let to, _): report.transitionHandler?(self, from, to)
            }
            for stream in report.streams { stream.yield(report.event) }
        }
    }

    private func nextReport(_ isMine: inout Bool) -> Report? {
        let was = isMine
        let report: Report? = state.withLock { state in
            guard was || !state.isReporting else { return nil }
            state.isReporting = !state.reports.isEmpty
            guard state.isReporting else { return nil }
            return Report(
                event: state.reports.removeFirst(), tickHandler: state.tickHandler,
                transitionHandler: state.transitionHandler, streams: Array(state.streams.values))
        }
        isMine = report != nil
        return report
    }
}
