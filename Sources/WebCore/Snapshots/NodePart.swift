package import FoundationEssentials
internal import TimerClient
internal import TimerEngine
package import TimerProtocol

/// What a page is told of a node, by the key that it has there. A change of one part is sent without the others.
package enum NodePart: String, CaseIterable, Hashable, Sendable {
    case name, availability, heard, state, counting, patterns, timers, message, agenda, runs, health, signals
    case offlineSince = "offline_since"

    /// The parts that a message on a topic may change.
    package static func touched(by kind: TopicKind) -> [NodePart] {
        let derived: [NodePart] =
            switch kind {
            case .availability: [.heard, .counting, .patterns, .offlineSince, .signals]
            case .state, .tick: [.heard, .counting, .patterns]
            case .health: [.heard, .name, .signals]
            case .event, .response: []
            default: [.heard]
            }
        // What it says itself has its name.
        return derived + [NodePart(rawValue: kind.rawValue)].compactMap(\.self)
    }
}

/// A value as JSON, encoded once for all who get it.
package struct EncodedPart: Hashable, Sendable {
    /// What remotes and operators get.
    package let full: [UInt8]
    /// What viewers get; nil for nothing.
    package let forViewers: [UInt8]?
    /// The change that made it, counted from 1.
    package var change = 0

    package init(full: [UInt8], forViewers: [UInt8]?) {
        self.full = full
        self.forViewers = forViewers
    }

    /// A value that everybody gets.
    package init(_ bytes: [UInt8]) { self.init(full: bytes, forViewers: bytes) }

    /// Nothing, or nothing any more.
    package static let null = EncodedPart(Array("null".utf8))

    /// What somebody gets; nil for nothing.
    func bytes(for role: Role) -> [UInt8]? { role == .viewer ? forViewers : full }

    /// Whether both say the same.
    func says(_ other: EncodedPart) -> Bool { full == other.full && forViewers == other.forViewers }
}

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

/// The runs of some days, the newest first.
package struct RunsSelection: Hashable, Sendable {
    package private(set) var runs: [RunRecord] = []
    package private(set) var isComplete = true

    package init() {}

    /// Selects among runs, which are the newest first.
    ///
    /// - Parameters:
    ///   - isComplete: whether the node keeps no others.
    ///   - from: when the first day begins; nil for no limit.
    ///   - to: when the day after the last one begins; nil for no limit.
    package init(of runs: [RunRecord], isComplete: Bool, from: Date?, to: Date?) {
        self.runs = runs.filter { run in
            (from.map { run.startedAt >= $0 } ?? true) && (to.map { run.startedAt < $0 } ?? true)
        }
        // What is missing is older than what is there.
        self.isComplete = isComplete || (from.map { first in runs.contains { $0.startedAt < first } } ?? false)
    }
}

extension RunsSelection: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs, the newest first.")
        try visitor.field("complete", &isComplete, "Whether these are all that the node keeps of these days.")
    }
}
