package import IoTNode
package import TimerEngine

/// Output lines in memory, for tests: what is held, what was asked for, and a fault on demand.
package final class InMemoryOutputs: Outputs {
    /// The levels of the lines; empty while none are held.
    package private(set) var levels: [OutputName: Bool] = [:]
    /// Thrown by the next calls, until it is taken away.
    package var fault: LinesFault?

    /// Lines that nobody holds yet.
    package init() {}

    /// Nothing to wait for.
    package var interests: [Interest] { [] }

    /// Never anything.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }

    /// Holds the lines.
    @discardableResult
    package func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        if let fault { throw fault }
        self.levels = levels
        return .simulated
    }

    /// Changes levels.
    package func set(_ levels: [OutputName: Bool]) throws(LinesFault) {
        if let fault { throw fault }
        self.levels.merge(levels) { $1 }
    }

    /// Holds nothing any more.
    package func release() { levels = [:] }
}

/// Buttons in memory, for tests: somebody presses them, and a fault on demand. Without lines it is no buttons at all.
package final class InMemoryInputs: Inputs {
    /// The lines that are active at present.
    package private(set) var active: Set<InputName> = []
    /// Whether edges come as from a kernel that debounces.
    package let areDebounced: Bool
    /// Thrown by the next calls, until it is taken away.
    package var fault: LinesFault?
    private var isHeld = false
    private var pending: [NodeEvent] = []

    /// Buttons that are up.
    package init(areDebounced: Bool = false) { self.areDebounced = areDebounced }

    /// Presses a button or lets it go; the loop hears of it when it next looks, which is at once.
    package func set(_ line: InputName, _ isActive: Bool, at instant: TimerEngine.Instant) {
        if isActive { active.insert(line) } else { active.remove(line) }
        if isHeld { pending.append(.edges([Edge(line: line, isActive: isActive, at: instant)])) }
    }

    /// Takes the lines away, as a chip does that is pulled out.
    package func lose(_ fault: LinesFault) {
        self.fault = fault
        guard isHeld else { return }
        isHeld = false
        pending.append(.inputsFailed(fault))
    }

    /// Holds the lines.
    package func acquire() throws(LinesFault) -> HeldInputs {
        if let fault { throw fault }
        isHeld = true
        pending = []
        return HeldInputs(active: active, areDebounced: areDebounced)
    }

    /// Nothing to wait for.
    package var interests: [Interest] { [] }

    /// At once while something happened.
    package var nextInstant: TimerEngine.Instant? {
        pending.isEmpty ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// What happened.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending
    }
}
