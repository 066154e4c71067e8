package import BrokerLink
internal import NodeConfiguration
package import NodePorts
package import TimerEngine
internal import TimerProtocol

/// Records what the core is told and what it decides, so that it can be replayed.
///
/// For each turn, the loop calls ``told(_:at:)`` or ``reconfigured(at:)``, then ``decided(_:)`` before it performs each
/// effect, then ``ended(next:_:)``. No call may block.
package protocol TurnRecorder: AnyObject {
    /// The core is about to handle these events.
    func told(_ events: [NodeEvent], at now: Moment)
    /// The core is about to use a new configuration.
    func reconfigured(at now: Moment)
    /// The core requested an effect.
    func decided(_ effect: NodeEffect)
    /// All effects have been performed.
    ///
    /// - Parameters:
    ///   - next: when the core must be called next; nil for never.
    ///   - snapshot: returns what another core needs to continue at a moment.
    func ended(next: Instant?, _ snapshot: (Moment) -> NodeCore.Snapshot)
}

extension NodeCore {
    /// What a core with the same configuration needs to continue where this one is, apart from the state of its ports.
    package struct Snapshot {
        /// The document of the saved state.
        package let state: [UInt8]
        /// The completed runs.
        package let runs: any Savable
    }

    /// Returns what another core needs to continue at a moment.
    package func snapshot(at now: Moment) -> Snapshot {
        var state = savedState(at: now)
        state.adopt(configured: configuration.timers.model)
        return Snapshot(state: state.document, runs: SavedRuns(runs: history.runs))
    }
}
