internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// The buttons: their gestures and their lines.
struct InputControl: Sendable {
    /// A command that a button gave.
    struct Press {
        let command: BoundCommand
        /// The button and the gesture, for the log.
        let source: String
    }

    private var buttons: Buttons
    private var acquisition = LineAcquisition()

    init(_ configuration: NodeConfiguration) { buttons = Buttons(configuration.gpio.buttons) }

    var nextInstant: Instant? { .earliest(buttons.nextInstant, acquisition.retryAt) }

    /// Why the lines are not held.
    var fault: LinesFault? { acquisition.fault }

    mutating func start(at now: Instant) {
        if buttons.areConfigured { acquisition.begin(at: now) }
    }

    mutating func acquired(_ lines: HeldInputs, into batch: inout EffectBatch) {
        if acquisition.succeeded() { batch.log(.info, "buttons are back") }
        buttons.hold(lines)
    }

    /// Records that the lines could not be requested or were lost; returns whether they were held before.
    mutating func failed(_ fault: LinesFault, into batch: inout EffectBatch) -> Bool {
        if acquisition.failed(fault, at: batch.now.instant) { batch.log(.error, "buttons: \(fault)") }
        defer { buttons.release() }
        return buttons.areHeld
    }

    mutating func chipsChanged(at now: Instant) {
        if acquisition.fault != nil { acquisition.begin(at: now) }
    }

    /// Requests the lines if that is due.
    mutating func update(into batch: inout EffectBatch) {
        if acquisition.consumeAttempt(at: batch.now.instant) { batch.lines.append(.acquireInputs) }
    }

    /// Processes all edges up to the current moment.
    mutating func process(_ edges: [Edge], at now: Instant) -> [Press] {
        presses(buttons.process(edges, at: now))
    }

    /// Advances to an instant; must be called only when no earlier edge can still arrive.
    mutating func advance(to now: Instant) -> [Press] { presses(buttons.advance(to: now)) }

    private func presses(_ actions: [Buttons.Action]) -> [Press] {
        actions.compactMap { action in
            buttons.command(for: action).map {
                Press(command: $0, source: "button \(action.line), \(action.gesture.rawValue)")
            }
        }
    }

    mutating func reconfigure(from old: NodeConfiguration, to new: NodeConfiguration, at now: Instant) {
        guard new.gpio != old.gpio else { return }
        buttons = Buttons(new.gpio.buttons)
        if buttons.areConfigured { acquisition.begin(at: now) } else { acquisition = LineAcquisition() }
    }
}
