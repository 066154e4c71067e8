internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What outlives the process: the player with its instants, and the boot that these belong to.
package struct SavedNodeState: Codable, Hashable, Sendable {
    /// The id of the machine's boot; an instant means nothing in another one.
    var boot: String
    /// When it was saved, on both clocks: in another boot they tell what the instants mean.
    var at: TimerEngine.Instant
    var date: Date
    /// The timers of the configuration at that time, where they are others than the player's; where the file has others
    /// now, the file wins.
    var configured: TimerModel?
    var player: TimerPlayer
    var startedAt: TimerEngine.Instant?
    /// Since when the buzzer is silenced.
    var silencedAt: TimerEngine.Instant?

    enum CodingKeys: String, CodingKey {
        case boot, at, date, configured, player
        case startedAt = "started_at"
        case silencedAt = "silenced_at"
    }

    /// What a change of is saved; the passing seconds are none.
    struct Key: Hashable, Sendable {
        let model: TimerModel
        let mode: TimerEngine.Mode
        let thresholds: TimerEngine.Thresholds
        let zero: TimerEngine.Instant?
        let startedAt: TimerEngine.Instant?
        let last: TimerPlayer.Run?
        let silencedAt: TimerEngine.Instant?
    }
}

extension SavedNodeState {
    /// Reads what ``document`` wrote.
    init(_ document: [UInt8]) throws(SavedDocument.Unusable) {
        let json = try SavedDocument.open(document)
        do {
            self = try JSONDecoder().decode(SavedNodeState.self, from: Data(json))
        } catch {
            throw .senseless("\(error)")
        }
        if let flaw { throw .senseless(flaw) }
    }

    /// The same in the boot that is at `now`: what passed since it was saved is what the wall clock says, or nothing
    /// where that goes backwards.
    func moved(to now: Moment) -> SavedNodeState {
        let passed = Duration.seconds(max(0, date.distance(to: now.date)))
        let shift = at.duration(to: now.instant) - passed
        var moved = self
        moved.player.shift(by: shift)
        moved.at = at + shift
        moved.startedAt = startedAt.map { $0 + shift }
        moved.silencedAt = silencedAt.map { $0 + shift }
        return moved
    }
}

/// What is read is not believed: with times that nobody can have had, arithmetic would overflow, which ends a process.
extension SavedNodeState {
    /// Ten thousand years: no boot and no run takes so long.
    private static let maximumTime: Duration = .seconds(10_000 * 366 * 86_400)
    private static let maximumCountdown: Duration = .seconds(TimerEngine.Thresholds.longest)

    /// What no node can have written, in a few words; nil for a state that can be gone on from.
    var flaw: String? {
        if !Timestamp.range.contains(date) { return "its date is none of the years 1970 to 9999" }
        if !Self.isPossible(at.sinceEpoch) { return "it was saved at no time of a boot" }
        // From here on sums with `at` are safe. Saved is what has been brought up to its moment, so that what happened
        // lies before it and what is to come after it.
        let past = [startedAt, silencedAt, player.countdown.alarmedSince].compactMap(\.self)
        if !past.allSatisfy({ $0 <= at && at - Self.maximumTime <= $0 }) {
            return "something happened later than it was saved, or ages ago"
        }
        if let zero = player.countdown.zero, !(at <= zero && zero <= at + Self.maximumCountdown) {
            return "its timer is over, or runs for longer than a timer can"
        }
        let countdown = player.countdown
        let lengths = [countdown.used(at: at), countdown.over(at: at), player.lastRun?.used, player.lastRun?.over]
        if !lengths.compactMap(\.self).allSatisfy(Self.isPossible) {
            return "a run lasted for ages, or less than nothing"
        }
        return nil
    }

    private static func isPossible(_ time: Duration) -> Bool { .zero <= time && time <= maximumTime }
}

/// What becomes of a run when the machine was started anew: how long it was off, only its wall clock can tell.
package enum AfterReboot: String, Hashable, Sendable, CaseIterable {
    /// It is held where it was when it was last saved.
    case pause
    /// It goes on as if the machine had never been off, by the wall clock.
    case resume
    /// It is stopped.
    case stop
}
