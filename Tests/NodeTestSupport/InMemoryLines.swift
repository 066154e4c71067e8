package import BrokerLink
internal import IoTNode
package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// Output lines in memory: what is held, and a fault on demand.
package final class InMemoryOutputs: Outputs {
    /// The levels of the lines; nil while none are held.
    package private(set) var levels: [OutputName: Bool]?
    /// Thrown by the next calls, until it is taken away.
    package var fault: LinesFault?
    /// Called with the levels whenever they were set; with nil after a release.
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

/// Buttons in memory: somebody presses them, and a fault on demand.
package final class InMemoryInputs: Inputs {
    /// The lines that are active at present.
    package var active: Set<InputName> = []
    /// Whether edges come as from a kernel that debounces.
    package var areDebounced: Bool
    /// Thrown by the next calls, until it is taken away.
    package var fault: LinesFault?
    private var isHeld = false
    private var pending: [InputEvent] = []

    /// Buttons that are up.
    package init(areDebounced: Bool = false) { self.areDebounced = areDebounced }

    /// Presses a button or lets it go; the loop hears of it when it next looks, which is at once.
    package func set(_ line: InputName, _ isActive: Bool, at instant: Instant) {
        guard active.contains(line) != isActive else { return }
        if isActive { active.insert(line) } else { active.remove(line) }
        if isHeld { pending.append(.edges([Edge(line: line, isActive: isActive, at: instant)])) }
    }

    /// Takes the lines away, as a chip does that is pulled out.
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

    /// At once while something happened.
    package var nextInstant: Instant? {
        pending.isEmpty ? nil : Instant(sinceEpoch: .zero)
    }

    package func takeEvents(ready: [Interest], at now: Instant) -> [InputEvent] {
        defer { pending = [] }
        return pending
    }
}
