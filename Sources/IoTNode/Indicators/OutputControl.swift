internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// The lamps and the buzzer: their signals and their lines.
struct OutputControl: Sendable {
    private(set) var indicators: Indicators
    /// The levels of the lines that are known for certain; nil while the lines are not held.
    private(set) var levels: [OutputName: Bool]?
    /// When a level changes next.
    private var nextEdge: Instant?
    private var acquisition = LineAcquisition()

    init(_ configuration: NodeConfiguration) {
        indicators = Indicators(table: configuration.signals, names: configuration.gpio.outputs.keys)
    }

    var nextInstant: Instant? { .earliest(nextEdge, acquisition.retryAt) }

    /// Why the lines are not held.
    var fault: LinesFault? { acquisition.fault }

    /// Returns the states of the outputs for the reports; all are off while the lines are not held.
    ///
    /// A fault ends only when the lines are held again, not when they are requested.
    mutating func report(at now: Instant) -> Report {
        let reading = indicators.read(at: now)
        let isHeld = acquisition.fault == nil
        return Report(
            levels: levels ?? [:],
            states: OutputStates(
                names: indicators.names, states: isHeld ? reading.states : reading.states.map { _ in .off }),
            patterns: isHeld ? reading.patterns : [:])
    }

    /// Returns the states of the outputs as if their lines were held.
    mutating func signals(at now: Instant) -> OutputStates {
        OutputStates(names: indicators.names, states: indicators.read(at: now).states)
    }

    /// The states of the outputs at an instant.
    struct Report: Hashable, Sendable {
        /// Whether each output is on.
        let levels: [OutputName: Bool]
        /// The state of each output.
        let states: OutputStates
        /// The patterns of the blinking outputs.
        let patterns: [OutputName: OutputPattern]
    }
}

// MARK: - The lines

extension OutputControl {
    mutating func start(at now: Instant) { acquisition.begin(at: now) }

    mutating func acquired(into batch: inout EffectBatch) {
        if acquisition.succeeded() { batch.log(.info, "outputs are back") }
    }

    mutating func failed(_ fault: LinesFault, into batch: inout EffectBatch) {
        if acquisition.failed(fault, at: batch.now.instant) { batch.log(.error, "outputs: \(fault)") }
        levels = nil
    }

    /// Handles a chip that appeared, disappeared or changed its permissions.
    ///
    /// It does not matter which chip changed. If the lines are held, all of them are set again, which fails if their
    /// chip is gone. If they are not held, they are requested again.
    mutating func chipsChanged(at now: Instant) {
        if levels != nil { levels = [:] } else { acquisition.begin(at: now) }
    }

    /// Requests the lines again because the buttons lost theirs. If both are on a chip that is gone, the buttons detect
    /// this before the next write to an output.
    mutating func inputsLost(at now: Instant) {
        if acquisition.fault == nil { acquisition.begin(at: now) }
    }

    /// Requests the lines if that is due, and sets the lines that have the wrong level.
    mutating func update(into batch: inout EffectBatch) {
        let reading = indicators.read(at: batch.now.instant)
        let wanted = zip(indicators.names, reading.levels)
        if acquisition.consumeAttempt(at: batch.now.instant) {
            let levels = Dictionary(uniqueKeysWithValues: wanted)
            self.levels = levels
            batch.lines.append(.acquireOutputs(levels))
        }
        nextEdge = levels == nil ? nil : reading.nextInstant
        guard let held = levels else { return }
        var changed: [OutputName: Bool] = [:]
        for (name, level) in wanted where held[name] != level {
            changed[name] = level
            levels?[name] = level
        }
        if !changed.isEmpty { batch.outputs.append(.setOutputs(changed)) }
    }
}

// MARK: - What the outputs show

extension OutputControl {
    /// Signals the timer's steps.
    mutating func show(_ steps: [RunningTimer.Step], group: TimerGroup) {
        indicators.group = group
        for step in steps {
            switch step.event {
            case .modeChanged(_, let mode, let instant):
                indicators.show(mode, since: instant)
                if step.isQuiet { indicators.silence(at: instant) }
            case .movedOn(_, _, let instant): indicators.moveOn(at: instant)
            case .tick, .runEnded: break
            }
        }
    }

    /// Shows a run that was corrected, as if it had been right from the start.
    ///
    /// - Parameter since: when the mode began; nil if that is unknown.
    mutating func correct(_ player: TimerPlayer, since: Instant?, at now: Instant) {
        let since = min(since ?? now, now)
        indicators.group = player.model.selectedGroup
        indicators.correct(player.mode, since: since, isResumed: player.countdown.wasResumed(at: since))
    }

    /// Shows that a meeting is about to begin, since an instant; nil if none is.
    mutating func showLead(since instant: Instant?) { indicators.leadSince = instant }

    /// Mutes the buzzer until the next transition.
    mutating func silence(at now: Instant) { indicators.silence(at: now) }

    /// Restarts the timing of the current mode's patterns from a different instant, which is now known more precisely.
    mutating func align(to since: Instant) { indicators.align(to: since) }

    /// Shows a timer that was running before the node started or was reconfigured: patterns continue instead of
    /// restarting.
    ///
    /// - Parameter since: when the mode began; nil if that is unknown.
    mutating func resume(
        _ player: TimerPlayer, since: Instant?, silencedAt: Instant?,
        at now: Instant
    ) {
        indicators.group = player.model.selectedGroup
        indicators.show(player.mode, since: min(since ?? now, now))
        if let silencedAt { indicators.silence(at: silencedAt) }
    }

    mutating func reconfigure(
        from old: NodeConfiguration, to new: NodeConfiguration, showing player: TimerPlayer,
        since: Instant?, at now: Instant
    ) {
        guard new.signals != old.signals || new.gpio != old.gpio else { return }
        let silencedAt = indicators.silencedAt
        let leadSince = indicators.leadSince
        indicators = Indicators(table: new.signals, names: new.gpio.outputs.keys)
        indicators.leadSince = leadSince
        resume(player, since: since, silencedAt: silencedAt, at: now)
        guard new.gpio != old.gpio else { return }
        (levels, nextEdge) = (nil, nil)
        // A reported fault lasts until the new lines are held.
        acquisition.begin(at: now)
    }

    /// Executes a command, or throws without changing anything.
    mutating func play(
        _ command: SignalCommand, in mode: Mode, at now: Instant
    ) throws(Refusal) {
        switch command {
        case .silence: indicators.silence(at: now)
        case .beep(let name): indicators.sound(try audiblePattern(name ?? "beep"), at: now)
        case .lampTest(let force):
            guard force || !mode.isRunning else {
                throw Refusal(
                    .notAllowed,
                    "lamp_test is refused while the timer runs; the mode is \(mode); {\"force\":true} overrides this")
            }
            indicators.test(at: now)
        case .identify: indicators.identify(at: now)
        }
    }

    /// Asks for the speaker's attention, using only the lamps.
    mutating func attract(at now: Instant) { indicators.attract(at: now) }

    /// Returns the pattern with a name.
    ///
    /// - Throws: a refusal if there is no such pattern, or if it would not be audible.
    private func audiblePattern(_ name: String) throws(Refusal) -> Pattern {
        let patterns = indicators.table.patterns
        guard let pattern = patterns[name] else {
            let known = patterns.keys.sorted().joined(separator: ", ")
            throw Refusal(.notFound, "there is no pattern \(name.quoted); known patterns: \(known)")
        }
        guard indicators.names.contains("buzzer") else {
            throw Refusal(.notAllowed, "beep needs an output named buzzer")
        }
        guard indicators.silencedAt == nil else {
            throw Refusal(.notAllowed, "the buzzer is silenced until the next transition")
        }
        return pattern
    }
}

/// The acquisition of lines that the core needs: when to request them next, and why they are not held.
struct LineAcquisition: Hashable, Sendable {
    /// When to request the lines; nil while they are held or not needed.
    private(set) var retryAt: Instant?
    /// Why they are not held.
    private(set) var fault: LinesFault?

    /// Schedules the lines to be requested at once.
    mutating func begin(at now: Instant) { retryAt = now }

    /// Returns whether to request the lines now; true once per scheduled attempt.
    mutating func consumeAttempt(at now: Instant) -> Bool {
        guard let retryAt, retryAt <= now else { return false }
        self.retryAt = nil
        return true
    }

    /// Records that the lines are held; returns whether they were missing before.
    mutating func succeeded() -> Bool { fault.take() != nil }

    /// Records that the lines are not held; returns whether the reason is new.
    mutating func failed(_ fault: LinesFault, at now: Instant) -> Bool {
        retryAt = now + .seconds(2)
        return self.fault.update(to: fault)
    }
}
