public import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

// What a node's messages tell of the meeting in progress.
extension NodeMirror {
    /// When the meeting in progress is expected to end: with this and the following timers of its group.
    ///
    /// It is nil unless the timer runs, and unless its group is the attended meeting: its timers take as long together as
    /// the meeting, within a tenth. A group that is only a part of the meeting says nothing about its end.
    public func expectedEndOfMeeting(at now: NodeClient.Moment) -> Date? {
        guard let state, state.mode.isRunning, let meeting = state.meeting, isPlanned(meeting), let left = meeting.left,
            let remaining = remaining(at: now.instant)
        else { return nil }
        return now.date.addingTimeInterval((remaining + .seconds(max(0, left - state.remaining))).inSeconds)
    }

    /// Whether the timers of the selected group make up a meeting.
    private func isPlanned(_ meeting: StateMessage.Meeting) -> Bool {
        guard let group = state?.timer.path.group, let groups = timers?.model.groups, groups.indices.contains(group)
        else { return false }
        // One that began early has a longer way to its end.
        let begin = agenda?.inProgress.first { $0.name == meeting.name && $0.endsAt == meeting.plannedEnd }?.beginsAt
        let length = (begin ?? meeting.beganAt).distance(to: meeting.plannedEnd)
        let planned = TimeInterval(groups[group].timers.reduce(0) { $0 + $1.thresholds.start })
        return abs(planned - length) <= length / 10
    }
}
