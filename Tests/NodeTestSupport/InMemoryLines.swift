package import BrokerLink
internal import IoTNode
package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// Output lines in memory, with a fault on demand.
package final class InMemoryOutputs: Outputs {
    /// The levels of the lines; nil while none are held.
    package private(set) var levels: [OutputName: Bool]?
    /// The error that all calls throw while it is set.
    package var fault: LinesFault?
    /// Called with the levels whenever they are set, and with nil after a release.
    package var onChange: ([OutputName: Bool]?) -> Void = { _ in }

    package init() {}

    @discardableResult
    package func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        self.levels = nil
        if let fault { throw fault }
        self.levels = levels
        onChange(levels)
        return .simulated
    }

    package func set(_ levels: [OutputName: Bool]) throws(LinesFault) {
        guard let held = self.levels else { throw LinesFault("cannot set outputs: no lines are held") }
        if let fault {
            self.levels = nil
            throw fault
        }
        self.levels = held.merging(levels) { $1 }
        onChange(self.levels)
    }

    package func release() {
        guard levels != nil else { return }
        levels = nil
        onChange(nil)
    }
}

/// Buttons in memory that a test presses, with a fault on demand.
package final class InMemoryInputs: Inputs {
    /// The lines that are currently active.
    package var active: Set<InputName> = []
    /// Whether the edges count as debounced by the kernel.
    package var areDebounced: Bool
    /// The error that all calls throw while it is set.
    package var fault: LinesFault?
    private var isHeld = false
    private var pending: [InputEvent] = []

    /// Creates buttons that are up.
    package init(areDebounced: Bool = false) { self.areDebounced = areDebounced }

    /// Presses or releases a button. The loop sees the edge at its next iteration, which follows at once.
    package func set(_ line: InputName, _ isActive: Bool, at instant: Instant) {
        guard active.contains(line) != isActive else { return }
        if isActive { active.insert(line) } else { active.remove(line) }
        if isHeld { pending.append(.edges([Edge(line: line, isActive: isActive, at: instant)])) }
    }

    /// Makes the lines fail, as if the chip were unplugged.
    package func lose(_ fault: LinesFault) {
        self.fault = fault
        guard isHeld else { return }
        isHeld = false
        pending.append(.failed(fault))
    }

    package func acquire() throws(LinesFault) -> HeldInputs {
        isHeld = false
        pending = []
        if let fault { throw fault }
        isHeld = true
        return HeldInputs(active: active, areDebounced: areDebounced)
    }

    package var interests: [Interest] { [] }

    /// An instant in the past while events are pending; otherwise nil.
    package var nextInstant: Instant? {
        pending.isEmpty ? nil : Instant(sinceEpoch: .zero)
    }

    package func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] {
        defer { pending = [] }
        return pending
    }
}
