internal import TimerEngine

// What shows a node or its outputs to somebody who stands before them.
extension Indicators {
    /// How long each output is on in a lamp test.
    static let testStep: Duration = .seconds(1)
    /// How long the lamps blink to be found.
    static let identifyTime: Duration = .seconds(3)

    /// Puts each output on in turn, and all others off meanwhile.
    mutating func test(at now: TimerEngine.Instant) {
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
    mutating func identify(at now: TimerEngine.Instant) {
        let cue = Cue(signal: .blink(.identify), since: now, until: now + Self.identifyTime)
        add(names.filter { !SignalTable.noisy.contains($0) }.map { Overlay(output: $0, cue: cue) })
    }

    /// The outputs as a stoplight has them, then the others by name.
    private var inOrder: [OutputName] {
        let usual = ["green", "yellow", "red", "buzzer"].filter(names.contains)
        return usual + names.filter { !usual.contains($0) }
    }
}
