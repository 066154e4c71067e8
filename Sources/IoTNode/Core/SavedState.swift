internal import FoundationEssentials
internal import TimerEngine

/// What outlives the process: the player with its instants, and the boot that these belong to.
struct SavedState: Codable {
    /// The version that is written.
    static let version = 1

    var version = Self.version
    /// The id of the machine's boot; an instant means nothing in another one.
    var boot: String
    /// The timers of the configuration at that time; where the file has others now, the file wins.
    var configured: TimerModel
    var player: TimerPlayer
    var startedAt: TimerEngine.Instant?
    /// Since when the buzzer is silenced.
    var silencedAt: TimerEngine.Instant?

    enum CodingKeys: String, CodingKey {
        case version, boot, configured, player
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

/// The state that survives a restart.
extension NodeCore {
    /// A deadline that passed this long ago is caught up with; what is older comes up stopped.
    static let longestCatchUp: Duration = .seconds(60)

    /// Saves the state where it is another than the last one.
    mutating func saveEffects() -> [NodeEffect] {
        let key = SavedState.Key(
            model: player.model, mode: player.mode, thresholds: player.countdown.thresholds,
            zero: player.countdown.zero, startedAt: startedAt, last: player.lastRun, silencedAt: lamps.silencedAt)
        guard configuration.storage != nil, saved != key else { return [] }
        saved = key
        let state = SavedState(
            boot: boot, configured: configuration.timers.model, player: player, startedAt: startedAt,
            silencedAt: lamps.silencedAt)
        guard let document = try? JSONEncoder.canonical.encode(state) else { return [] }
        return [.save(Array(document))]
    }

    /// Goes on where the last process was, as if nothing had happened.
    mutating func restore(_ document: [UInt8], in turn: inout Turn) {
        let state: SavedState
        do {
            state = try JSONDecoder().decode(SavedState.self, from: Data(document))
        } catch {
            return turn.log(.warning, "the saved state cannot be read and is left out: \(error)")
        }
        guard state.version == SavedState.version else {
            return turn.log(.warning, "the saved state is of version \(state.version) and is left out")
        }
        guard state.configured == configuration.timers.model else {
            return turn.log(.warning, "the configuration has other timers than the saved state, which is left out")
        }
        player = state.player
        startedAt = state.startedAt
        if boot.isEmpty || state.boot != boot {
            _ = player.stop(at: turn.now.instant)
            turn.log(.info, "the machine was started anew; the timer is stopped")
        } else if let zero = player.countdown.zero, zero + Self.longestCatchUp < turn.now.instant {
            _ = player.stop(at: turn.now.instant)
            turn.log(.info, "the run ended while the node was down; the timer is stopped")
        } else {
            let now = turn.now.instant
            lamps.show(player.mode, since: min(player.countdown.modeSince ?? now, now))
            if let silencedAt = state.silencedAt { lamps.silence(at: silencedAt) }
            follow(player.advance(to: turn.now.instant), in: &turn)
        }
        if player.mode == .stopped { startedAt = nil }
    }
}
