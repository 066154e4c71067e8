internal import TimerEngine

/// Where the node is between its beginning and its end.
struct Lifecycle: Sendable {
    /// How long the disk is waited for, counted from the moment the node was told to stop, which it does within a second.
    static let maximumFarewell: Duration = .milliseconds(900)

    /// Whether it was announced that the node is ready.
    private var isReady = false
    /// When a node that was told to stop leaves at the latest; nil for one that runs.
    private var leavesBy: TimerEngine.Instant?

    var isLeaving: Bool { leavesBy != nil }

    var nextInstant: TimerEngine.Instant? { leavesBy }

    /// Whatever came of the first request of the lines, the node does what it can from now on.
    mutating func ready(into batch: inout EffectBatch) {
        guard !isReady else { return }
        isReady = true
        batch.announce(.ready)
    }

    /// The node was told to stop.
    mutating func leave(into batch: inout EffectBatch) {
        batch.announce(.stopping)
        batch.log(.info, "stopping")
        batch.farewell.append(.disconnect(patience: .milliseconds(500)))
        leavesBy = batch.now.instant + Self.maximumFarewell
    }

    /// Leaves the loop once everything is on the disk, or there is no more time for it.
    func leaveIfDone(isSaving: Bool, into batch: inout EffectBatch) {
        guard let leavesBy else { return }
        if isSaving {
            guard leavesBy <= batch.now.instant else { return }
            let milliseconds = Int(Self.maximumFarewell / .milliseconds(1))
            batch.farewell.append(
                .log(
                    .warning,
                    "the last state is not saved: the disk took longer than \(milliseconds) ms; the one before it is what "
                        + "is kept"))
        }
        batch.farewell.append(.exit)
    }
}
