public import TimerEngine

/// Output lines in memory, for tests: what is held, what was asked for, and a fault on demand.
public final class InMemoryOutputs: Outputs {
    /// The levels of the lines; empty while none are held.
    public private(set) var levels: [OutputName: Bool] = [:]
    /// Thrown by the next calls, until it is taken away.
    public var fault: LinesFault?

    /// Lines that nobody holds yet.
    public init() {}

    /// Nothing to wait for.
    public var interests: [Interest] { [] }

    /// Never anything.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] { [] }

    /// Holds the lines.
    @discardableResult
    public func acquire(_ levels: [OutputName: Bool]) throws(LinesFault) -> HeldOutputs {
        if let fault { throw fault }
        self.levels = levels
        return .simulated
    }

    /// Changes levels.
    public func set(_ levels: [OutputName: Bool]) throws(LinesFault) {
        if let fault { throw fault }
        self.levels.merge(levels) { $1 }
    }

    /// Holds nothing any more.
    public func release() { levels = [:] }
}
