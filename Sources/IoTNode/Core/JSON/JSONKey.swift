/// A key of a JSON object as the bytes that stand for it, quotes and colon included, which are made once.
struct JSONKey: ExpressibleByStringLiteral, Hashable, Sendable {
    let bytes: [UInt8]

    init(stringLiteral key: String) { self.init(key) }

    /// Any key.
    init(_ key: String) {
        var writer = JSONWriter()
        writer.value(key)
        bytes = writer.bytes + [UInt8(ascii: ":")]
    }
}

/// The keys of what is published and saved.
extension JSONKey {
    static let alarm: JSONKey = "alarm"
    static let at: JSONKey = "at"
    static let atZero: JSONKey = "at_zero"
    static let before: JSONKey = "before"
    static let boot: JSONKey = "boot"
    static let code: JSONKey = "code"
    static let command: JSONKey = "command"
    static let configured: JSONKey = "configured"
    static let countdown: JSONKey = "countdown"
    static let date: JSONKey = "date"
    static let display: JSONKey = "display"
    static let duplicate: JSONKey = "duplicate"
    static let elapsed: JSONKey = "elapsed"
    static let endsAt: JSONKey = "ends_at"
    static let event: JSONKey = "event"
    static let eventType: JSONKey = "event_type"
    static let final: JSONKey = "final"
    static let from: JSONKey = "from"
    static let group: JSONKey = "group"
    static let groups: JSONKey = "groups"
    static let id: JSONKey = "id"
    static let index: JSONKey = "index"
    static let last: JSONKey = "last"
    static let lastRun: JSONKey = "last_run"
    static let location: JSONKey = "location"
    static let message: JSONKey = "message"
    static let mode: JSONKey = "mode"
    static let model: JSONKey = "model"
    static let name: JSONKey = "name"
    static let next: JSONKey = "next"
    static let oneOff: JSONKey = "one_off"
    static let outputs: JSONKey = "outputs"
    static let over: JSONKey = "over"
    static let overtime: JSONKey = "overtime"
    static let path: JSONKey = "path"
    static let pausedMode: JSONKey = "paused_mode"
    static let player: JSONKey = "player"
    static let preciseRemaining: JSONKey = "precise_remaining"
    static let progress: JSONKey = "progress"
    static let remaining: JSONKey = "remaining"
    static let revision: JSONKey = "revision"
    static let selected: JSONKey = "selected"
    static let settings: JSONKey = "settings"
    static let silencedAt: JSONKey = "silenced_at"
    static let since: JSONKey = "since"
    static let sinceEpoch: JSONKey = "sinceEpoch"
    static let sound: JSONKey = "sound"
    static let start: JSONKey = "start"
    static let startTimerImmediately: JSONKey = "start_timer_immediately"
    static let startedAt: JSONKey = "started_at"
    static let state: JSONKey = "state"
    static let status: JSONKey = "status"
    static let thresholds: JSONKey = "thresholds"
    static let ticked: JSONKey = "ticked"
    static let timer: JSONKey = "timer"
    static let timers: JSONKey = "timers"
    static let transition: JSONKey = "transition"
    static let used: JSONKey = "used"
    static let version: JSONKey = "version"
    static let warning: JSONKey = "warning"
    static let zero: JSONKey = "zero"
}
