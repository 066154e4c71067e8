internal import TimerEngine

extension TimerEngine.Countdown {
    /// The instant at which the present mode was due in a run that was left alone; nil while stopped or paused.
    ///
    /// So that a node that comes back in the middle of a mode goes on with its patterns, and plays none again.
    var modeSince: TimerEngine.Instant? {
        guard let zero else { return alarmedSince }
        let left =
            switch mode {
            case .warning: thresholds.warning
            case .final: thresholds.final
            case .countdown, .alarm, .paused, .stopped: thresholds.start
            }
        return zero - .seconds(left)
    }
}
