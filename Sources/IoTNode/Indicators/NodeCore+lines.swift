internal import TimerEngine
internal import TimerProtocol

/// What the core knows of the output lines.
struct OutputLines: Sendable {
    /// The levels that the lines have, where that is sure; nil while they are not held.
    var levels: [OutputName: Bool]?
    /// When a level changes next.
    var nextEdge: TimerEngine.Instant?
    /// When to try to take the lines, and why they are not held.
    var acquisition = LineAcquisition()
}

/// The lamps and the buzzer.
extension NodeCore {
    mutating func outputsAcquired(_ held: HeldOutputs, into batch: inout EffectBatch) {
        health.outputs = held
        announceReady(into: &batch)
        if lines.acquisition.succeeded() { batch.log(.info, "outputs are back") }
    }

    mutating func outputsFailed(_ fault: LinesFault, into batch: inout EffectBatch) {
        if lines.acquisition.failed(fault, at: batch.now.instant) { batch.log(.error, "outputs: \(fault)") }
        lines.levels = nil
        announceReady(into: &batch)
    }

    /// Whatever came of the first attempt to take the lines, the node does what it can from now on.
    private mutating func announceReady(into batch: inout EffectBatch) {
        guard !isReady else { return }
        isReady = true
        batch.announce(.ready)
    }

    /// Takes the lines when it is time to.
    mutating func retryOutputs(into batch: inout EffectBatch) {
        guard lines.acquisition.consumeAttempt(at: batch.now.instant) else { return }
        lines.levels = lamps.levels(at: batch.now.instant)
        batch.lines.append(.acquireOutputs(lines.levels ?? [:]))
    }

    /// What each output does, for the state: nothing while the lines are not held.
    ///
    /// A fault is over only when the lines have been taken again, and not when that is tried.
    func outputStates(_ reading: Indicators.Reading) -> [OutputState] {
        lines.acquisition.fault == nil ? reading.states : reading.states.map { _ in .off }
    }

    /// Sets the lines whose level is another than the last one.
    mutating func lineEffects(_ reading: Indicators.Reading) -> [NodeEffect] {
        lines.nextEdge = lines.levels == nil ? nil : reading.nextInstant
        guard let held = lines.levels else { return [] }
        var changed: [OutputName: Bool] = [:]
        for (name, level) in zip(lamps.names, reading.levels) where held[name] != level {
            changed[name] = level
            lines.levels?[name] = level
        }
        return changed.isEmpty ? [] : [.setOutputs(changed)]
    }
}

/// How the core stands with lines that it wants to hold: when to try to take them, and why it has not got them.
struct LineAcquisition: Hashable, Sendable {
    /// When to try to take the lines; nil while they are held, or not wanted.
    private(set) var retryAt: TimerEngine.Instant?
    /// Why they are not held.
    private(set) var fault: LinesFault?

    /// Asks for the lines to be taken, at once.
    mutating func begin(at now: TimerEngine.Instant) { retryAt = now }

    /// Tells whether to try to take the lines now; once for each time that was asked for.
    mutating func consumeAttempt(at now: TimerEngine.Instant) -> Bool {
        guard let retryAt, retryAt <= now else { return false }
        self.retryAt = nil
        return true
    }

    /// The lines are held; returns whether they were missed before.
    mutating func succeeded() -> Bool {
        defer { fault = nil }
        return fault != nil
    }

    /// The lines are not held; returns whether that is news.
    mutating func failed(_ fault: LinesFault, at now: TimerEngine.Instant) -> Bool {
        defer { self.fault = fault }
        retryAt = now + .seconds(2)
        return self.fault != fault
    }
}
