internal import TimerEngine

/// A node that was told to stop: its lamps are dark and it has said goodbye, and its last state is on the way to the disk.
extension NodeCore {
    /// How long the disk is waited for, counted from the moment the node was told to stop, which it does within a second.
    static let longestFarewell: Duration = .milliseconds(900)

    /// Takes what happens meanwhile, of which only the disk matters.
    mutating func leave(_ events: [NodeEvent], at now: Moment) -> [NodeEffect] {
        var batch = EffectBatch(now: now)
        for event in events {
            switch event {
            case .stored(let number): stored(number, into: &batch)
            case .storeFailed(let number, let error): storeFailed(number, error, into: &batch)
            case .setAside(let what, let result): wasSetAside(what, result, into: &batch)
            default: break
            }
        }
        // A state is saved as of now; one whose time has passed would be set aside by the next process.
        _ = player.advance(to: now.instant)
        let saves = saveEffects(at: now)
        return batch.laterEffects(timers: [], state: [], saves: saves) + exitEffects(at: now)
    }

    /// Leaves, once everything is on the disk or there is no more time for it.
    func exitEffects(at now: Moment) -> [NodeEffect] {
        guard saving.isUnderWay else { return [.exit] }
        guard let leavesBy, leavesBy <= now.instant else { return [] }
        let patience = Int(Self.longestFarewell / .milliseconds(1))
        return [
            .log(
                .warning,
                "the last state is not saved: the disk took longer than \(patience) ms; the one before it is what is kept"
            ),
            .exit,
        ]
    }
}
