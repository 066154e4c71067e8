internal import TimerEngine
internal import TimerProtocol

/// What others know of the lines.
struct LinesNews: Hashable, Sendable {
    /// Whether some of them are not held.
    private(set) var isFault = false
    /// When that began.
    private(set) var since = TimerEngine.Instant(sinceEpoch: .zero)
    /// Where the timer stood then.
    private(set) var position = EventPosition(timer: TimerPath(group: 0, item: 0), remaining: 0)
    /// Whether the others were told of a fault, and not of its end.
    var isFaultTold = false

    mutating func note(isFault: Bool, at now: TimerEngine.Instant, _ position: EventPosition) {
        guard isFault != self.isFault else { return }
        self.isFault = isFault
        since = now
        self.position = position
    }
}

/// GPIO chips that come and go.
extension NodeCore {
    /// A chip came, went or may be used by others than before.
    ///
    /// Whether it is the one with the lines is for the lines to say: those that are held are all set again, which fails
    /// where their chip is gone, and those that are not are tried at once.
    mutating func chipsChanged(into batch: inout EffectBatch) {
        if lines.levels != nil {
            lines.levels = [:]
        } else {
            lines.acquisition.begin(at: batch.now.instant)
        }
        if inputAcquisition.fault != nil { inputAcquisition.begin(at: batch.now.instant) }
    }

    /// Why lamps or buttons are not held.
    var linesFault: String? {
        guard lines.acquisition.fault != nil || inputAcquisition.fault != nil else { return nil }
        let faults = [lines.acquisition.fault?.description, inputAcquisition.fault?.description].compactMap(\.self)
        return faults.first == faults.last ? faults.first : faults.joined(separator: "; ")
    }

    /// Publishes that there is a fault, or none any more, where that is news: at the latest after the next connection.
    ///
    /// There is one event for all the reasons that a fault may have until it ends.
    mutating func tellOfLines(into batch: inout EffectBatch) {
        let fault = linesFault
        linesNews.note(isFault: fault != nil, at: batch.now.instant, position(at: batch.now.instant))
        guard reconnection?.isConnected == true, linesNews.isFaultTold != linesNews.isFault else { return }
        linesNews.isFaultTold = linesNews.isFault
        let happening = fault.map(EventMessage.Kind.gpioFault) ?? .gpioRecovered("all lines are held")
        report(happening, at: linesNews.since, linesNews.position, into: &batch)
    }
}
