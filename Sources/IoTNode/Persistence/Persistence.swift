internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// The state that survives a restart: saved when it changes, never while seconds pass.
struct Persistence: Sendable {
    /// A deadline that passed this long ago is caught up with; what is older comes up stopped.
    static let maximumCatchUp: Duration = .seconds(60)

    /// Nil keeps nothing.
    private var storage: NodeConfiguration.Storage?
    /// The timers of the configuration.
    private var configured: TimerModel
    /// Which boot of the machine the instants belong to; empty where that is not known.
    private(set) var boot = ""
    private var saving = Saving()

    init(_ configuration: NodeConfiguration) {
        storage = configuration.storage
        configured = configuration.timers.model
    }

    var nextInstant: Instant? { saving.retryAt }

    /// Whether something is on its way to the disk.
    var isUnderWay: Bool { saving.isUnderWay }

    mutating func start(boot: String) { self.boot = boot }

    mutating func reconfigure(_ configuration: NodeConfiguration) {
        if configuration.storage?.directory != storage?.directory { saving = saving.withOtherStore }
        storage = configuration.storage
        configured = configuration.timers.model
        saving.last = nil
    }

    /// Has the state saved again though it did not change: with other dates, or with the present moment, which is where
    /// a machine that is started anew goes on.
    mutating func saveAgain() { saving.last = nil }

    /// Whether anything is kept.
    var isConfigured: Bool { storage != nil }

    /// Saves the state where it changed; nil where nothing is kept.
    mutating func save(_ state: SavedNodeState?, _ history: RunHistory, into batch: inout EffectBatch) {
        saving.retry(at: batch.now.instant)
        guard var state else { return }
        let timeless = state.timeless
        guard saving.lacks(runs: history.version) || saving.last != timeless else { return }
        saving.last = timeless
        guard saving.pending.isEmpty else { return batch.saves += saving.setAside().map(NodeEffect.setAside) }
        // It follows from the player and the configuration, a reload of which has the state saved again.
        state.configured = configured == state.player.model ? nil : configured
        // The store may leave out a save that waits, where a newer one comes: each has all that is not on the disk.
        let runs = history.version == saving.savedRuns ? nil : history
        batch.saves.append(
            .save(state, runs: runs.map { SavedRuns(runs: $0.runs) }, number: saving.begin(runs: runs?.version)))
    }
}

// MARK: - What the store reports

extension Persistence {
    /// Notes a save that ended well, where nothing else follows from it; returns whether that is so.
    mutating func notesSilently(_ event: NodeEvent) -> Bool {
        guard case .store(.stored(let number)) = event, !saving.hasFailed else { return false }
        saving.ended(number, well: true)
        return true
    }

    /// Notes what the store reports.
    mutating func note(_ event: StoreEvent, into batch: inout EffectBatch) {
        switch event {
        case .stored(let number): stored(number, into: &batch)
        case .failed(let number, let error): storeFailed(number, error, into: &batch)
        case .setAside(let what, let result): wasSetAside(what, result, into: &batch)
        }
    }

    private mutating func stored(_ number: Int, into batch: inout EffectBatch) {
        saving.ended(number, well: true)
        if saving.succeeded() { batch.log(.info, "the state is saved again") }
    }

    private mutating func storeFailed(_ number: Int, _ error: StoreError, into batch: inout EffectBatch) {
        saving.ended(number, well: false)
        if saving.failed(error.description, at: batch.now.instant) {
            batch.log(.warning, "the state is not saved: \(error)")
        }
    }

    /// The saved state is there and cannot be read: it is not replaced unless it can be set aside.
    mutating func loadFailed(_ error: StoreError, at now: Moment) { setAside(because: "\(error)", at: now) }

    /// Something was set aside, under this name, or could not be.
    private mutating func wasSetAside(
        _ what: SetAside, _ result: Result<String, StoreError>, into batch: inout EffectBatch
    ) {
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
}

// MARK: - What is set aside

extension Persistence {
    /// Has the saved state as it is set aside before the next one is saved.
    private mutating func setAside(because reason: String, at now: Moment) {
        keep(.document(suffix: Self.suffix(at: now)), because: reason)
    }

    /// Why the configuration's timers take the place of those that there are.
    enum TimersReplaced {
        /// The configuration has others than before, when those that there are came from it.
        case configurationChanged(before: TimerModel)
        /// Somebody asked for it.
        case reset
    }

    /// Whether there is room for further edits to set aside; a disk that fails keeps the earlier ones waiting.
    var canSetEditsAside: Bool { saving.pending.count < 8 }

    /// Logs that the configuration's timers take the place of those that there are, and has edits of these set aside.
    ///
    /// - Parameter model: the timers that there are.
    mutating func timersReplaced(_ model: TimerModel, _ why: TimersReplaced, into batch: inout EffectBatch) {
        let (before, reason) =
            switch why {
            case .configurationChanged(let before):
                (before, "the timers are those of the configuration, which has others than before")
            case .reset: (configured, "the timers are those of the configuration again")
            }
        let edited = TimersMessage(model)
        if edited == TimersMessage(before) {
            batch.log(.info, reason)
        } else if storage == nil {
            batch.log(.warning, reason + "; there were edits, which are lost, as there is no storage")
        } else {
            keep(
                .edits(edited.bytes, suffix: Self.suffix(at: batch.now)), because: reason + "; there were edits")
        }
    }

    /// Has the saved runs set aside before others are saved.
    mutating func setRunsAside(because reason: String, at now: Moment) {
        if storage != nil { keep(.runs(suffix: Self.suffix(at: now)), because: reason) }
    }

    private mutating func keep(_ what: SetAside, because reason: String) {
        saving.pending.append(Saving.Pending(what: what, reason: reason))
        saving.last = nil
    }

    /// What tells one file that is set aside from another: `set-aside-2026-11-20T120000Z`.
    private static func suffix(at now: Moment) -> String {
        "set-aside-\(Timestamp.text(now.date).prefix(19).filter { $0 != ":" })Z"
    }
}

// MARK: - Restoring

extension Persistence {
    /// Reads the saved runs; those that cannot be read are set aside.
    mutating func restore(_ document: [UInt8], to history: inout RunHistory, at now: Moment) {
        do throws(SavedDocument.Unusable) {
            history.restore(try SavedRuns(document).runs)
            saving.savedRuns = history.version
        } catch {
            setRunsAside(because: "the file of the runs \(error)", at: now)
        }
    }

    /// A state to go on from, on this boot's clock.
    struct Restored {
        let state: SavedNodeState
        /// Whether an alarm that was saved was seen by somebody since: over a reboot nobody knows for how long it was not.
        let isSameBoot: Bool
        /// Whether the run ends where it was last saved, which the configuration wants after a reboot.
        var isStopped = false

        /// The timers of the configuration when the state was saved.
        var configured: TimerModel { state.configured ?? state.player.model }
    }

    /// Reads a saved state; one that cannot be used is set aside.
    mutating func restore(_ document: [UInt8], into batch: inout EffectBatch) -> Restored? {
        do throws(SavedDocument.Unusable) {
            let state = try SavedNodeState(document)
            let isSameBoot = !boot.isEmpty && state.boot == boot
            guard !isSameBoot || state.at <= batch.now.instant else { throw .invalid("it was saved later than now") }
            return isSameBoot ? Restored(state: state, isSameBoot: true) : afterReboot(state, into: &batch)
        } catch {
            setAside(because: "the saved state \(error)", at: batch.now)
            return nil
        }
    }

    /// The state of another boot, as the configuration wants it to go on.
    private func afterReboot(_ state: SavedNodeState, into batch: inout EffectBatch) -> Restored {
        var state = state
        var isStopped = false
        let policy = storage?.afterReboot ?? .pause
        if state.player.mode == .stopped || policy == .resume {
            // Nothing to do but to move it.
        } else if policy == .pause, state.player.mode.isPaused || (try? state.player.pause(at: state.at)) != nil {
            batch.log(.info, "the machine was started anew; the timer is paused where it was last saved")
        } else {
            isStopped = true
            batch.log(.info, "the machine was started anew; the timer is stopped")
        }
        return Restored(state: state.moved(to: batch.now), isSameBoot: false, isStopped: isStopped)
    }
}
