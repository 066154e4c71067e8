internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The state that survives a restart: saved when it changes, never while seconds pass.
extension NodeCore {
    /// Saves the state where it is another than the last one.
    mutating func saveEffects(at now: Moment) -> [NodeEffect] {
        saving.retry(at: now.instant)
        let key = SavedNodeState.Key(
            model: player.model, mode: player.mode, thresholds: player.countdown.thresholds,
            zero: player.countdown.zero, startedAt: startedAt, last: player.lastRun, silencedAt: lamps.silencedAt)
        guard configuration.storage != nil, saving.last != key else { return [] }
        saving.last = key
        guard saving.pending.isEmpty else { return saving.setAside().map(NodeEffect.setAside) }
        let timers = configuration.timers.model
        let state = SavedNodeState(
            boot: boot, at: now.instant, date: now.date, configured: timers == player.model ? nil : timers,
            player: player,
            startedAt: startedAt, silencedAt: lamps.silencedAt)
        return [.save(state, number: saving.begin())]
    }

    mutating func stored(_ number: Int, into batch: inout EffectBatch) {
        saving.ended(number)
        if saving.succeeded() { batch.log(.info, "the state is saved again") }
    }

    mutating func storeFailed(_ number: Int, _ error: StoreError, into batch: inout EffectBatch) {
        saving.ended(number)
        if saving.failed(error.description, at: batch.now.instant) {
            batch.log(.warning, "the state is not saved: \(error)")
        }
    }

    /// The saved state is there and cannot be read: it is not replaced unless it can be set aside.
    mutating func loadFailed(_ error: StoreError, into batch: inout EffectBatch) {
        keep(.document(suffix: Self.suffix(at: batch.now)), because: "\(error)")
    }

    /// Something was set aside, under this name, or could not be.
    mutating func wasSetAside(_ what: SetAside, _ result: Result<String, StoreError>, into batch: inout EffectBatch) {
        guard let place = saving.pending.firstIndex(where: { $0.what == what }) else { return }
        let reason = saving.pending[place].reason
        switch result {
        case .success(let file):
            saving.pending.remove(at: place)
            saving.last = nil
            batch.log(.warning, "\(reason); set aside as \(file)")
        case .failure(let error):
            saving.pending[place].isUnderWay = false
            if saving.failed("\(reason): \(error)", at: batch.now.instant) {
                batch.log(.warning, "\(reason), and nothing is saved until it can be set aside: \(error)")
            }
        }
    }

    /// Has something set aside before the state is saved next.
    mutating func keep(_ what: SetAside, because reason: String) {
        saving.pending.append(Saving.Pending(what: what, reason: reason))
        saving.last = nil
    }

    /// What tells one file that is set aside from another: `set-aside-2026-11-20T120000Z`.
    static func suffix(at now: Moment) -> String {
        "set-aside-\(Timestamp.text(now.date).prefix(19).filter { $0 != ":" })Z"
    }
}
