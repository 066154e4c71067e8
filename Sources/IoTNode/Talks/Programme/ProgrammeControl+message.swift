internal import BrokerLink
internal import Calendar
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

// What is planned and expected.
extension ProgrammeControl {
    /// How long before the time at which it was sent a running order may begin. An entry without a day is the next one
    /// after that.
    private static let earliest: TimeInterval = -6 * 3600

    /// The values that decide what is published: while they stay the same, only time passes.
    struct Key: Hashable, Sendable {
        fileprivate let version: Int
        fileprivate let modelRevision: Int
        fileprivate let mode: ModeName
        /// When the timer reaches zero, and what is left of a timer that does not run.
        fileprivate let zero: Instant?
        fileprivate let left: Duration?
        fileprivate let startedAt: Instant?
        fileprivate let zone: TimeZoneRules?
    }

    func key(_ timer: RunningTimer, _ zone: TimeZoneRules?, at now: Instant) -> Key? {
        guard programme != nil else { return nil }
        let countdown = timer.player.countdown
        return Key(
            version: version, modelRevision: timer.modelRevision, mode: ModeName(timer.player.mode),
            zero: countdown.zero, left: countdown.zero == nil ? countdown.remaining(at: now) : nil,
            startedAt: timer.startedAt, zone: zone)
    }

    /// Returns the message to publish; nil without a running order.
    func message(_ timer: RunningTimer, _ zone: TimeZoneRules?, at now: Moment) -> ProgrammeMessage? {
        guard programme != nil else { return nil }
        var message = ProgrammeMessage()
        (message.revision, message.current, message.date) = (revision, current, now.date)
        let length = { (entry: Programme.Entry, begin: Date) in
            self.length(of: entry, from: begin, timer.player.model, zone)
        }
        let planned = planned(timer.player.model, zone)
        var cursor = max(now.date, planned?.first ?? now.date)
        var isFirst = true
        if let currentIndex {
            cursor = now.date.addingTimeInterval(
                left(of: length(entries[currentIndex], now.date), timer, at: now.instant))
            isFirst = false
        }
        message.entries = entries.indices.map { index in
            var entry = ProgrammeMessage.Entry()
            let progress = progress(of: entries[index].id)
            entry.entry = entries[index]
            entry.state = state(of: progress)
            entry.planned = planned?[index]
            if progress.used > .zero { entry.used = progress.used }
            switch entry.state {
            case .done: entry.expected = progress.began
            case .skipped: break
            case .current:
                let startedAt = run == nil ? nil : timer.startedAt.map { now.date(of: $0) }
                entry.expected = progress.began ?? startedAt ?? now.date
            // An entry that was passed over is not expected any more.
            case .coming where index < currentIndex ?? 0: break
            case .coming:
                if !isFirst { cursor.addTimeInterval(gap.inSeconds) }
                isFirst = false
                entry.expected = cursor
                cursor.addTimeInterval(length(entries[index], cursor))
            }
            return entry
        }
        return message
    }

    /// The current entry in the state, or nil if there is none.
    var shown: StateMessage.Entry? {
        guard let currentIndex, let id = entries[currentIndex].id else { return nil }
        return StateMessage.Entry(
            id: id, number: currentIndex + 1, count: entries.count, title: entries[currentIndex].title)
    }

    private func state(of progress: Progress) -> ProgrammeMessage.State {
        if progress.id == current { return .current }
        return progress.isSkipped ? .skipped : progress.isDone ? .done : .coming
    }

    /// When an entry was planned to begin; nil if no entry has a time of day.
    func planned(of entry: Programme.Entry, _ model: TimerModel, _ zone: TimeZoneRules?) -> Date? {
        entries.firstIndex { $0.id == entry.id }.flatMap { planned(model, zone)?[$0] }
    }

    /// How long an entry that begins at a date is meant to take, in seconds, including the timers that follow in its
    /// sequence.
    private func length(
        of entry: Programme.Entry, from begin: Date, _ model: TimerModel, _ zone: TimeZoneRules?
    ) -> TimeInterval {
        if let end = entry.until.flatMap({ zone?.next($0, after: begin) }) { return begin.distance(to: end) }
        if let start = entry.start { return TimeInterval(start) }
        guard let timer = entry.timer, let path = try? model.path(selector: timer) else { return 0 }
        return TimeInterval(model.sequence(from: path).reduce(0) { $0 + $1.thresholds.start })
    }

    /// How much of the current entry is left, in seconds.
    private func left(of length: TimeInterval, _ timer: RunningTimer, at now: Instant) -> TimeInterval {
        guard run != nil else { return progress(of: current).isDone ? 0 : length }
        let player = timer.player
        let left = player.countdown.remaining(at: now).inSeconds
        guard player.mode != .alarm, player.upNext != nil else { return left }
        let rest = player.model.sequence(from: player.model.selected).dropFirst()
        return left + TimeInterval(rest.reduce(0) { $0 + $1.thresholds.start })
    }

    /// When each entry was planned to begin: the first one with a time of day anchors the plan.
    private func planned(_ model: TimerModel, _ zone: TimeZoneRules?) -> [Date]? {
        guard let zone, let anchor = entries.firstIndex(where: { $0.at != nil }), let at = entries[anchor].at else {
            return nil
        }
        let earliest = sentAt.addingTimeInterval(Self.earliest)
        var day = zone.local(of: earliest).day
        while zone.instant(ofLocal: day, at) < earliest { day = CivilDate(daysSince1970: day.daysSince1970 + 1) }
        var begin = zone.instant(ofLocal: day, at)
        let length = { (entry: Programme.Entry, begin: Date) in
            self.length(of: entry, from: begin, model, zone) + gap.inSeconds
        }
        for entry in entries[..<anchor] { begin.addTimeInterval(-length(entry, begin)) }
        return entries.map { entry in
            defer { begin.addTimeInterval(length(entry, begin)) }
            return begin
        }
    }
}

extension TimerModel {
    /// A timer and those that follow it automatically.
    fileprivate func sequence(from path: TimerPath) -> [TimerItem] {
        var (timers, next) = ([TimerItem](), Optional(path))
        while let path = next, let timer = self[path] {
            timers.append(timer)
            next = successor(of: path)
        }
        return timers
    }
}
