internal import TimerEngine

/// The commands of lamps and buzzer.
extension NodeCore {
    /// Does what the command says, or throws with nothing changed.
    mutating func signal(_ command: Command, at now: TimerEngine.Instant) throws(Refusal) {
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
        default: break
        }
    }

    /// The pattern of a name, where it would be heard.
    private func pattern(_ name: String) throws(Refusal) -> Pattern {
        guard let pattern = lamps.table.patterns[name] else {
            throw Refusal(.notFound, "there is no pattern \"\(name.prefix(40))\"; there are \(lamps.table.known)")
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

    /// Refuses groups that name a pattern that there is not.
    func check(_ groups: [TimerGroup]) throws(Refusal) {
        for (place, group) in groups.enumerated() {
            for (field, name) in [("sound", group.sound), ("transition", group.transition)] {
                guard let name, name != Pattern.none, patterns[name] == nil else { continue }
                throw Refusal(
                    .invalidPayload,
                    "field groups[\(place + 1)].\(field): there is no pattern \"\(name.prefix(40))\"; "
                        + "there are \(known), and none for silence")
            }
        }
    }
}
