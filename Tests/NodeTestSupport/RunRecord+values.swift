package import FoundationEssentials
package import TimerEngine
package import TimerProtocol

extension RunRecord {
    /// Creates a run with all of its values.
    package init(
        id: UUID, timer: TimerPath, name: String, group: String, speaker: String?, startedAt: Date, endedAt: Date,
        used: Duration, paused: Duration, over: Duration, start: Int, qualifying: QualifyingTime, qualified: Bool?
    ) {
        self.init()
        (self.id, self.timer, self.name, self.group, self.speaker) = (id, timer, name, group, speaker)
        (self.startedAt, self.endedAt, self.start) = (startedAt, endedAt, start)
        (self.used, self.paused, self.over) = (used, paused, over)
        (self.qualifying, self.qualified) = (qualifying, qualified)
    }
}
