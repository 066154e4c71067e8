extension TimerEngine.Thresholds {
    /// The seconds shown in countdown: what warning and final leave of ``fullRange``.
    public var startRange: ClosedRange<Int> {
        let below = max(warnRange.upperBound, finalRange.upperBound)
        return (below > 0 ? below + 1 : 0)...start
    }

    /// The seconds shown in warning; `0...0` where there is none.
    public var warnRange: ClosedRange<Int> {
        warning > 0 ? (finalRange.upperBound + 1)...warning : 0...0
    }

    /// The seconds shown in final; `0...0` where there is none, a final time of 1 included.
    public var finalRange: ClosedRange<Int> {
        final > 1 ? 1...final : 0...0
    }

    /// All the seconds that are shown: 0…start.
    public var fullRange: ClosedRange<Int> { 0...start }

    /// What a run does while it shows `second`.
    func mode(showing second: Int) -> TimerEngine.Mode {
        switch second {
        case ...0: .alarm
        case finalRange: .final
        case warnRange: .warning
        default: .countdown
        }
    }

    /// The seconds at which a run changes its mode before the alarm, the first to be reached first.
    var boundaries: [Int] {
        [warnRange.upperBound, finalRange.upperBound].filter { $0 > 0 }
    }
}
