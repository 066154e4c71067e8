internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

// What others are told of the signals, so that they paint each mode as the lamps show it.
extension SignalTable {
    /// Each mode with its word and its lamps, those too that this node has no line for: a display is a stoplight of its own.
    var told: ModeSignals {
        ModeSignals(
            Dictionary(
                uniqueKeysWithValues: SignalMode.allCases.map { mode in
                    (mode.name, .init(word(for: mode), lamps: lamps(in: mode)))
                }))
    }

    /// What the lamps do as long as a mode lasts; nil for those of the paused mode. What a group changes is no lamp.
    private func lamps(in mode: SignalMode) -> [String: OutputState]? {
        if mode == .paused, modes[.paused] == nil { return nil }
        let lamps = (modes[mode] ?? [:]).filter { !Self.noisy.contains($0.key) }
        return lamps.compactMapValues { signal in
            // In the alarm a pattern is repeated; elsewhere it is over soon.
            switch mode == .alarm ? signal.repeated : signal {
            case .off, .play: nil
            case .on: .on
            case .blink: .blink
            }
        }
    }
}
