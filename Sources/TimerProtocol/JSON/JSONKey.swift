/// A key of a JSON object, with the bytes that it is written as. The bytes are made once.
package struct JSONKey: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The key itself, by which it is found in an object.
    package let name: String
    /// The key as it is written, with quotes and colon.
    package let bytes: [UInt8]

    package init(stringLiteral key: String) { self.init(key) }

    package init(_ key: String) {
        name = key
        var writer = JSONWriter()
        writer.value(key)
        bytes = writer.bytes + [UInt8(ascii: ":")]
    }
}

/// The keys of what is published and saved.
extension JSONKey {
    package static let alarm: JSONKey = "alarm"
    package static let announced: JSONKey = "announced"
    package static let at: JSONKey = "at"
    package static let atZero: JSONKey = "at_zero"
    package static let backend: JSONKey = "backend"
    package static let before: JSONKey = "before"
    package static let boot: JSONKey = "boot"
    package static let broker: JSONKey = "broker"
    package static let chip: JSONKey = "chip"
    package static let code: JSONKey = "code"
    package static let command: JSONKey = "command"
    package static let commands: JSONKey = "commands"
    package static let configured: JSONKey = "configured"
    package static let countdown: JSONKey = "countdown"
    package static let date: JSONKey = "date"
    package static let display: JSONKey = "display"
    package static let dropped: JSONKey = "dropped"
    package static let duplicate: JSONKey = "duplicate"
    package static let duration: JSONKey = "duration"
    package static let elapsed: JSONKey = "elapsed"
    package static let endsAt: JSONKey = "ends_at"
    package static let entities: JSONKey = "entities"
    package static let error: JSONKey = "error"
    package static let event: JSONKey = "event"
    package static let eventType: JSONKey = "event_type"
    package static let fault: JSONKey = "fault"
    package static let final: JSONKey = "final"
    package static let force: JSONKey = "force"
    package static let from: JSONKey = "from"
    package static let gpio: JSONKey = "gpio"
    package static let group: JSONKey = "group"
    package static let groups: JSONKey = "groups"
    package static let id: JSONKey = "id"
    package static let index: JSONKey = "index"
    package static let last: JSONKey = "last"
    package static let lastRun: JSONKey = "last_run"
    package static let lateTicks: JSONKey = "late_ticks"
    package static let location: JSONKey = "location"
    package static let maxTickLateness: JSONKey = "max_tick_lateness_ms"
    package static let message: JSONKey = "message"
    package static let mode: JSONKey = "mode"
    package static let model: JSONKey = "model"
    package static let name: JSONKey = "name"
    package static let next: JSONKey = "next"
    package static let node: JSONKey = "node"
    package static let ok: JSONKey = "ok"
    package static let oneOff: JSONKey = "one_off"
    package static let outputs: JSONKey = "outputs"
    package static let over: JSONKey = "over"
    package static let overtime: JSONKey = "overtime"
    package static let path: JSONKey = "path"
    package static let pausedMode: JSONKey = "paused_mode"
    package static let player: JSONKey = "player"
    package static let preciseRemaining: JSONKey = "precise_remaining"
    package static let prefix: JSONKey = "prefix"
    package static let progress: JSONKey = "progress"
    package static let reconnects: JSONKey = "reconnects"
    package static let remaining: JSONKey = "remaining"
    package static let residentBytes: JSONKey = "rss_bytes"
    package static let revision: JSONKey = "revision"
    package static let seconds: JSONKey = "seconds"
    package static let selected: JSONKey = "selected"
    package static let settings: JSONKey = "settings"
    package static let silencedAt: JSONKey = "silenced_at"
    package static let since: JSONKey = "since"
    package static let sinceEpoch: JSONKey = "sinceEpoch"
    package static let sound: JSONKey = "sound"
    package static let start: JSONKey = "start"
    package static let startTimerImmediately: JSONKey = "start_timer_immediately"
    package static let startedAt: JSONKey = "started_at"
    package static let state: JSONKey = "state"
    package static let status: JSONKey = "status"
    package static let style: JSONKey = "style"
    package static let thresholds: JSONKey = "thresholds"
    package static let ticked: JSONKey = "ticked"
    package static let timer: JSONKey = "timer"
    package static let timers: JSONKey = "timers"
    package static let transition: JSONKey = "transition"
    package static let uptime: JSONKey = "uptime_s"
    package static let used: JSONKey = "used"
    package static let version: JSONKey = "version"
    package static let warning: JSONKey = "warning"
    package static let zero: JSONKey = "zero"
}

/// The keys of the agenda that nothing else has.
extension JSONKey {
    package static let attend: JSONKey = "attend"
    package static let begin: JSONKey = "begin"
    package static let beginsAt: JSONKey = "begins_at"
    package static let day: JSONKey = "day"
    package static let `for`: JSONKey = "for"
    package static let inProgress: JSONKey = "in_progress"
    package static let meeting: JSONKey = "meeting"
    package static let meetings: JSONKey = "meetings"
    package static let note: JSONKey = "note"
    package static let remindAfter: JSONKey = "remind_after"
    package static let slots: JSONKey = "slots"
    package static let zone: JSONKey = "zone"
}
