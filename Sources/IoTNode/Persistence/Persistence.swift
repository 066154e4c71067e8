internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// The state that survives a restart. It is saved when it changes, but not when only time has passed.
struct Persistence: Sendable {
    /// After a restart, the node catches up with a deadline that passed at most this long ago. If it passed earlier,
    /// the timer is stopped.
    static let maximumCatchUp: Duration = .seconds(60)

    /// The storage settings; nil if nothing is stored.
    private var storage: NodeConfiguration.Storage?
    /// The timers in the configuration.
    private var configured: TimerModel
    /// The boot of the machine to which the instants belong; empty if it is unknown.
    private(set) var boot = ""
    private var saving = Saving()

    init(_ configuration: NodeConfiguration) {
        storage = configuration.storage
        configured = configuration.timers.model
    }

    var nextInstant: Instant? { saving.retryAt }

    /// Whether a write to the disk is in progress.
    var isUnderWay: Bool { saving.isUnderWay }

    mutating func start(boot: String) { self.boot = boot }

    mutating func reconfigure(_ configuration: NodeConfiguration) {
        if configuration.storage?.directory != storage?.directory { saving = saving.withOtherStore }
        storage = configuration.storage
        configured = configuration.timers.model
        saving.last = nil
    }

    /// Saves the state again even though it has not changed: with new dates, or with the current moment, from which the
    /// timer resumes after a reboot.
    mutating func saveAgain() { saving.last = nil }

    /// Whether storage is configured.
    var isConfigured: Bool { storage != nil }

    /// Saves the state if it changed.
    ///
    /// - Parameter state: the current state; nil if nothing is stored.
    mutating func save(_ state: SavedNodeState?, _ history: RunHistory, into batch: inout EffectBatch) {
        saving.retry(at: batch.now.instant)
        guard var state else { return }
        // What can no longer be undone is ignored when it is read, so nothing has to be saved to forget it.
        if let undo = saving.last?.undo, undo.until <= batch.now.instant { saving.last?.undo = nil }
        let withoutTick = state.withoutTick
        guard saving.lacks(runs: history.version) || saving.last != withoutTick else { return }
        saving.last = withoutTick
        guard saving.pending.isEmpty else { return batch.saves += saving.setAside().map(NodeEffect.setAside) }
        // This depends on the player and the configuration, and reloading the configuration saves the state again.
        state.adopt(configured: configured)
        // The store may skip a queued save when a newer one arrives, so each save contains everything that is not on
        // the disk.
        let runs = history.version == saving.savedRuns ? nil : history
        batch.saves.append(
            .save(state, runs: runs.map { SavedRuns(runs: $0.runs) }, number: saving.begin(runs: runs?.version)))
    }
}

// MARK: - What the store reports

extension Persistence {
    /// Records a successful save if it needs no further handling; returns whether it was recorded.
    mutating func consumesSilently(_ event: NodeEvent) -> Bool {
        guard case .store(.stored(let number)) = event, !saving.hasFailed else { return false }
        saving.ended(number, well: true)
        return true
    }

    /// Handles a store event.
    mutating func note(_ event: StoreEvent, into batch: inout EffectBatch) {
        switch event {
        case .stored(let number): stored(number, into: &batch)
        case .failed(let number, let error): storeFailed(number, error, into: &batch)
        case .setAside(let what, let result): wasSetAside(what, result, into: &batch)
        }
    }

    private mutating func stored(_ number: Int, into batch: inout EffectBatch) {
        saving.ended(number, well: true)
        if saving.succeeded() { batch.log(.info, "the state can be saved again") }
    }

    private mutating func storeFailed(_ number: Int, _ error: StoreError, into batch: inout EffectBatch) {
        saving.ended(number, well: false)
        if saving.failed(error.description, at: batch.now.instant) {
            batch.log(.warning, "cannot save the state: \(error)")
        }
    }

    /// Handles a saved state that exists but cannot be read. It is replaced only after it has been set aside.
    mutating func loadFailed(_ error: StoreError, at now: Moment) { setAside(because: "\(error)", at: now) }

    /// Handles the result of setting something aside: the name of the file, or the error.
    private mutating func wasSetAside(
        _ what: SetAside, _ result: Result<String, StoreError>, into batch: inout EffectBatch
    ) {
        guard let place = saving.pending.firstIndex(where: { $0.what == what }) else { return }
        let reason = saving.pending[place].reason
        switch result {
        case .success(let file):
            saving.pending.remove(at: place)
            saving.last = nil
            batch.log(.warning, "\(reason); kept \(what.name) as \(file)")
        case .failure(let error):
            saving.pending[place].isUnderWay = false
            if saving.failed("\(reason): \(error)", at: batch.now.instant) {
                batch.log(.warning, "\(reason); cannot keep \(what.name), so nothing is saved: \(error)")
            }
        }
    }
}

// MARK: - What is set aside

extension Persistence {
    /// Sets the saved state aside unchanged before the next one is saved.
    private mutating func setAside(because reason: String, at now: Moment) {
        keep(.document(suffix: Self.suffix(at: now)), because: reason)
    }

    /// Why the configuration's timers replace the current ones.
    enum ReplacementReason {
        /// The configuration's timers have changed since the node adopted them.
        case configurationChanged(before: TimerModel)
        /// A client requested it.
        case reset
    }

    /// Whether more edits can be queued to be set aside. Earlier edits stay queued while the disk fails.
    var canSetEditsAside: Bool { saving.pending.count < 8 }

    /// Logs that the configuration's timers replace the current ones, and sets edits of the current ones aside.
    ///
    /// - Parameter model: the current timers.
    mutating func timersReplaced(_ model: TimerModel, _ why: ReplacementReason, into batch: inout EffectBatch) {
        let (before, reason) =
            switch why {
            case .configurationChanged(let before):
                (before, "the timers in the configuration have changed and replace the current ones")
            case .reset: (configured, "the timers were reset to the ones in the configuration")
            }
        let edited = TimersMessage(model)
        if edited == TimersMessage(before) {
            batch.log(.info, reason)
        } else if storage == nil {
            batch.log(.warning, reason + "; the edits are lost because no storage is configured")
        } else {
            keep(.edits(edited.bytes, suffix: Self.suffix(at: batch.now)), because: reason)
        }
    }

    /// Sets the saved runs aside before new ones are saved.
    mutating func setRunsAside(because reason: String, at now: Moment) {
        if storage != nil { keep(.runs(suffix: Self.suffix(at: now)), because: reason) }
    }

    private mutating func keep(_ what: SetAside, because reason: String) {
        saving.pending.append(Saving.Pending(what: what, reason: reason))
        saving.last = nil
    }

    /// The suffix in the names of files that are set aside: `set-aside-2026-11-20T120000Z`.
    private static func suffix(at now: Moment) -> String {
        "set-aside-\(Timestamp.text(now.date).prefix(19).filter { $0 != ":" })Z"
    }
}

// MARK: - Restoring

extension Persistence {
    /// Reads the saved runs. A file that cannot be read is set aside.
    mutating func restore(_ document: [UInt8], to history: inout RunHistory, at now: Moment) {
        do throws(SavedDocument.Unusable) {
            history.restore(try SavedRuns(document).runs)
            saving.savedRuns = history.version
        } catch {
            setRunsAside(because: "the saved runs file \(error)", at: now)
        }
    }

    /// A state from which the node resumes, converted to this boot's clock.
    struct Restored {
        let state: SavedNodeState
        /// Whether the state was saved during this boot. After a reboot, it is unknown how long a saved alarm was not
        /// visible.
        let isSameBoot: Bool
        /// Whether the run ends at its last saved position, as the configuration may require after a reboot.
        var isStopped = false

        /// The timers in the configuration when the state was saved.
        var configured: TimerModel { state.configured ?? state.player.model }
    }

    /// Reads a saved state. A state that cannot be used is set aside.
    mutating func restore(_ document: [UInt8], into batch: inout EffectBatch) -> Restored? {
        do throws(SavedDocument.Unusable) {
            let state = try SavedNodeState(document)
            let isSameBoot = !boot.isEmpty && state.boot == boot
            guard !isSameBoot || state.at <= batch.now.instant else { throw .invalid("its timestamp is in the future") }
            return isSameBoot ? Restored(state: state, isSameBoot: true) : afterReboot(state, into: &batch)
        } catch {
            setAside(because: "the saved state \(error)", at: batch.now)
            return nil
        }
    }

    /// Returns the state that was saved during another boot, adapted as the configuration requires.
    private func afterReboot(_ state: SavedNodeState, into batch: inout EffectBatch) -> Restored {
        var state = state
        var isStopped = false
        let policy = storage?.afterReboot ?? .pause
        if state.player.mode == .stopped || policy == .resume {
            // The state only has to be converted to this boot's clock.
        } else if policy == .pause, state.player.mode.isPaused || (try? state.player.pause(at: state.at)) != nil {
            batch.log(.info, "the machine was rebooted; the timer is paused where it was last saved")
        } else {
            isStopped = true
            batch.log(.info, "the machine was rebooted; the timer is stopped")
        }
        return Restored(state: state.moved(to: batch.now), isSameBoot: false, isStopped: isStopped)
    }
}
