public import TimerEngine

/// Buttons in memory, for tests: somebody presses them, and a fault on demand. Without lines it is no buttons at all.
public final class InMemoryInputs: Inputs {
    /// The lines that are active at present.
    public private(set) var active: Set<InputName> = []
    /// Whether edges come as from a kernel that debounces.
    public let areDebounced: Bool
    /// Thrown by the next calls, until it is taken away.
    public var fault: LinesFault?
    private var isHeld = false
    private var pending: [NodeEvent] = []

    /// Buttons that are up.
    public init(areDebounced: Bool = false) { self.areDebounced = areDebounced }

    /// Presses a button or lets it go; the loop hears of it when it next looks, which is at once.
    public func set(_ line: InputName, _ isActive: Bool, at instant: TimerEngine.Instant) {
        if isActive { active.insert(line) } else { active.remove(line) }
        if isHeld { pending.append(.edges([Edge(line: line, isActive: isActive, at: instant)])) }
    }

    /// Takes the lines away, as a chip does that is pulled out.
    public func lose(_ fault: LinesFault) {
        self.fault = fault
        guard isHeld else { return }
        isHeld = false
        pending.append(.inputsFailed(fault))
    }

    /// Holds the lines.
    public func acquire() throws(LinesFault) -> HeldInputs {
        if let fault { throw fault }
        isHeld = true
        pending = []
        return HeldInputs(active: active, areDebounced: areDebounced)
    }

    /// Nothing to wait for.
    public var interests: [Interest] { [] }

    /// At once while something happened.
    public var nextInstant: TimerEngine.Instant? {
        pending.isEmpty ? nil : TimerEngine.Instant(sinceEpoch: .zero)
    }

    /// What happened.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        defer { pending = [] }
        return pending
    }
}
