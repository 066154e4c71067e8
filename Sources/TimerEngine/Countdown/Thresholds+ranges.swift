extension TimerEngine.Thresholds {
    /// The seconds shown in countdown mode: ``fullRange`` without the warning and final ranges.
    public var startRange: ClosedRange<Int> {
        let below = max(warnRange.upperBound, finalRange.upperBound)
        return (below > 0 ? below + 1 : 0)...start
    }

    /// The seconds shown in warning mode; `0...0` if there is none.
    public var warnRange: ClosedRange<Int> {
        warning > 0 ? (finalRange.upperBound + 1)...warning : 0...0
    }

    /// The seconds shown in final mode; `0...0` if there is none, which includes a final time of 1.
    public var finalRange: ClosedRange<Int> {
        final > 1 ? 1...final : 0...0
    }

    /// All seconds that can be shown: 0…start.
    public var fullRange: ClosedRange<Int> { 0...start }

    /// The mode of a run that shows `second`.
    func mode(showing second: Int) -> TimerEngine.Mode {
        switch second {
        case ...0: .alarm
        case finalRange: .final
        case warnRange: .warning
        default: .countdown
        }
    }

    /// The seconds at which a run changes its mode before the alarm, in the order in which it reaches them.
    var boundaries: [Int] {
        [warnRange.upperBound, finalRange.upperBound].filter { $0 > 0 }
    }
}
