internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What the `state` topic says, all of it but what passes with the seconds.
///
/// Two equal reports are one state: as long as the report stays equal nothing is published.
package struct StateReport: Hashable, Sendable {
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

extension StateReport {
    /// The report as it reads at one moment: what the payload of `state` is made of.
    package struct Reading: Hashable, Sendable {
        let report: StateReport
        let remaining: Duration
        let revision: Int
        let now: Moment

        /// The payload.
        var bytes: [UInt8] {
            var writer = JSONWriter(capacity: 1024)
            writer.object { write(to: &$0) }
            return writer.bytes
        }
    }
}

extension StateReport.Reading {
    private func write(to writer: inout JSONWriter) {
        let (mode, thresholds) = (report.mode, report.thresholds)
        let start = Duration.seconds(thresholds.start)
        // Above the start after added time, and then nothing of the run has passed yet.
        let elapsed = max(.zero, start - remaining)

        writer.member(.mode, mode.name)
        writer.member(.pausedMode, mode.isPaused ? mode.unpaused.name : nil)
        writer.member(.remaining, remaining.shownSeconds)
        writer.member(.preciseRemaining, remaining)
        writer.member(.elapsed, elapsed)
        writer.member(.progress, thresholds.start > 0 ? ((elapsed / start) * 1000).rounded() / 1000 : 0)
        writer.member(.display, TimerEngine.timerDisplay(of: remaining.shownSeconds))
        writer.member(.start, thresholds.start)
        writer.member(.warning, thresholds.warning)
        writer.member(.final, thresholds.final)
        writer.member(.startedAt, report.startedAt.map { now.date(of: $0) })
        writer.member(.endsAt, report.zero.map { now.date(of: $0) })
        writer.member(.overtime, report.alarmedSince?.duration(to: now.instant))
        writer.member(.timer) { writer in
            writer.member(.path, report.path)
            writer.member(.id, report.timer.id)
            writer.member(.name, report.name)
            writer.member(.event, report.timer.event)
            writer.member(.location, report.timer.location)
        }
        writer.member(.group) { writer in
            writer.member(.index, report.path.group + 1)
            writer.member(.name, report.group.name)
            writer.member(.display, report.group.display.rawValue)
        }
        writer.member(.next, report.next)
        write(report.last, to: &writer)
        writer.member(.outputs) { writer in
            for (name, state) in zip(report.outputNames, report.outputs) { writer.member(name, state.rawValue) }
        }
        writer.member(.revision, revision)
    }

    private func write(_ run: TimerPlayer.Run?, to writer: inout JSONWriter) {
        guard let run else { return writer.member(.last, String?.none) }
        writer.member(.last) { writer in
            writer.member(.timer, run.path)
            writer.member(.used, run.used)
            writer.member(.over, run.over)
        }
    }
}
