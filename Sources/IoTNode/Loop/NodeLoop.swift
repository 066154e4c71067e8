internal import TimerEngine

/// Waits, asks the core, and does what it says: the daemon's one thread.
package final class NodeLoop {
    private var core: NodeCore
    private var parts: NodeParts
    /// Those of the parts that are waited for.
    private var sources: [any EventSource]
    private var isRunning = true
    private var isReloadAsked = false

    /// Joins a core with its ports.
    package init(core: NodeCore, parts: NodeParts) {
        self.core = core
        self.parts = parts
        sources = parts.sources
    }

    /// Runs until the core asks to leave.
    package func run() {
        // Whatever way this ends, the lamps are dark afterwards.
        defer { parts.outputs.release() }
        start()
        while isRunning { step() }
    }

    /// Reads what was saved and begins.
    package func start() {
        do throws(StoreError) {
            handle([.started(saved: try parts.store.load(), boot: parts.clock.boot)])
        } catch {
            handle([.loadFailed(error)])
            handle([.started(saved: nil, boot: parts.clock.boot)])
        }
    }

    /// One wait, and what follows from it.
    package func step() {
        waitAndTake()
        // Only now, when no source is in use, may parts be replaced.
        guard isReloadAsked, isRunning else { return }
        isReloadAsked = false
        handle([.reloaded(parts.load())])
    }

    private func waitAndTake() {
        var interests: [Interest] = []
        var ends: [Int] = []
        interests.reserveCapacity(sources.count)
        ends.reserveCapacity(sources.count)
        var deadline = core.nextInstant
        for source in sources {
            interests += source.interests
            ends.append(interests.count)
            deadline = .earliest(deadline, source.nextInstant)
        }
        let ready = parts.clock.wait(for: interests, until: deadline)

        let now = parts.clock.now.instant
        var start = 0
        for (source, end) in zip(sources, ends) {
            let own = interests[start..<end]
            start = end
            let ready = ready.filter { found in own.contains { $0.descriptor == found.descriptor } }
            // A source brings a bounded number at once, so that each gets its turn, and time does as well.
            handle(source.takeEvents(ready: ready, at: now))
        }
        // Afterwards, for what happened in time but is read late counts: a button let go before it was a hold.
        if isRunning, let due = core.nextInstant, due <= now { handle([.timePassed]) }
    }

    /// Asks the core; what comes of its answer at the edge comes back to it as further events.
    private func handle(_ events: [NodeEvent]) {
        var events = events
        while isRunning, !events.isEmpty {
            let first = core.handle(events, at: parts.clock.now)
            events = first.compactMap { perform($0) }
            let rest = core.conclude()
            // Where the broker, and who waits for the mode, share few processors with the node, they would have to wait
            // until it is done with all the rest.
            if first.contains(where: \.isPublication), rest.contains(where: \.isPublication) { parts.clock.rest() }
            // Together, so that the broker has as few packets of it to take as there can be.
            parts.connection.collect()
            events += rest.compactMap { perform($0) }
            parts.connection.flush()
        }
    }

    private func perform(_ effect: NodeEffect) -> NodeEvent? {
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
                return .inputsFailed(error)
            }
        case .connect(let request): parts.connection.connect(request)
        case .disconnect(let patience): parts.connection.disconnect(patience: patience)
        case .subscribe(let subscriptions): parts.connection.subscribe(subscriptions)
        case .publish(let message): parts.connection.publish(message)
        case .save(let state, let number): parts.store.save(state, number: number)
        case .setAside(let what): parts.store.setAside(what)
        case .show(let status): parts.displays.forEach { $0.show(status) }
        case .loadConfiguration: isReloadAsked = true
        case .rebuild(let changed, let configuration): rebuild(changed, configuration)
        case .announce(let announcement): parts.displays.forEach { $0.announce(announcement) }
        case .measureMemory: return .memoryMeasured(parts.residentBytes())
        case .log(let level, let message): parts.log(level, message)
        case .exit: isRunning = false
        }
        return nil
    }

    /// The old lines are let go of before others are asked for.
    private func rebuild(_ changed: ChangedParts, _ configuration: NodeConfiguration) {
        if changed.contains(.lines) {
            parts.outputs.release()
            parts.inputs = NoInputs()
        }
        let rebuild = parts.rebuild
        rebuild(&parts, changed, configuration)
        sources = parts.sources
    }
}
