internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

extension NodePart {
    /// What a node says, as JSON; nil where it says nothing.
    func encoded(_ mirror: NodeMirror) -> EncodedPart? {
        switch self {
        case .name:
            return mirror.health?.name.map { EncodedPart(JSON.string($0).bytes) }
        case .availability:
            return mirror.availability.map { EncodedPart(JSON.string($0.rawValue).bytes) }
        case .heard:
            return EncodedPart(JSON.bool(mirror.isHeard).bytes)
        case .state:
            return mirror.state.map { EncodedPart($0.bytes) }
        case .counting:
            return mirror.counting.map { EncodedPart(CountingReport(counting: $0).json()) }
        case .patterns:
            let patterns = (mirror.patterns ?? [:]).mapValues(PatternReport.init)
            return patterns.isEmpty ? nil : EncodedPart(patterns.json(.outputs(())))
        case .timers:
            return mirror.timers.map { EncodedPart($0.bytes) }
        case .message:
            return mirror.message.map { EncodedPart($0.bytes(attentionAt: mirror.attentionSince)) }
        case .agenda:
            return mirror.agenda.map { EncodedPart(full: $0.bytes, forViewers: $0.withoutNotes.bytes) }
        case .runs:
            return mirror.runs.map { EncodedPart(full: $0.bytes, forViewers: nil) }
        case .health:
            return mirror.health.map { EncodedPart(full: $0.bytes, forViewers: nil) }
        case .signals:
            return EncodedPart(mirror.signals.json(()))
        case .offlineSince:
            return mirror.disconnectedSince.map { EncodedPart(JSON.number($0.milliseconds).bytes) }
        }
    }
}

extension EventMessage {
    /// The event for everybody who may hear of it: viewers see nothing of the report, nor of the node's condition.
    var encoded: EncodedPart {
        switch kind {
        case .gpioFault, .gpioRecovered: return EncodedPart(full: bytes, forViewers: nil)
        case .runEnded(let used, let over, .some):
            var short = self
            short.kind = .runEnded(used: used, over: over)
            return EncodedPart(full: bytes, forViewers: short.bytes)
        case .runEnded, .modeChanged, .movedOn, .timerEdited, .message, .messageCleared, .meetingBegan, .meetingEnded,
            .reminder:
            return EncodedPart(bytes)
        }
    }
}

/// What a timer counts by, on the server's clock.
struct CountingReport {
    var counting = Counting(zero: nil, since: nil, made: Instant(), isEstimate: false)
}

extension CountingReport: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.milliseconds("zero", &counting.zero, "When 0 is, or was, due; null while stopped or paused.")
        try visitor.milliseconds("since", &counting.since, "When the mode began; null where that is not known.")
        var made: Instant? = counting.made
        try visitor.milliseconds("made", &made, "When the node made the state.")
        counting.made = made ?? counting.made
        try visitor.field("estimate", &counting.isEstimate, "Whether this rests on wall clocks, or the node is away.")
    }
}

/// How an output goes on and off, on the server's clock.
struct PatternReport {
    var steps: [Duration] = []
    var repeats = false
    var began: Instant?

    init() {}

    init(_ pattern: BlinkPattern) { (steps, repeats, began) = (pattern.steps, pattern.repeats, pattern.began) }
}

extension PatternReport: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        let bounds = TimeBounds(.clocks, in: .milliseconds)
        try visitor.field("steps_ms", &steps, ListBounds(bounds), "How long it is on, off, on and so forth.")
        try visitor.field("repeat", &repeats, "Whether it goes on from the beginning after the last step.")
        try visitor.milliseconds("began", &began, "When it began.")
    }
}

extension ShownMessage {
    /// The message, with the server's instant since when it asks for attention.
    fileprivate func bytes(attentionAt instant: Instant?) -> [UInt8] {
        var (writer, instant) = (JSONWriter(), instant)
        writer.object { writer in
            writer.fields(of: self)
            // A writer refuses nothing.
            try? writer.milliseconds("attention_at", &instant, "")
        }
        return writer.bytes
    }
}

extension AgendaMessage {
    fileprivate var withoutNotes: AgendaMessage {
        var message = self
        for index in message.agenda.meetings.indices { message.agenda.meetings[index].note = nil }
        return message
    }
}
