internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// The output signals: the mode's signals, covered by temporary ones.
///
/// Nothing is scheduled: levels and their next change are computed from the values stored here.
struct Indicators: Hashable, Sendable {
    /// A temporary cue for one output. It ends at its own time or at the next transition.
    struct Overlay: Hashable, Sendable {
        let output: OutputName
        let cue: Cue
        /// The instant of the transition that caused it; nil if a command did.
        var transition: Instant?
    }

    let table: SignalTable
    /// The configured outputs; signals of other outputs are ignored.
    let names: [OutputName]
    /// The selected group, which may choose its own sounds.
    var group = TimerGroup() { didSet { if group != oldValue { known = nil } } }

    private var mode: Mode = .stopped { didSet { known = nil } }
    private var since = Instant(sinceEpoch: .zero) { didSet { known = nil } }
    /// Whether the mode continues after a pause. If so, the patterns that play at its beginning are not repeated.
    private var isResumed = false { didSet { known = nil } }
    /// When the time before a meeting began; nil at any other time.
    var leadSince: Instant? { didSet { if leadSince != oldValue { known = nil } } }
    private(set) var silencedAt: Instant? { didSet { known = nil } }
    private var overlays: [Overlay] = [] { didSet { known = nil } }
    /// The last result, valid until its `nextInstant`.
    private var known: Reading?

    /// - Parameter names: the configured outputs.
    init(table: SignalTable, names: some Sequence<OutputName>) {
        self.table = table
        self.names = names.sorted()
    }
}

// MARK: - What happens

extension Indicators {
    /// Shows a new mode from the instant at which it began.
    mutating func show(_ mode: Mode, since instant: Instant) {
        guard mode != self.mode else { return }
        cut(at: instant)
        isResumed = self.mode.isPaused && self.mode.unpaused == mode
        self.mode = mode
        since = instant
    }

    /// Shows a mode that began earlier than was known: what would have sounded by now does not sound.
    ///
    /// - Parameter isResumed: whether the mode continues after a pause.
    mutating func correct(_ mode: Mode, since instant: Instant, isResumed: Bool) {
        if ModeName(mode) != ModeName(self.mode) { cut(at: instant) }
        (self.mode, self.isResumed, since) = (mode, isResumed, instant)
    }

    /// Restarts the timing of the mode's patterns from a different instant.
    mutating func align(to instant: Instant) {
        if since != instant { since = instant }
    }

    /// Sounds the transition to the next timer in the sequence.
    mutating func moveOn(at instant: Instant) {
        cut(at: instant)
        if let pattern = table.transition(of: group) { sound(pattern, at: instant, transition: instant) }
    }

    /// Plays a pattern once on the buzzer.
    mutating func sound(
        _ pattern: Pattern, at now: Instant, transition: Instant? = nil
    ) {
        play(pattern, on: "buzzer", at: now, transition: transition)
    }

    private mutating func play(
        _ pattern: Pattern, on output: OutputName, at now: Instant, transition: Instant? = nil
    ) {
        let cue = Cue(signal: .play(pattern), since: now, until: now + pattern.length)
        add([Overlay(output: output, cue: cue, transition: transition)])
    }

    /// Covers the mode's signals with overlays, which replace earlier overlays of the same outputs.
    mutating func add(_ new: [Overlay]) {
        let outputs = Set(new.map(\.output))
        overlays = overlays.filter { !outputs.contains($0.output) } + new
    }

    /// Mutes the noisy outputs until the next transition.
    mutating func silence(at now: Instant) {
        silencedAt = silencedAt ?? now
    }

    /// Ends all overlays at a transition, except its own sound: mode and timer may change at the same instant, and the
    /// second change must not cut the sound of the first.
    private mutating func cut(at instant: Instant) {
        overlays.removeAll { $0.transition != instant }
        silencedAt = nil
    }
}

// MARK: - What follows from it

extension Indicators {
    /// The states of the outputs at an instant, in the order of their names.
    struct Reading: Hashable, Sendable {
        /// Whether each output is on.
        var levels: [Bool] = []
        /// The reported state of each output.
        var states: [OutputState] = []
        /// The patterns of the blinking outputs.
        var patterns: [OutputName: OutputPattern] = [:]
        /// When a level or a state changes next; nil while all outputs are steady.
        var nextInstant: Instant?
    }

    /// Returns the states of the outputs at `now`, recomputed only if something has changed or an edge is due.
    mutating func read(at now: Instant) -> Reading {
        if let known, known.nextInstant.map({ now < $0 }) != false { return known }
        let reading = reading(at: now)
        known = reading
        return reading
    }

    /// Computes the states of the outputs at `now` in one pass, ignoring the last result.
    func reading(at now: Instant) -> Reading {
        let isLead = mode == .stopped && leadSince != nil && table.lead != nil
        let signals = isLead ? table.lead ?? [:] : table.signals(in: mode, of: group)
        var reading = Reading()
        reading.levels.reserveCapacity(names.count)
        reading.states.reserveCapacity(names.count)
        for name in names {
            let cues = cues(of: name, playing: signals[name] ?? .off, at: now)
            let level = cues.level(at: now)
            reading.levels.append(level.isOn)
            let state = cues.state(at: now)
            reading.states.append(state)
            if state == .blink { reading.patterns[name] = cues.pattern(at: now) }
            reading.nextInstant = .earliest(reading.nextInstant, level.until)
        }
        return reading
    }

    /// Returns the cues of an output, the last one on top.
    private func cues(of output: OutputName, playing signal: LampSignal, at now: Instant) -> [Cue] {
        let since = mode == .stopped ? max(since, leadSince ?? since) : since
        var cues = table.cues(of: output, playing: signal, in: mode, of: group, since: since, at: now)
        if isResumed { cues.removeAll { $0.signal.isPlayedOnce } }
        for overlay in overlays where overlay.output == output { cues.append(overlay.cue) }
        if let silencedAt, SignalTable.noisy.contains(output) { cues.append(Cue(signal: .off, since: silencedAt)) }
        return cues
    }
}

// The lamp test, identifying a node by its blinking lamps, and asking for attention.
extension Indicators {
    /// How long each output is on in a lamp test.
    static let testStep: Duration = .seconds(1)
    /// How long the lamps blink to identify the node.
    static let identifyTime: Duration = .seconds(3)

    /// Switches the outputs on one at a time, one after another.
    mutating func test(at now: Instant) {
        let end = now + Self.testStep * names.count
        add(
            inOrder.enumerated().flatMap { place, output in
                let start = now + Self.testStep * place
                return [
                    Overlay(output: output, cue: Cue(signal: .off, since: now, until: end)),
                    Overlay(output: output, cue: Cue(signal: .on, since: start, until: start + Self.testStep)),
                ]
            })
    }

    /// Blinks all lamps for a while.
    mutating func identify(at now: Instant) {
        let cue = Cue(signal: .blink(.identify), since: now, until: now + Self.identifyTime)
        add(names.filter { !SignalTable.noisy.contains($0) }.map { Overlay(output: $0, cue: cue) })
    }

    /// Asks for attention with the signals in the table. If the table is empty, the lit lamps go dark three times, or
    /// yellow flashes three times if no lamp is lit.
    mutating func attract(at now: Instant) {
        let signals = table.signals(in: mode, of: group).filter { names.contains($0.key) && $0.value != .off }
        let lit = signals.keys.filter { !SignalTable.noisy.contains($0) }
        if let attention = table.attention {
            let end = now + Pattern.attention.length
            add(
                attention.map { output, signal in
                    let length = signal.playingTime.map { now + $0 } ?? end
                    return Overlay(output: output, cue: Cue(signal: signal, since: now, until: length))
                })
        } else if lit.isEmpty {
            play(.attention, on: "yellow", at: now)
        } else {
            add(lit.flatMap { output in Self.gaps(of: .attention, in: output, at: now) })
        }
    }

    /// Returns overlays that switch an output off whenever a pattern is on.
    private static func gaps(of pattern: Pattern, in output: OutputName, at now: Instant) -> [Overlay] {
        var start = now
        return pattern.steps.enumerated().compactMap { place, step in
            defer { start = start + step }
            guard place.isMultiple(of: 2) else { return nil }
            return Overlay(output: output, cue: Cue(signal: .off, since: start, until: start + step))
        }
    }

    /// The usual outputs in stoplight order, then the others by name.
    private var inOrder: [OutputName] {
        let usual = ["green", "yellow", "red", "buzzer"].filter(names.contains)
        return usual + names.filter { !usual.contains($0) }
    }
}
