internal import TimerEngine

/// The signals that are on, since when, and what was last asked of the lines.
struct Lamps: Hashable, Sendable {
    private let table: SignalTable
    private let names: [OutputName]
    private var mode: TimerEngine.Mode = .stopped
    private var since = TimerEngine.Instant(sinceEpoch: .zero)

    /// - Parameter names: the outputs that there are; a signal of any other is not played.
    init(table: SignalTable, names: some Sequence<OutputName>) {
        self.table = table
        self.names = names.sorted()
    }

    /// Shows another mode from the instant at which it began.
    mutating func show(_ mode: TimerEngine.Mode, since instant: TimerEngine.Instant) {
        guard mode != self.mode else { return }
        self.mode = mode
        since = instant
    }

    /// Whether each output is on.
    func levels(at now: TimerEngine.Instant) -> [OutputName: Bool] {
        each { $0.level(since: since, at: now).isOn }
    }

    /// What each output does.
    func states(at now: TimerEngine.Instant) -> [OutputName: OutputState] {
        each { $0.state(since: since, at: now) }
    }

    /// When a level changes next; nil while all is steady.
    func nextInstant(after now: TimerEngine.Instant) -> TimerEngine.Instant? {
        each { $0.level(since: since, at: now).until }.values.compactMap { $0 }.min()
    }

    private func each<Value>(_ value: (Signal) -> Value) -> [OutputName: Value] {
        let signals = table.signals(in: mode)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, value(signals[$0] ?? .off)) })
    }
}
