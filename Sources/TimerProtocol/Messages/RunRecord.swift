public import FoundationEssentials
public import TimerEngine

/// A run that ended, as the report has it.
public struct RunRecord: Hashable, Sendable, Identifiable {
    /// The id of the run, which was made when it started.
    public let id: UUID
    /// The timer that ran, where it was then.
    public var timer: TimerPath
    /// The name of what ran.
    public var name: String
    /// The name of its group.
    public var group: String
    /// Who spoke; nil where nobody said.
    public var speaker: String?
    /// When the run began.
    public var startedAt: Date
    /// When it ended.
    public var endedAt: Date
    /// How long it took: pauses out, overtime in.
    public var used: Duration
    /// How long it was paused.
    public var paused: Duration
    /// How much of the time used was overtime.
    public var over: Duration
    /// Where the run started, in seconds.
    public var start: Int
    /// The seconds that were given during the run; negative where more were taken.
    public var added: Int
    /// How long it had to take to qualify: the timer's rule, moved by ``added``.
    public var qualifying: QualifyingTime
    /// How many seconds it could be too short or too long, and qualify nevertheless.
    public var grace: Int
    /// Whether it qualified; nil where there was no rule.
    public var qualified: Bool?

    /// A run with all that is known of it.
    public init(
        id: UUID, timer: TimerPath, name: String, group: String, speaker: String?, startedAt: Date, endedAt: Date,
        used: Duration, paused: Duration, over: Duration, start: Int, added: Int = 0, qualifying: QualifyingTime,
        grace: Int = 0, qualified: Bool?
    ) {
        self.id = id
        self.timer = timer
        self.name = name
        self.group = group
        self.speaker = speaker
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.used = used
        self.paused = paused
        self.over = over
        self.start = start
        self.added = added
        self.qualifying = qualifying
        self.grace = grace
        self.qualified = qualified
    }
}

extension RunRecord {
    /// Whether it qualified only by the grace: it was too short or too long by less.
    package var isWithinGrace: Bool { qualified == true && qualifying.qualifies(used: used, grace: 0) == false }
}

// MARK: - JSON

extension RunRecord {
    package func write(to writer: inout JSONWriter) {
        writer.member(.id, id)
        writer.member(.timer, timer)
        writer.member(.name, name)
        writer.member(.group, group)
        writer.member(.speaker, speaker)
        writer.member(.startedAt, startedAt)
        writer.member(.endedAt, endedAt)
        writer.member(.used, used)
        writer.member(.paused, paused)
        writer.member(.over, over)
        writer.member(.start, start)
        writer.member(.added, added)
        writer.member(.minimum, qualifying.minimum)
        writer.member(.maximum, qualifying.maximum)
        writer.member(.grace, grace)
        writer.member(.qualified, qualified)
    }

    package init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            id: try fields.required(.id), timer: try fields.required(.timer), name: try fields.required(.name, .plain),
            group: try fields.required(.group, .plain), speaker: try fields.optional(.speaker, .plain),
            startedAt: try fields.required(.startedAt), endedAt: try fields.required(.endedAt),
            used: try fields.required(.used, in: .lengths), paused: try fields.required(.paused, in: .lengths),
            over: try fields.required(.over, in: .lengths), start: try fields.required(.start, in: .timerSeconds),
            added: try fields.optional(.added, in: .commandSeconds) ?? 0, qualifying: try fields.qualifyingTime(),
            grace: try fields.optional(.grace, in: .timerSeconds) ?? 0, qualified: try fields.optional(.qualified))
    }
}

extension JSONWriter {
    /// Writes runs as an array of objects.
    package mutating func member(_ key: JSONKey, _ runs: some Collection<RunRecord>) {
        self.key(key)
        array(Array(runs)) { writer, run in writer.object { run.write(to: &$0) } }
    }
}

extension PayloadFields {
    /// Removes an array of runs that must be there, and returns it.
    package mutating func requiredRuns(_ key: JSONKey) throws(Refusal) -> [RunRecord] {
        guard let objects = try objects(key.name) else { throw missing(key.name) }
        var runs: [RunRecord] = []
        for object in objects { runs.append(try RunRecord(object)) }
        return runs
    }
}

/// The payload of the `runs` topic: the newest runs.
public struct RunsMessage: Hashable, Sendable {
    /// How many runs a message has at most.
    public static let length = 20

    /// The newest runs, the newest first.
    public var runs: [RunRecord]
    /// How many runs the node keeps.
    public var total: Int

    /// The newest of so many runs.
    public init(runs: [RunRecord], total: Int) {
        self.runs = runs
        self.total = total
    }
}

extension RunsMessage: MessagePayload {
    /// The runs as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.member(.runs, runs)
            writer.member(.total, total)
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            Self(runs: try fields.requiredRuns(.runs), total: try fields.required(.total, in: .counts))
        }
    }
}
