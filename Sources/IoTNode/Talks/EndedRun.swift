internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// A run that ended, on the clock of the node.
struct EndedRun: Hashable, Sendable {
    /// A shorter run is a slip of the finger, and is not recorded.
    static let shortest: Duration = .seconds(2)

    let id: UUID
    let timing: TimerPlayer.Run
    let startedAt: Instant
    let endedAt: Instant
    /// The name of the timer's group.
    let group: String
    /// Where the run started, in seconds.
    let start: Int
    /// How many seconds were given in it; negative where more were taken.
    let added: Int
    /// How long it had to take, with the time that was given.
    let qualifying: QualifyingTime

    /// - Parameters:
    ///   - added: the time that was given in it.
    ///   - model: the timers when the run ended.
    ///   - oneOff: what ran in the place of the timer, with a rule of nobody.
    init(
        id: UUID, timing: TimerPlayer.Run, startedAt: Instant, endedAt: Instant,
        added: Duration, of model: TimerModel, oneOff: TimerPlayer.OneOff?
    ) {
        self.id = id
        self.timing = timing
        self.startedAt = startedAt
        self.endedAt = endedAt
        let timer = model[timing.path]
        group = model.groups.indices.contains(timing.path.group) ? model.groups[timing.path.group].name : ""
        start = (oneOff?.thresholds ?? timer?.thresholds)?.start ?? 0
        self.added = added.roundedToSeconds
        qualifying = oneOff == nil ? (timer?.qualifying ?? .none).moved(by: self.added) : .none
    }

    var isSlip: Bool { used < Self.shortest }

    /// How long the run took, to the millisecond, as it is written.
    var used: Duration { timing.used.roundedToMilliseconds }

    /// The record of the run.
    ///
    /// - Parameter grace: how many seconds it may be too short or too long.
    func record(speaker: String?, grace: Int, at now: Moment) -> RunRecord {
        let length = startedAt.duration(to: endedAt)
        var run = RunRecord()
        (run.id, run.timer, run.name, run.group, run.speaker) = (id, timing.path, timing.name, group, speaker)
        (run.startedAt, run.endedAt) = (now.date(of: startedAt), now.date(of: endedAt))
        (run.used, run.over) = (used, timing.over.roundedToMilliseconds)
        run.paused = max(.zero, length - timing.used).roundedToMilliseconds
        (run.start, run.added, run.qualifying, run.grace) = (start, added, qualifying, grace)
        run.qualified = qualifying.qualifies(used: used, grace: grace)
        return run
    }
}

extension Duration {
    fileprivate var roundedToMilliseconds: Duration {
        .milliseconds((self + .microseconds(500)).count(of: .milliseconds(1)))
    }
}

extension UUID {
    /// An id of random numbers, as RFC 9562 has them in version 4.
    static func random(using generator: inout SplitMix64) -> UUID {
        let (high, low) = (generator.next(), generator.next())
        func byte(_ number: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
