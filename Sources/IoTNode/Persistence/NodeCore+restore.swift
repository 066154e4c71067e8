internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What a node that begins takes up from the one before.
extension NodeCore {
    /// A deadline that passed this long ago is caught up with; what is older comes up stopped.
    static let longestCatchUp: Duration = .seconds(60)

    /// Goes on where the last process was, as if nothing had happened.
    mutating func restore(_ document: [UInt8], into batch: inout EffectBatch) {
        do throws(SavedDocument.Unusable) {
            let state = try SavedNodeState(document)
            guard !isOfThisBoot(state) || state.at <= batch.now.instant else {
                throw .senseless("it was saved later than now")
            }
            takeUp(state, into: &batch)
        } catch {
            keep(.document(suffix: Self.suffix(at: batch.now)), because: "the saved state \(error)")
        }
    }

    private func isOfThisBoot(_ state: SavedNodeState) -> Bool { !boot.isEmpty && state.boot == boot }

    private mutating func takeUp(_ state: SavedNodeState, into batch: inout EffectBatch) {
        let isSameBoot = isOfThisBoot(state)
        let state = isSameBoot ? state : afterReboot(state, into: &batch)
        player = state.player
        startedAt = state.startedAt
        let now = batch.now.instant
        // An alarm that was seen goes on; over a reboot nobody knows for how long it was not.
        let due = player.countdown.zero ?? (isSameBoot ? nil : player.countdown.alarmedSince)
        if let due, due + Self.longestCatchUp < now {
            // Just before it was due, so that the sequence does not go on.
            _ = player.stop(at: player.countdown.zero.map { $0 - .nanoseconds(1) } ?? state.at)
            batch.log(.info, "the run ended while the node was down; the timer is stopped")
        } else {
            lamps.show(player.mode, since: min(player.countdown.modeSince ?? now, now))
            if let silencedAt = state.silencedAt { lamps.silence(at: silencedAt) }
            apply(player.advance(to: now), from: state.player, into: &batch)
        }
        if player.mode == .stopped { startedAt = nil }
        let configured = state.configured ?? state.player.model
        if configured != configuration.timers.model { takeTimersOfFile(instead: configured, into: &batch) }
    }

    /// The state of another boot, as the configuration wants it to go on, on this boot's clock.
    private func afterReboot(_ state: SavedNodeState, into batch: inout EffectBatch) -> SavedNodeState {
        var state = state
        let policy = configuration.storage?.afterReboot ?? .pause
        if state.player.mode == .stopped || policy == .resume {
            // Nothing to do but to move it.
        } else if policy == .pause, state.player.mode.isPaused || (try? state.player.pause(at: state.at)) != nil {
            batch.log(.info, "the machine was started anew; the timer is paused where it was last saved")
        } else {
            _ = state.player.stop(at: state.at)
            batch.log(.info, "the machine was started anew; the timer is stopped")
        }
        return state.moved(to: batch.now)
    }

    /// The timers of the file take the place of those there are, since the file has others than it had.
    ///
    /// - Parameter before: what the file had when the present ones came from it.
    mutating func takeTimersOfFile(instead before: TimerModel, into batch: inout EffectBatch) {
        let edited = TimersMessage(player.model)
        if edited == TimersMessage(before) {
            batch.log(.info, "the timers are those of the configuration, which has others than before")
        } else {
            keep(
                .edits(edited.bytes, suffix: Self.suffix(at: batch.now)),
                because: "the timers are those of the configuration, which has others than before; there were edits")
        }
        var model = configuration.timers.model
        model.keepSelection(of: player.model)
        // The model of a configuration was checked when it was read.
        let before = player
        let events = try? player.edit(at: batch.now.instant) { $0 = model }
        apply(events ?? [], from: before, into: &batch)
    }
}
