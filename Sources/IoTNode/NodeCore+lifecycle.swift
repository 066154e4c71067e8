package import BrokerLink
package import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// Startup, reconfiguration and shutdown.
extension NodeCore {
    mutating func start(saved: [UInt8]?, boot: String, into batch: inout EffectBatch) {
        let now = batch.now.instant
        persistence.start(boot: boot)
        reports.health.begin(at: now)
        if let saved, let restored = persistence.restore(saved, into: &batch) {
            resume(restored, into: &batch)
            resumeFollower(restored.isSameBoot ? restored.state.follow : nil, into: &batch)
        }
        batch.log(.info, "node \(configuration.node.id) started")
        batch.questions.append(.checkClock)
        outputs.start(at: now)
        inputs.start(at: now)
        connection.start(at: now)
    }

    /// Resumes where the last process stopped, as if nothing had happened.
    private mutating func resume(_ restored: Persistence.Restored, into batch: inout EffectBatch) {
        let (state, now) = (restored.state, batch.now.instant)
        reports.discovery.restore(state.announced, into: &batch)
        timer.restore(state)
        talk.restore(state, isSameBoot: restored.isSameBoot)
        undo = state.undo
        spentBudgets.timers = state.spentBudgets
        if let saved = state.programme { programme.restore(saved) }
        if let saved = state.agenda { agenda.restore(saved, isSameBoot: restored.isSameBoot) }
        let countdown = state.player.countdown
        let due = countdown.zero ?? (restored.isSameBoot ? nil : countdown.alarmedSince)
        if restored.isStopped {
            tell(timer.act(at: now) { $0.stop(at: state.at) }, into: &batch)
        } else if let due, due + Persistence.maximumCatchUp < now {
            // The run is stopped just before its end, so the sequence does not move on.
            tell(
                timer.act(at: now) { $0.stop(at: countdown.zero.map { $0 - .nanoseconds(1) } ?? state.at) },
                into: &batch)
            batch.log(.info, "the run ended while the node was down; the timer is stopped")
        } else {
            outputs.resume(state.player, since: timer.modeSince, silencedAt: state.silencedAt, at: now)
            tell(timer.advance(to: now), into: &batch)
        }
        if restored.configured != configuration.timers.model {
            replaceTimers(.configurationChanged(before: restored.configured), into: &batch)
        }
    }

    /// Replaces the current timers with the timers in the configuration.
    mutating func replaceTimers(_ reason: Persistence.ReplacementReason, into batch: inout EffectBatch) {
        persistence.timersReplaced(timer.player.model, reason, into: &batch)
        var model = configuration.timers.model
        model.keepSelection(of: timer.player.model)
        // A configuration's model is checked when the file is read.
        let now = batch.now.instant
        let steps = try? timer.edit(at: now) { $0 = model }
        tell(steps ?? [], into: &batch)
    }

    /// Applies a new configuration. The loop has already replaced the ports that it affects.
    package mutating func reconfigure(_ new: NodeConfiguration, at now: Moment) -> NodeTurn {
        let old = configuration
        guard new != old, !lifecycle.isLeaving else { return NodeTurn(first: [], batch: nil) }
        var batch = EffectBatch(now: now)
        advance(into: &batch)
        configuration = new
        // Changes to these settings require a new connection.
        let reconnects =
            (new.node.id, new.node.groups, new.mqtt, new.remotes, new.follow)
            != (old.node.id, old.node.groups, old.mqtt, old.remotes, old.follow)
        reconfigureFollower(from: old, into: &batch)
        if reconnects {
            follower?.disconnected()
            // Clients that subscribe to the old topics must see that the node is gone.
            reports.reconfigure(new, into: &batch)
            remotes = Remotes(new.remotes)
            commands.reconfigure(new)
            connection.reconfigure(new.mqtt, into: &batch)
        } else if HomeAssistantDevice(new) != HomeAssistantDevice(old) {
            reports.deviceChanged(to: new, at: now.instant)
        }
        if new.signals.told != old.signals.told { reports.health.ask(at: now.instant) }
        mirrors.reconfigure(new.mirrors, isConnected: reports.isConnected, into: &batch)
        outputs.reconfigure(from: old, to: new, showing: shown.player, since: shown.modeSince, at: now.instant)
        inputs.reconfigure(from: old, to: new, at: now.instant)
        persistence.reconfigure(new)
        history.reconfigure(limit: new.runLimit)
        agenda.reconfigure(new.agenda)
        if new.programme != old.programme { programme.gap = new.programme.gap }
        if new.timers.model != old.timers.model {
            replaceTimers(.configurationChanged(before: old.timers.model), into: &batch)
        }
        batch.log(.info, "configuration reloaded")
        update(into: &batch)
        return NodeTurn(batch)
    }

    /// Begins the shutdown: first the lamps go dark, then the node says goodbye to the broker.
    mutating func terminate(into batch: inout EffectBatch) {
        batch.outputs = [.releaseOutputs]
        if reports.isConnected { mirrors.leave(into: &batch) }
        reports.leave(into: &batch)
        persistence.saveAgain()
        lifecycle.beginLeaving(into: &batch)
    }

    /// Handles events during the shutdown. Only store events still matter.
    mutating func handleWhileLeaving(_ events: [NodeEvent], into batch: inout EffectBatch) {
        for case .store(let event) in events { persistence.note(event, into: &batch) }
        // The timer is advanced before its state is saved, because the next process would set aside a state whose
        // deadline had already passed.
        _ = timer.advance(to: batch.now.instant)
    }
}

/// The node's phase: starting, running or shutting down.
struct Lifecycle: Sendable {
    /// How long the node waits for the disk after the request to stop. It must exit within a second.
    static let maximumFarewell: Duration = .milliseconds(900)

    /// Whether the node has announced that it is ready.
    private var isReady = false
    /// When a node that is shutting down exits at the latest; nil while it runs.
    private var leavesBy: Instant?

    var isLeaving: Bool { leavesBy != nil }

    var nextInstant: Instant? { leavesBy }

    /// Announces that the node is ready. It is ready even if the first request for the lines failed.
    mutating func ready(into batch: inout EffectBatch) {
        guard !isReady else { return }
        isReady = true
        batch.announce(.ready)
    }

    /// Begins the shutdown.
    mutating func beginLeaving(into batch: inout EffectBatch) {
        batch.announce(.stopping)
        batch.log(.info, "stopping")
        batch.farewell.append(.disconnect(timeout: .milliseconds(500)))
        leavesBy = batch.now.instant + Self.maximumFarewell
    }

    /// Exits the loop once everything is on the disk, or when the time limit expires.
    func leaveIfDone(isSaving: Bool, into batch: inout EffectBatch) {
        guard let leavesBy else { return }
        if isSaving {
            guard leavesBy <= batch.now.instant else { return }
            let milliseconds = Int(Self.maximumFarewell / .milliseconds(1))
            batch.farewell.append(
                .log(
                    .warning,
                    "the last state was not saved: the disk took longer than \(milliseconds) ms; the previous "
                        + "state is kept"))
        }
        batch.farewell.append(.exit)
    }
}
