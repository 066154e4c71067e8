internal import TimerEngine
internal import TimerProtocol

/// The commands of lamps and buzzer.
extension NodeCore {
    /// Does what the command says, or throws with nothing changed.
    mutating func execute(_ command: SignalCommand, at now: TimerEngine.Instant) throws(Refusal) {
        switch command {
        case .silence: lamps.silence(at: now)
        case .beep(let name): lamps.sound(try pattern(name ?? "beep"), at: now)
        case .lampTest(let force):
            guard force || !player.mode.isRunning else {
                throw Refusal(
                    .notAllowed,
                    "lamp_test is refused while the timer runs, it is in \(player.mode); {\"force\":true} does it anyway"
                )
            }
            lamps.test(at: now)
        case .identify: lamps.identify(at: now)
        }
    }

    /// The pattern of a name, where it would be heard.
    private func pattern(_ name: String) throws(Refusal) -> Pattern {
        guard let pattern = lamps.table.patterns[name] else {
            throw Refusal(.notFound, "there is no pattern \(name.quoted); there are \(lamps.table.known)")
        }
        guard lamps.names.contains("buzzer") else { throw Refusal(.notAllowed, "beep needs an output named buzzer") }
        guard lamps.silencedAt == nil else {
            throw Refusal(.notAllowed, "the buzzer is silenced until the next transition")
        }
        return pattern
    }
}

extension SignalTable {
    /// The names of all patterns.
    fileprivate var known: String { patterns.keys.sorted().joined(separator: ", ") }
}
