internal import TimerEngine

/// What others know of the lines.
struct LinesNews: Hashable, Sendable {
    /// Whether they were told of a fault, and not of its end.
    var isFaultTold = false
    /// When the fault, or its absence, began.
    var since = TimerEngine.Instant(sinceEpoch: .zero)
}

/// GPIO chips that come and go.
extension NodeCore {
    /// A chip came, went or may be used by others than before.
    ///
    /// Whether it is the one with the lines is for the lines to say: those that are held are all set again, which fails
    /// where their chip is gone, and those that are not are tried at once.
    mutating func chipsChanged(in turn: inout Turn) {
        if lines.levels != nil {
            lines.levels = [:]
        } else {
            lines.claim.begin(at: turn.now.instant)
        }
        if inputClaim.fault != nil { inputClaim.begin(at: turn.now.instant) }
    }

    /// Publishes that there is a fault, or none any more, where that is news: at the latest after the next connection.
    ///
    /// There is one event for all the reasons that a fault may have until it ends.
    mutating func tellOfLines(in turn: inout Turn) {
        let fault = lines.claim.fault
        guard supervisor?.isConnected == true, linesNews.isFaultTold != (fault != nil) else { return }
        linesNews.isFaultTold = fault != nil
        let happening = fault.map { Happening.gpioFault($0.description) } ?? .gpioRecovered("outputs are back")
        report(happening, at: linesNews.since, in: &turn)
    }
}
