internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// What the outputs show and sound: the signals of the mode, covered by what was asked for once.
///
/// Nothing is scheduled: levels and their next change are computed from what is stored here.
struct Indicators: Hashable, Sendable {
    /// A cue of one output that ends by itself, or at the next transition.
    struct Overlay: Hashable, Sendable {
        let output: OutputName
        let cue: Cue
        /// The instant of the transition that caused it; nil if somebody asked for it.
        var transition: Instant?
    }

    let table: SignalTable
    /// The configured outputs; signals of other outputs are ignored.
    let names: [OutputName]
    /// The selected group, which may choose its own sounds.
    var group = TimerGroup() { didSet { if group != oldValue { known = nil } } }

    private var mode: Mode = .stopped { didSet { known = nil } }
    private var since = Instant(sinceEpoch: .zero) { didSet { known = nil } }
    /// Whether the mode continues after a pause: what is played when it begins has been played.
    private var isResumed = false { didSet { known = nil } }
    private(set) var silencedAt: Instant? { didSet { known = nil } }
    private var overlays: [Overlay] = [] { didSet { known = nil } }
    /// The last result, valid until its next instant.
    private var known: Reading?

    /// - Parameter names: the configured outputs.
    init(table: SignalTable, names: some Sequence<OutputName>) {
        self.table = table
        self.names = names.sorted()
    }
}

// MARK: - What happens

extension Indicators {
    /// Shows another mode from the instant at which it began.
    mutating func show(_ mode: Mode, since instant: Instant) {
        guard mode != self.mode else { return }
        cut(at: instant)
        isResumed = self.mode.isPaused && self.mode.unpaused == mode
        self.mode = mode
        since = instant
    }

    /// Has the patterns of the mode count from another instant.
    mutating func align(to instant: Instant) {
        if since != instant { since = instant }
    }

    /// Sounds the transition to the next timer of the sequence.
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

    /// Covers the mode's signals with cues, which replace earlier ones of the same outputs.
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
    /// What the outputs do at an instant, in the order of their names.
    struct Reading: Hashable, Sendable {
        /// Whether each is on.
        var levels: [Bool] = []
        /// What each does, as the state reports it.
        var states: [OutputState] = []
        /// How those go on and off that blink, by their names.
        var patterns: [OutputName: OutputPattern] = [:]
        /// When a level or a state changes next; nil while all is steady.
        var nextInstant: Instant?
    }

    /// What the outputs do at `now`, computed again only if something happened or an edge is due.
    mutating func read(at now: Instant) -> Reading {
        if let known, known.nextInstant.map({ now < $0 }) != false { return known }
        let reading = reading(at: now)
        known = reading
        return reading
    }

    /// What the outputs do at `now`, all of it in one pass and without the last result.
    func reading(at now: Instant) -> Reading {
        let signals = table.signals(in: mode, of: group)
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

    /// The cues of an output, the last one on top.
    private func cues(of output: OutputName, playing signal: LampSignal, at now: Instant) -> [Cue] {
        var cues = table.cues(of: output, playing: signal, in: mode, of: group, since: since, at: now)
        if isResumed { cues.removeAll { $0.signal.isPlayedOnce } }
        for overlay in overlays where overlay.output == output { cues.append(overlay.cue) }
        if let silencedAt, SignalTable.noisy.contains(output) { cues.append(Cue(signal: .off, since: silencedAt)) }
        return cues
    }
}

// The lamp test, and finding a node by its blinking lamps.
extension Indicators {
    /// How long each output is on in a lamp test.
    static let testStep: Duration = .seconds(1)
    /// How long the lamps blink when the node is to be found.
    static let identifyTime: Duration = .seconds(3)

    /// Switches each output on by itself, one after another.
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

    /// Asks for attention: as the signal table says, or else the lamps that the mode lights go dark three times, and where
    /// it lights none yellow flashes three times.
    mutating func attract(at now: Instant) {
        let signals = table.signals(in: mode, of: group).filter { names.contains($0.key) && $0.value != .off }
        let lit = signals.keys.filter { !SignalTable.noisy.contains($0) }
        if let attention = table.attention {
            let end = now + Pattern.attention.length
            add(
                attention.map { output, signal in
                    let length = signal.lengthOfOnePlaying.map { now + $0 } ?? end
                    return Overlay(output: output, cue: Cue(signal: signal, since: now, until: length))
                })
        } else if lit.isEmpty {
            play(.attention, on: "yellow", at: now)
        } else {
            add(lit.flatMap { output in Self.gaps(of: .attention, in: output, at: now) })
        }
    }

    /// Cues that put an output out whenever a pattern is on.
    private static func gaps(of pattern: Pattern, in output: OutputName, at now: Instant) -> [Overlay] {
        var start = now
        return pattern.steps.enumerated().compactMap { place, step in
            defer { start = start + step }
            guard place.isMultiple(of: 2) else { return nil }
            return Overlay(output: output, cue: Cue(signal: .off, since: start, until: start + step))
        }
    }

    /// The usual outputs in the order of a stoplight, then the others by name.
    private var inOrder: [OutputName] {
        let usual = ["green", "yellow", "red", "buzzer"].filter(names.contains)
        return usual + names.filter { !usual.contains($0) }
    }
}
