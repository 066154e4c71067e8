public import FoundationEssentials

/// The payload of the `response` topic: the answer to a command.
public struct Response: Hashable, Sendable {
    /// What became of a command.
    public enum Outcome: Hashable, Sendable {
        /// The command was carried out; this is the mode after it, and the whole seconds that a display shows.
        case ok(mode: ModeName, remaining: Int)
        /// The command was refused.
        case error(Refusal)
    }

    /// The command's id; nil where it had none.
    public var id: String?
    /// The command's verb, or an excerpt of it where there is no such verb; nil where the command named none.
    public var command: String?
    /// What became of the command.
    public var outcome: Outcome = .ok(mode: .stopped, remaining: 0)
    /// Whether the command was a repeat: nothing was done, and this is the first response again.
    public var duplicate = false
    /// What the command asked for; nil for most commands.
    public var details: Details?
    /// The node that this one follows, and that it forwarded the command to; the answer is that node's.
    public var forwardedTo: String?
    /// The node that this one follows, where nothing was done since that node hears the command itself.
    public var follows: String?

    /// An answer to no command.
    public init() {}

    /// An answer to a command.
    public init(
        id: String?, command: String?, outcome: Outcome, duplicate: Bool = false, details: Details? = nil,
        forwardedTo: String? = nil, follows: String? = nil
    ) {
        self.id = id
        self.command = command
        self.outcome = outcome
        self.duplicate = duplicate
        self.details = details
        self.forwardedTo = forwardedTo
        self.follows = follows
    }

    /// Why the command was refused; nil where it was carried out.
    public var refusal: Refusal? { outcome.refusal }
}

// MARK: - Fields

extension Response: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.response

    /// The answer as a JSON object.
    public var bytes: [UInt8] { json() }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field, also for a code that this version does not know.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension Response: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .plain, "The command's id.")
        try visitor.field("command", &command, .sentence, "The command's verb.")
        try outcome.fields(&visitor)
        try Details.fields(of: &details, &visitor)
        try visitor.field("handed_to", &forwardedTo, .identifier, .omitted, "The leader that a follower handed it to.")
        try visitor.field("follows", &follows, .identifier, .omitted, "The leader, which hears the command itself.")
        try visitor.field("duplicate", &duplicate, .omitted, "Whether the command was a repeat, and nothing was done.")
    }
}

extension Response.Outcome {
    private enum Status: String, CaseIterable, ScalarValue { case ok, error }

    fileprivate mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        var status: Status = if case .ok = self { .ok } else { .error }
        try visitor.field("status", &status, "Whether the command was carried out.")
        switch status {
        case .ok:
            var (mode, remaining) = answer ?? (.stopped, 0)
            try visitor.field("mode", &mode, "The mode after it.")
            try visitor.field("remaining", &remaining, .shownSeconds, "The seconds that a display shows after it.")
            self = .ok(mode: mode, remaining: remaining)
        case .error:
            var (code, message) = (refusal?.code ?? .invalidPayload, refusal?.message ?? "")
            try visitor.field("code", &code, "Why not, for programs.")
            try visitor.field("message", &message, .sentence, "What was found and what was expected, for people.")
            self = .error(Refusal(code, message))
        }
    }

    private var answer: (mode: ModeName, remaining: Int)? {
        if case .ok(let mode, let remaining) = self { (mode, remaining) } else { nil }
    }

    fileprivate var refusal: Refusal? { if case .error(let refusal) = self { refusal } else { nil } }
}

extension Response {
    /// What a command asked for, beside its outcome.
    public enum Details: Hashable, Sendable {
        /// What time it was when the request was handled.
        case time(Date, BootTime)
        /// A page of the report.
        case runs(RunsPage)
    }

    /// A page of the report.
    public struct RunsPage: Hashable, Sendable {
        /// The runs of the page, the newest first.
        public var runs: [RunRecord] = []
        /// The page, counted from 1.
        public var page = 1
        /// How many pages there are: 0 without runs.
        public var pages = 0

        /// The first page, without runs.
        public init() {}

        /// A page with its runs.
        public init(runs: [RunRecord], page: Int, pages: Int) {
            self.runs = runs
            self.page = page
            self.pages = pages
        }
    }
}

/// A point on a machine's clock that counts from its boot, sleep included, and that nobody sets.
public struct BootTime: Hashable, Sendable {
    /// The id of the boot; empty where the system hides it. Times of different boots have nothing to do with each other.
    public var boot = ""
    /// The time since the boot, to the microsecond.
    public var now: Duration = .zero

    /// The boot of no machine.
    public init() {}

    /// A point on the clock of a boot.
    public init(boot: String, now: Duration) {
        self.boot = boot
        self.now = now
    }
}

// MARK: - Fields

extension Response.Details {
    /// Visits the fields that only an answer with details has.
    static func fields(of details: inout Self?, _ visitor: inout some FieldVisitor) throws(Refusal) {
        if let hasTime = visitor.has("time") {
            let hasPage = visitor.has("page") == true
            details = hasTime ? .time(.unread, BootTime()) : hasPage ? .runs(Response.RunsPage()) : nil
        }
        switch details {
        case .time(let date, var clock):
            var time = PreciseDate(date: date)
            try visitor.field("time", &time, "What time it was, to the microsecond.")
            try visitor.field("clock", &clock, "The same on the clock that counts from the boot.")
            details = .time(time.date, clock)
        case .runs(var page):
            try page.fields(&visitor)
            details = .runs(page)
        case nil: break
        }
    }
}

extension Response.RunsPage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("runs", &runs, ListBounds(()), "The runs of the page, the newest first.")
        try visitor.field("page", &page, .places, "The page, counted from 1.")
        try visitor.field("pages", &pages, .counts, "How many pages there are: 0 without runs.")
    }
}

/// A date that is written to the microsecond.
private struct PreciseDate: ScalarValue {
    static let expected = Date.expected

    let date: Date

    init(date: Date) { self.date = date }

    init?(field: JSON) {
        guard let date = Date(field: field) else { return nil }
        self.date = date
    }

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(Timestamp.text(date, digits: 6)) }
    static func schema(_ bounds: Void) -> JSON { Date.schema(bounds) }
}

extension BootTime: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("boot", &boot, .plain, "The id of the boot; empty where the system hides it.")
        try visitor.field("now", &now, .clocks, "The microseconds since the boot.")
    }
}
