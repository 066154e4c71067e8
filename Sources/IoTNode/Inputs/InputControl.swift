internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// The buttons: their gestures, and the lines that they are on.
struct InputControl: Sendable {
    /// A command that somebody gave with a button.
    struct Press {
        let command: BoundCommand
        /// Which button and gesture, for the log.
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

    /// The lines could not be requested or are lost; returns whether they were held.
    mutating func failed(_ fault: LinesFault, into batch: inout EffectBatch) -> Bool {
        if acquisition.failed(fault, at: batch.now.instant) { batch.log(.error, "buttons: \(fault)") }
        defer { buttons.release() }
        return buttons.areHeld
    }

    mutating func chipsChanged(at now: Instant) {
        if acquisition.fault != nil { acquisition.begin(at: now) }
    }

    /// Requests the lines when it is time to.
    mutating func update(into batch: inout EffectBatch) {
        if acquisition.consumeAttempt(at: batch.now.instant) { batch.lines.append(.acquireInputs) }
    }

    /// Processes all the edges there were up to the present.
    mutating func process(_ edges: [Edge], at now: Instant) -> [Press] {
        presses(buttons.process(edges, at: now))
    }

    /// Lets time pass; only once no edge from before may still come.
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
