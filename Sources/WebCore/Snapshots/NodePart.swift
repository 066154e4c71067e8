package import FoundationEssentials
internal import TimerClient
internal import TimerEngine
package import TimerProtocol

/// A part of the data that pages receive about a node, named by its key. Each part is sent only when it changes.
package enum NodePart: String, CaseIterable, Hashable, Sendable {
    case name, availability, heard, state, counting, patterns, timers, message, agenda, programme, runs, health, signals
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
        // The part that holds the message itself has the same name as the topic.
        return derived + [NodePart(rawValue: kind.rawValue)].compactMap(\.self)
    }
}

/// A value as JSON, encoded once for all recipients.
package struct EncodedPart: Hashable, Sendable {
    /// For remotes and operators.
    package let full: [UInt8]
    /// For viewers; nil if they do not receive this part.
    package let forViewers: [UInt8]?
    /// The number of the change that created it, counted from 1.
    package var change = 0

    package init(full: [UInt8], forViewers: [UInt8]?) {
        self.full = full
        self.forViewers = forViewers
    }

    /// A value for everybody.
    package init(_ bytes: [UInt8]) { self.init(full: bytes, forViewers: bytes) }

    /// The value of a part that is not set, or that was removed.
    package static let null = EncodedPart(Array("null".utf8))

    /// The value for a role; nil if it does not receive this part.
    func bytes(for role: Role) -> [UInt8]? { role == .viewer ? forViewers : full }

    /// Whether both have the same content.
    func says(_ other: EncodedPart) -> Bool { full == other.full && forViewers == other.forViewers }
}

extension NodePart {
    /// Returns the part for a node as JSON; nil if the node has published nothing for it.
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
        case .programme:
            return mirror.programme.map { EncodedPart(full: $0.bytes, forViewers: $0.withoutNotes.bytes) }
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
    /// Returns the event for each role: viewers see neither the report nor the node's health.
    var encoded: EncodedPart {
        switch kind {
        case .gpioFault, .gpioRecovered: return EncodedPart(full: bytes, forViewers: nil)
        case .runEnded(let used, let over, .some):
            var short = self
            short.kind = .runEnded(used: used, over: over)
            return EncodedPart(full: bytes, forViewers: short.bytes)
        case .runUndone: return EncodedPart(full: bytes, forViewers: nil)
        case .runEnded, .modeChanged, .movedOn, .budgetSpent, .timerEdited, .message, .messageCleared, .meetingBegan,
            .meetingEnded,
            .reminder:
            return EncodedPart(bytes)
        }
    }
}

/// The instants that a timer counts from or to, on the server's clock.
struct CountingReport {
    var counting = Counting(zero: nil, since: nil, made: Instant(), isEstimate: false)
}

extension CountingReport: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.milliseconds("zero", &counting.zero, "When the timer reaches 0; null while stopped or paused.")
        try visitor.milliseconds("since", &counting.since, "When the mode began; null if unknown.")
        var made: Instant? = counting.made
        try visitor.milliseconds("made", &made, "When the node created the state.")
        counting.made = made ?? counting.made
        try visitor.field("estimate", &counting.isEstimate, "Whether this relies on wall clocks or the node is away.")
    }
}

/// How an output blinks, on the server's clock.
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
        try visitor.field("steps_ms", &steps, ListBounds(bounds), "How long it is on, off, on and so on.")
        try visitor.field("repeat", &repeats, "Whether it starts again after the last step.")
        try visitor.milliseconds("began", &began, "When it began.")
    }
}

extension ShownMessage {
    /// The message, with the instant on the server's clock at which it began to ask for attention.
    fileprivate func bytes(attentionAt instant: Instant?) -> [UInt8] {
        var (writer, instant) = (JSONWriter(), instant)
        writer.object { writer in
            writer.fields(of: self)
            // A writer never throws.
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

extension ProgrammeMessage {
    fileprivate var withoutNotes: ProgrammeMessage {
        var message = self
        for index in message.entries.indices { message.entries[index].entry.note = nil }
        return message
    }
}

/// The runs of a range of days, the newest first.
package struct RunsSelection: Hashable, Sendable {
    package private(set) var runs: [RunRecord] = []
    package private(set) var isComplete = true

    package init() {}

    /// Selects the runs of the range from all runs, which must be sorted with the newest first.
    ///
    /// - Parameters:
    ///   - isComplete: whether these are all the runs that the node keeps.
    ///   - from: when the first day begins; nil for no limit.
    ///   - to: when the day after the last one begins; nil for no limit.
    package init(of runs: [RunRecord], isComplete: Bool, from: Date?, to: Date?) {
        self.runs = runs.filter { run in
            (from.map { run.startedAt >= $0 } ?? true) && (to.map { run.startedAt < $0 } ?? true)
        }
        // Any missing runs are older than the present ones.
        self.isComplete = isComplete || (from.map { first in runs.contains { $0.startedAt < first } } ?? false)
    }
}

extension RunsSelection: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs, the newest first.")
        try visitor.field("complete", &isComplete, "Whether these are all the runs that the node keeps for these days.")
    }
}
