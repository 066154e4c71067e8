package import BrokerLink
package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// Waits, asks the core, and performs its effects, on the daemon's one thread that decides.
package final class NodeLoop {
    package private(set) var core: NodeCore
    private var parts: NodeParts
    /// The parts that are waited for.
    private var sources: [any EventSource<NodeEvent>]
    package private(set) var isRunning = true

    /// Joins a core with its ports.
    package init(core: NodeCore, parts: NodeParts) {
        self.core = core
        self.parts = parts
        sources = parts.sources
    }

    /// Runs until the core asks to leave.
    package func run() {
        // However this ends, the lamps are dark afterwards.
        defer { parts.outputs.release() }
        start()
        while isRunning { step() }
    }

    /// Reads what was saved and begins.
    package func start() {
        // Together, since nothing is saved before all is read.
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

    /// One wait, and what follows from it.
    package func step() {
        let wantsReload = waitAndHandle()
        // Only now, when no source is in use, may parts be replaced.
        if wantsReload, isRunning { reload() }
    }

    /// When the core or a source wants to be called though nothing is ready; nil for never.
    package var deadline: Instant? {
        deadline(of: waits)
    }

    /// What is waited for, and until when, for each source.
    private var waits: [(watched: [Interest], due: Instant?)] {
        sources.map { ($0.interests, $0.nextInstant) }
    }

    private func deadline(of waits: [(watched: [Interest], due: Instant?)]) -> Instant? {
        waits.reduce(core.nextInstant) { .earliest($0, $1.due) }
    }

    /// Waits, and handles what the sources bring; returns whether it is to be followed by a reload.
    private func waitAndHandle() -> Bool {
        let waits = waits
        let ready = parts.clock.wait(for: waits.flatMap(\.watched), until: deadline(of: waits))

        let now = parts.clock.now.instant
        var wantsReload = false
        for (source, wait) in zip(sources, waits) {
            let own = ready.among(wait.watched)
            if own.isEmpty { guard let due = wait.due, due <= now else { continue } }
            // A source brings a bounded number of events at once, so that each gets its turn, and time does as well.
            let events = source.takeEvents(ready: own, at: now)
            handle(events)
            wantsReload = wantsReload || events.contains { if case .reloadRequested = $0 { true } else { false } }
        }
        // After the sources: an edge that was in time but is read late still counts, such as a button that was released
        // before the press became a hold.
        if isRunning, let due = core.nextInstant, due <= now { handle([.timePassed]) }
        return wantsReload
    }

    /// Asks the core, performs its effects, and hands their results back to it as further events.
    private func handle(_ events: [NodeEvent]) {
        var events = events
        while isRunning, !events.isEmpty { events = perform(core.handle(events, at: parts.clock.now)) }
    }

    /// Performs what must not wait, then what else the core has to do; returns what came of it.
    private func perform(_ turn: consuming NodeTurn) -> [NodeEvent] {
        let first = turn.first
        var events = first.compactMap { perform($0) }
        let rest = core.deferredEffects(of: turn)
        if rest.isEmpty { return events }
        // On few processors the broker, and who waits for the mode, would wait until the node is done with the rest.
        if first.contains(where: \.isPublication), rest.contains(where: \.isPublication) { parts.clock.letOthersRun() }
        // Together, so that the broker has as few packets to read as possible.
        parts.connection.collect()
        events += rest.compactMap { perform($0) }
        parts.connection.flush()
        return events
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
                return .inputs(.failed(error))
            }
        case .connect(let request): parts.connection.connect(request)
        case .disconnect(let patience): parts.connection.disconnect(patience: patience)
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

    /// Reads the configuration again. One with faults changes nothing.
    private func reload() {
        // A node that leaves has released its lines for good.
        guard !core.isLeaving else { return }
        switch parts.load() {
        case .failure(let error):
            for line in error.lines { parts.log(.error, line) }
            parts.log(.error, "the configuration is not used; the old one stays")
        case .success(let loaded):
            for warning in loaded.warnings { parts.log(.warning, warning.description) }
            let (old, new) = (core.configuration, loaded.configuration)
            guard new != old else { return parts.log(.info, "the configuration was read again; nothing changed") }
            replaceParts(ChangedParts(from: old, to: new), new)
            handle(perform(core.reconfigure(new, at: parts.clock.now)))
        }
    }

    /// Replaces the ports that another configuration concerns. The old lines are released before new ones are requested.
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

/// The ports that a loop works with.
package struct NodeParts {
    /// Tells the time and waits.
    package var clock: any NodeClock
    /// The connection to the broker.
    package var connection: any MQTTConnection
    /// The lamps and the buzzer.
    package var outputs: any Outputs
    /// The buttons.
    package var inputs: any Inputs
    /// Keeps the state over restarts.
    package var store: any Store
    /// Signals and other sources besides the connection, the lines and the store.
    package var otherSources: [any EventSource<NodeEvent>]
    /// Where the status is shown.
    package var displays: [any StatusDisplay]
    /// The system's time zones.
    package var timeZones: any TimeZoneSource = NoTimeZones()
    /// Whether the wall clock can be believed.
    package var isClockTrusted: () -> Bool = { true }
    /// Tells how many bytes of memory the process has; nil where that is not known.
    package var residentBytes: () -> Int?
    /// Writes a log line.
    package var log: (LogLevel, String) -> Void
    /// Reads the configuration again.
    package var load: () -> Result<NodeConfiguration.Loaded, ConfigurationError> = { .failure(.faulty([])) }
    /// Replaces some of the parts for another configuration.
    package var replace: (inout NodeParts, ChangedParts, NodeConfiguration) -> Void = { _, _, _ in }

    /// The parts of a node, which are those for any other configuration too unless ``replace`` is set.
    package init(
        clock: any NodeClock, connection: any MQTTConnection, outputs: any Outputs,
        inputs: any Inputs = NoInputs(), store: any Store, otherSources: [any EventSource<NodeEvent>] = [],
        displays: [any StatusDisplay] = [], residentBytes: @escaping () -> Int? = { nil },
        log: @escaping (LogLevel, String) -> Void
    ) {
        (self.clock, self.connection, self.outputs, self.inputs) = (clock, connection, outputs, inputs)
        (self.store, self.otherSources, self.displays) = (store, otherSources, displays)
        (self.residentBytes, self.log) = (residentBytes, log)
    }

    /// The event sources, in the order in which they are asked.
    package var sources: [any EventSource<NodeEvent>] {
        [inputs.reporting(as: NodeEvent.inputs)] + otherSources + [
            connection.reporting(as: NodeEvent.connection), store.reporting(as: NodeEvent.store),
            timeZones.reporting(as: NodeEvent.timeZonesRead),
        ]
    }
}

/// The parts that another configuration replaces.
package struct ChangedParts: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// Makes a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outputs and the buttons.
    package static let lines = ChangedParts(rawValue: 1)
    /// Where the state is kept.
    package static let store = ChangedParts(rawValue: 2)
    /// What is logged.
    package static let log = ChangedParts(rawValue: 4)

    init(from old: NodeConfiguration, to new: NodeConfiguration) {
        self = []
        if new.gpio != old.gpio { insert(.lines) }
        if new.storage?.directory != old.storage?.directory { insert(.store) }
        if new.log != old.log { insert(.log) }
    }
}
