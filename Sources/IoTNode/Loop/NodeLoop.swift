internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts
package import TimerEngine

/// Waits for events, passes them to the core, and performs the effects that it returns. All decisions are made on the
/// thread that runs this loop.
package final class NodeLoop {
    package private(set) var core: NodeCore
    private var parts: NodeParts
    /// The ports that the loop uses.
    private var sources: [any EventSource<NodeEvent>]
    package private(set) var isRunning = true

    /// Connects a core to its ports.
    package init(core: NodeCore, parts: NodeParts) {
        self.core = core
        self.parts = parts
        sources = parts.sources
    }

    /// Runs until the core asks the loop to exit.
    package func run() {
        // The lamps are dark afterwards, however the loop ends.
        defer { parts.outputs.release() }
        start()
        while isRunning { step() }
    }

    /// Reads the saved state and starts the node.
    package func start() {
        // All events form one batch, because nothing must be saved before everything has been read.
        var events: [NodeEvent] = []
        var saved: [UInt8]?
        do throws(StoreError) {
            events.append(.runsLoaded(try parts.store.loadRuns()))
        } catch {
            events.append(.loadRunsFailed(error))
        }
        do throws(StoreError) { saved = try parts.store.load() } catch { events.append(.loadFailed(error)) }
        handle(events + [.started(saved: saved, boot: parts.clock.boot)])
    }

    /// Waits once and handles the events that ended the wait.
    package func step() {
        let wantsReload = waitAndHandle()
        // Ports may be replaced only now, when no source is in use.
        if wantsReload, isRunning { reload() }
    }

    /// When the core or a source must be called even if nothing is ready; nil for never.
    package var deadline: Instant? {
        deadline(of: waits)
    }

    /// The events that each source waits for, and its deadline.
    private var waits: [(watched: [Interest], due: Instant?)] {
        sources.map { ($0.interests, $0.nextInstant) }
    }

    private func deadline(of waits: [(watched: [Interest], due: Instant?)]) -> Instant? {
        waits.reduce(core.nextInstant) { .earliest($0, $1.due) }
    }

    /// Waits, and handles the events of the sources; returns whether a reload must follow.
    private func waitAndHandle() -> Bool {
        let waits = waits
        let ready = parts.clock.wait(for: waits.flatMap(\.watched), until: deadline(of: waits))

        let now = parts.clock.now.instant
        var wantsReload = false
        for (source, wait) in zip(sources, waits) {
            let own = ready.among(wait.watched)
            if own.isEmpty { guard let due = wait.due, due <= now else { continue } }
            // A source returns a bounded number of events at a time, so the other sources and the timer get a turn.
            let events = source.takeEvents(ready: own, at: now)
            handle(events)
            wantsReload = wantsReload || events.contains { if case .reloadRequested = $0 { true } else { false } }
        }
        // Time passes after the sources have been read, because an edge that occurred in time but is read late still
        // counts: for example, a button that was released before the press became a hold.
        if isRunning, let due = core.nextInstant, due <= now { handle([.timePassed]) }
        return wantsReload
    }

    /// Passes events to the core, performs its effects, and passes their results back to it as further events.
    private func handle(_ events: [NodeEvent]) {
        var events = events
        while isRunning, !events.isEmpty {
            let now = parts.clock.now
            parts.recorder?.told(events, at: now)
            events = perform(core.handle(events, at: now))
        }
    }

    /// Performs the urgent effects, then the deferred ones; returns the resulting events.
    private func perform(_ turn: consuming NodeTurn) -> [NodeEvent] {
        let first = turn.first
        var events = first.compactMap { perform($0) }
        let rest = core.deferredEffects(of: turn)
        // Passing the core itself would copy it.
        defer { parts.recorder?.ended(next: core.nextInstant) { core.snapshot(at: $0) } }
        if rest.isEmpty { return events }
        // On a machine with few processors, the broker and the clients that wait for the mode would otherwise not run
        // until the node has finished everything else.
        if first.contains(where: \.isPublication), rest.contains(where: \.isPublication) { parts.clock.yieldBriefly() }
        // These messages are sent together so the broker reads as few packets as possible.
        parts.connection.collect()
        events += rest.compactMap { perform($0) }
        parts.connection.flush()
        return events
    }

    private func perform(_ effect: NodeEffect) -> NodeEvent? {
        var effect = effect
        if let recorder = parts.recorder {
            // A message is encoded once, for the recorder and the connection.
            effect.encode()
            recorder.decided(effect)
        }
        switch effect {
        case .acquireOutputs(let levels):
            do throws(LinesFault) {
                return .outputsAcquired(try parts.outputs.acquire(levels))
            } catch { return .outputsFailed(error) }
        case .setOutputs(let levels):
            do throws(LinesFault) { try parts.outputs.set(levels) } catch { return .outputsFailed(error) }
        case .releaseOutputs: parts.outputs.release()
        case .acquireInputs:
            do throws(LinesFault) { return .inputsAcquired(try parts.inputs.acquire()) } catch {
                return .inputs(.failed(error))
            }
        case .connect(let request): parts.connection.connect(request)
        case .disconnect(let timeout): parts.connection.disconnect(timeout: timeout)
        case .subscribe(let subscriptions): parts.connection.subscribe(subscriptions)
        case .publish(let message): parts.connection.publish(message)
        case .save(let state, let runs, let number): parts.store.save(state, runs: runs, number: number)
        case .setAside(let what): parts.store.setAside(what)
        case .show(let status): parts.displays.forEach { $0.show(status) }
        case .announce(let announcement): parts.displays.forEach { $0.announce(announcement) }
        case .measureMemory: return .memoryMeasured(parts.residentBytes())
        case .readTimeZones(let names): parts.timeZones.read(names)
        case .checkClock: return .clockChecked(isTrusted: parts.isClockTrusted())
        case .log(let level, let message): parts.log(level, message)
        case .exit: isRunning = false
        }
        return nil
    }

    /// Reads the configuration again. A configuration with errors changes nothing.
    private func reload() {
        // A node that is shutting down has released its lines and must not request them again.
        guard !core.isLeaving else { return }
        switch parts.load() {
        case .failure(let error):
            for line in error.lines { parts.log(.error, line) }
            parts.log(.error, "the new configuration is not used; the old one stays in effect")
        case .success(let loaded):
            for warning in loaded.warnings { parts.log(.warning, warning.description) }
            let (old, new) = (core.configuration, loaded.configuration)
            guard new != old else { return parts.log(.info, "configuration reloaded; nothing changed") }
            replaceParts(ChangedParts(from: old, to: new), new)
            let now = parts.clock.now
            parts.recorder?.reconfigured(at: now)
            handle(perform(core.reconfigure(new, at: now)))
        }
    }

    /// Replaces the ports that a new configuration affects. The old lines are released before new ones are requested.
    private func replaceParts(_ changed: ChangedParts, _ configuration: NodeConfiguration) {
        if changed.isEmpty { return }
        if changed.contains(.lines) {
            parts.outputs.release()
            parts.inputs = NoInputs()
        }
        let replace = parts.replace
        replace(&parts, changed, configuration)
        sources = parts.sources
    }
}
