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
    /// The outputs' names, and what each of them does.
    let outputNames: [JSONKey]
    let outputs: [OutputState]

    struct Group: Hashable, Sendable {
        let name: String
        let display: TimerGroup.Display
    }

    init(_ player: TimerPlayer, startedAt: TimerEngine.Instant?, outputNames: [JSONKey], outputs: [OutputState]) {
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
        self.outputNames = outputNames
        self.outputs = outputs
    }
}
