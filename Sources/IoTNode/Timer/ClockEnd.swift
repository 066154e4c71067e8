internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The end of a run on the wall clock, which the run follows when the clock is set.
struct ClockEnd: Hashable, Sendable {
    /// A difference that is not followed: the wall clock is less precise than the boot clock.
    fileprivate static let tolerance: Duration = .milliseconds(20)
    /// A transition that has been shown is not taken back for less than this.
    fileprivate static let hold: Duration = .seconds(2)

    var date = Date.unread
    /// The modes that have been announced: 0 for none after the countdown, up to 3 for the alarm.
    var announced = 0

    /// Returns the end of a run that begins in a mode.
    func beginning(in mode: Mode) -> ClockEnd {
        var end = self
        end.announced = mode.rank
        return end
    }

    /// Records that a mode began; returns whether it had been announced before.
    mutating func hasAnnounced(_ mode: Mode, after old: Mode) -> Bool {
        guard mode.isRunning || mode == .alarm, old.isRunning || old == .alarm else { return false }
        defer { announced = max(announced, mode.rank) }
        return mode.rank <= announced
    }

    /// When it ends, on the boot clock.
    func zero(at now: Moment) -> Instant {
        now.instant + .microseconds((now.date.distance(to: date) * 1_000_000).rounded())
    }
}

extension Mode {
    fileprivate var rank: Int {
        switch self {
        case .stopped, .countdown, .paused: 0
        case .warning: 1
        case .final: 2
        case .alarm: 3
        }
    }
}

extension RunningTimer {
    /// Follows the wall clock: a run that ends by the clock has as much time left as the clock says.
    mutating func followClock(at now: Moment) -> [Step] {
        guard let clock, let shown = player.countdown.zero ?? player.countdown.alarmedSince else { return [] }
        let zero = clock.zero(at: now)
        let shift = shown.duration(to: zero)
        // No timer runs for longer.
        guard now.instant.duration(to: zero) <= .seconds(Thresholds.longest) else { return [] }
        guard shift > ClockEnd.tolerance || shift < .zero - ClockEnd.tolerance else { return [] }
        let new = player.mode(withLeft: now.instant.duration(to: zero))
        if new.rank < player.mode.rank, shift < ClockEnd.hold { return [] }
        // In the alarm, only the beginning would move.
        if new == .alarm, player.mode == .alarm { return [] }
        return act(at: now.instant) { $0.moveZero(to: zero, at: now.instant) }
    }

    /// Moves the end on the clock after a command has changed the time left.
    ///
    /// - Parameter before: the time that was left before the command.
    mutating func moveClockEnd(from before: Duration, at now: Moment) {
        guard clock != nil else { return }
        let left = player.countdown.remaining(at: now.instant)
        if player.mode.isPaused, before > .zero {
            clock?.date.addTimeInterval((left - before).inSeconds)
        } else {
            clock?.date = now.date.addingTimeInterval(left.inSeconds)
        }
        // What is announced again is new.
        clock = clock?.beginning(in: player.mode)
    }
}

extension ClockEnd: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.savedDate("date", &date, "When the run ends.")
        try visitor.field("announced", &announced, 0...3, "How many modes after the countdown have been announced.")
    }
}

// Starting a run that ends by the clock.
extension NodeCore {
    /// Returns the settings of a run that ends by the clock, and its end.
    func oneOff(
        until end: ClockRun.End, warning: Int?, final: Int?, name: String?, qualifying: QualifyingTime = .none,
        of timer: TimerItem, at now: Moment
    ) throws(Refusal) -> (oneOff: TimerPlayer.OneOff, end: ClockEnd) {
        let date: Date
        switch end {
        case .date(let given): date = given
        case .time(let time):
            guard let zone = agenda.ownZone else {
                throw Refusal(.notAllowed, "the time zone is not known yet; try again")
            }
            date = zone.next(time, after: now.date)
        }
        let end = ClockEnd(date: date)
        let left = now.instant.duration(to: end.zero(at: now))
        let range = 1...Thresholds.longest
        guard range.contains(left.shownSeconds) else {
            throw Refusal(
                .invalidPayload,
                "field \"until\": found \(Timestamp.text(date)), expected a time within the next 24 hours")
        }
        let thresholds = Thresholds.zero.setting(start: left.shownSeconds)
            .setting(warning: warning ?? timer.thresholds.warning).setting(final: final ?? timer.thresholds.final)
        return (TimerPlayer.OneOff(thresholds: thresholds, name: name, qualifying: qualifying), end)
    }

    /// Whether the wall clock may be wrong.
    func checkClock(at now: Moment) throws(Refusal) {
        guard !agenda.mayBeWrong(at: now) else {
            throw Refusal(
                .notAllowed, "the clock of the node may be wrong; {\"trust\":true} starts the run nevertheless")
        }
    }

    mutating func start(_ run: ClockRun, into batch: inout EffectBatch) throws(Refusal) -> [RunningTimer.Step] {
        let (now, model) = (batch.now, timer.player.model)
        if !run.trustsClock { try checkClock(at: now) }
        let path = try run.selector.map { (text) throws(Refusal) in try model.path(selector: text) } ?? model.selected
        let item = model[path] ?? model.selectedTimer
        let (oneOff, end) = try oneOff(
            until: run.end, warning: run.warning, final: run.final, name: run.name, of: item, at: now)
        var steps = try timer.act(at: now.instant) { (player) throws(Refusal) in
            var next = player
            var events = path == model.selected ? [] : try Refusal.of(try next.select(path, at: now.instant))
            events += try Refusal.of(try next.start(oneOff, at: now.instant))
            player = next
            return events
        }
        timer.clock = end.beginning(in: timer.player.mode)
        steps += timer.followClock(at: now)
        return steps
    }

    /// Puts up what is left until the end of the current entry, for an entry that ends by the clock.
    ///
    /// - Returns: its end; nil for any other entry.
    mutating func putUpClockEntry(at now: Moment) throws(Refusal) -> ClockEnd? {
        guard timer.player.mode == .stopped, let prepared = timer.player.prepared, let entry = programme.currentEntry,
            let until = entry.until, prepared.name == entry.title
        else { return nil }
        try checkClock(at: now)
        let (oneOff, end) = try oneOff(of: entry, until: until, at: now)
        timer.player.putUp(oneOff)
        return end
    }

    /// Returns the times of an entry that ends by the clock, and its end.
    func oneOff(
        of entry: Programme.Entry, until time: TimeOfDay, at now: Moment
    ) throws(Refusal) -> (oneOff: TimerPlayer.OneOff, end: ClockEnd) {
        let rule = try? QualifyingTime(minimum: entry.minimum, maximum: entry.maximum)
        return try oneOff(
            until: .time(time), warning: entry.warning, final: entry.final, name: entry.title,
            qualifying: rule ?? .none, of: timer.player.model.selectedTimer, at: now)
    }
}
