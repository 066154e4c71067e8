internal import FoundationEssentials
internal import TimerEngine

/// What outlives the process: the player with its instants, and the boot that these belong to.
public struct SavedNodeState: Codable, Hashable, Sendable {
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
