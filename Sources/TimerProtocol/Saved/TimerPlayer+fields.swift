package import FoundationEssentials
package import TimerEngine

// The player in a saved state.

extension TimerPlayer: Record {
    package init() { self.init(TimerModel()) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var (model, countdown, oneOff, lastRun) = (model, countdown.snapshot, oneOff, lastRun)
        var prepared = prepared
        var accounts = SavedAccount.list(accounts)
        try visitor.field("model", &model, "The timers and the selection.")
        try visitor.field("countdown", &countdown, "The countdown of the selected timer.")
        try visitor.field("one_off", &oneOff, .omitted, "The settings of the current one-off run.")
        try visitor.field("prepared", &prepared, .omitted, "The settings for each start, if not the timer's.")
        try visitor.field("accounts", &accounts, ListBounds(()), .omitted, "The accounts that have been used.")
        try visitor.field("last_run", &lastRun, .omitted, "The last run that ended.")
        try visitor.check { (fields) throws(Refusal) in
            do throws(PlayerError) {
                self = try TimerPlayer(
                    model, countdown, oneOff: oneOff, prepared: prepared, lastRun: lastRun,
                    accounts: SavedAccount.accounts(accounts))
            } catch {
                throw Refusal(.invalidPayload, error.description)
            }
        }
    }
}

/// The account of a timer in a saved state.
package struct SavedAccount: Record {
    package var timer = UUID.unread
    package var account = TimerPlayer.Account()

    package init() {}

    package init(_ timer: UUID, _ account: TimerPlayer.Account) { (self.timer, self.account) = (timer, account) }

    /// The accounts in the order of their timers' ids.
    package static func list(_ accounts: [UUID: TimerPlayer.Account]) -> [SavedAccount] {
        accounts.sorted { $0.key.uuidString < $1.key.uuidString }.map { SavedAccount($0.key, $0.value) }
    }

    /// The accounts in a list.
    package static func accounts(_ list: [SavedAccount]) -> [UUID: TimerPlayer.Account] {
        Dictionary(list.map { ($0.timer, $0.account) }, uniquingKeysWith: { $1 })
    }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("timer", &timer, "The id of the timer.")
        try visitor.field("left", &account.left, .exact, .omitted, "What is left in it.")
        try visitor.field("used", &account.used, .exact, "How long its runs have taken.")
        try visitor.field("spent", &account.spent, .exact, .omitted, "How much of the budget its runs have spent.")
        let (left, used) = (account.left, min(account.used, account.spent))
        try visitor.check { (fields) throws(Refusal) in
            if let left, left < .zero || left > .seconds(Thresholds.longest) {
                throw fields.refusal("left", found: "\(left)", expected: "0 s to \(Thresholds.longest) s")
            }
            if used < .zero { throw fields.refusal("used", found: "\(used)", expected: "0 s or more") }
        }
    }
}

extension TimerPlayer.OneOff: Record {
    package init() { self.init(thresholds: .zero) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("thresholds", &thresholds, "The times of this run.")
        try visitor.field("name", &name, .plain, .omitted, "The name of this run; absent if it is the timer's name.")
        try qualifying.fields(&visitor, .omitted)
    }
}

extension TimerPlayer.Run: Record {
    package init() { self.init(path: .unread, name: "", used: .zero, over: .zero) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("path", &path, "The path of the timer at that time.")
        try visitor.field("name", &name, .plain, "The name at that time.")
        try visitor.field("used", &used, .exact, "How long it took.")
        try visitor.field("over", &over, .exact, "How much of that was alarm time.")
        try visitor.field("total", &total, .exact, .omitted, "How long all runs on the timer's account took.")
    }
}

extension Countdown.Snapshot: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("thresholds", &thresholds, "The times of the run.")
        try visitor.field("used", &used, "The stopwatch for the run.")
        try visitor.field("over", &over, "The stopwatch for the alarm time.")
        try visitor.field("state", &state, "The state of the countdown.")
        try visitor.field("zero", &zero, .omitted, "When a running countdown reaches zero.")
        try visitor.field(
            "ticked", &ticked, .timerSeconds, .omitted, "The last second that a running countdown reported.")
        try visitor.field("remaining", &remaining, .exact, .omitted, "The time left in a paused countdown.")
        try visitor.field("since", &since, .omitted, "When the alarm began.")
        try visitor.field("reserve", &reserve, .exact, .omitted, "What the next start counts down from.")
    }
}

extension Countdown.Snapshot.State: ScalarValue {}

extension Stopwatch: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("before", &before, .exact, "The time measured before the current start of the stopwatch.")
        try visitor.field("since", &since, .omitted, "The current start; absent while halted.")
    }
}

extension Instant: Record {
    package init() { self.init(sinceEpoch: .zero) }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var time = sinceEpoch
        try visitor.field("sinceEpoch", &time, .exact, "The time since the clock's zero.")
        self = Self(sinceEpoch: time)
    }
}
