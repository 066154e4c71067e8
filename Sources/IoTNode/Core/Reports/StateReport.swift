internal import FoundationEssentials
internal import TimerEngine

/// What the `state` topic says, all of it but what passes with the seconds.
///
/// Two equal reports are one state: as long as the report stays equal nothing is published.
struct StateReport: Hashable, Sendable {
    let mode: TimerEngine.Mode
    let thresholds: TimerEngine.Thresholds
    /// When a running timer reaches zero.
    let zero: TimerEngine.Instant?
    let alarmedSince: TimerEngine.Instant?
    let startedAt: TimerEngine.Instant?
    let path: TimerPath
    let timer: TimerItem
    /// The name of what runs or is selected.
    let name: String
    let group: Group
    let next: TimerPath?
    let last: TimerPlayer.Run?
    let outputs: [OutputName: OutputState]

    struct Group: Hashable, Sendable {
        let name: String
        let display: TimerGroup.Display
    }

    init(_ player: TimerPlayer, startedAt: TimerEngine.Instant?, outputs: [OutputName: OutputState]) {
        mode = player.mode
        thresholds = player.countdown.thresholds
        zero = player.countdown.zero
        alarmedSince = player.countdown.alarmedSince
        self.startedAt = startedAt
        path = player.model.selected
        timer = player.model.selectedTimer
        name = player.name
        group = Group(name: player.model.selectedGroup.name, display: player.model.selectedGroup.display)
        next = player.upNext
        last = player.lastRun
        self.outputs = outputs
    }

    /// The payload as it reads at `now`.
    func json(remaining: Duration, revision: Int, at now: Moment) -> JSON {
        let start = Duration.seconds(thresholds.start)
        // Above the start after added time, and then nothing of the run has passed yet.
        let elapsed = max(.zero, start - remaining)
        return [
            "mode": .string(mode.name),
            "paused_mode": JSON(mode.isPaused ? mode.unpaused.name : nil),
            "remaining": .integer(remaining.shownSeconds),
            "precise_remaining": JSON(remaining),
            "elapsed": JSON(elapsed),
            "progress": .number(thresholds.start > 0 ? ((elapsed / start) * 1000).rounded() / 1000 : 0),
            "display": .string(TimerEngine.timerDisplay(of: remaining.shownSeconds)),
            "start": .integer(thresholds.start),
            "warning": .integer(thresholds.warning),
            "final": .integer(thresholds.final),
            "started_at": JSON(startedAt.map { Timestamp.text(now.date(of: $0)) }),
            "ends_at": JSON(zero.map { Timestamp.text(now.date(of: $0)) }),
            "overtime": JSON(alarmedSince?.duration(to: now.instant)),
            "timer": [
                "path": .string(path.description), "id": .string(timer.id.uuidString.lowercased()),
                "name": .string(name), "event": JSON(timer.event), "location": JSON(timer.location),
            ],
            "group": [
                "index": .integer(path.group + 1), "name": .string(group.name),
                "display": .string(group.display.rawValue),
            ],
            "next": JSON(next?.description),
            "last": last.map(Self.json) ?? .null,
            "outputs": .object(
                outputs.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value.rawValue)) }),
            "revision": .integer(revision),
        ]
    }

    private static func json(_ run: TimerPlayer.Run) -> JSON {
        ["timer": .string(run.path.description), "used": JSON(run.used), "over": JSON(run.over)]
    }
}
