public import FoundationEssentials

/// The payload of the `response` topic: the response to a command.
public struct Response: Hashable, Sendable {
    /// The outcome of a command.
    public enum Outcome: Hashable, Sendable {
        /// The command was carried out; `mode` and `remaining` are the mode and the displayed whole seconds after it.
        case ok(mode: ModeName, remaining: Int)
        /// The command was refused.
        case error(Refusal)
    }

    /// The command's id; nil if the command had no id.
    public var id: String?
    /// The command's verb, or an excerpt of it if there is no such verb; nil if the command did not name one.
    public var command: String?
    /// The outcome of the command.
    public var outcome: Outcome = .ok(mode: .stopped, remaining: 0)
    /// Whether the command was a repeat: it was not carried out again, and this repeats the first response.
    public var duplicate = false
    /// The data that the command requested; nil for most commands.
    public var details: Details?
    /// The leader that a follower forwarded the command to; the response is the leader's.
    public var forwardedTo: String?
    /// The leader of a follower that did nothing, because the leader receives the same command.
    public var follows: String?

    /// A response without a command.
    public init() {}

    /// A response to a command.
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

    /// Why the command was refused; nil if it was carried out.
    public var refusal: Refusal? { outcome.refusal }
}

// MARK: - Fields

extension Response: MessagePayload {
    /// The topic that the response is published on.
    public static let kind = TopicKind.response

    /// The response as a JSON object.
    public var bytes: [UInt8] { json() }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field. A refusal code that this version does not know is
    ///   also an error.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension Response: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("id", &id, .plain, "The command's id.")
        try visitor.field("command", &command, .sentence, "The command's verb.")
        try outcome.fields(&visitor)
        try Details.fields(of: &details, &visitor)
        try visitor.field(
            "handed_to", &forwardedTo, .identifier, .omitted, "The leader that a follower forwarded it to.")
        try visitor.field("follows", &follows, .identifier, .omitted, "The leader, which also receives the command.")
        try visitor.field("duplicate", &duplicate, .omitted, "Whether the command was a repeat and had no effect.")
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
            try visitor.field("mode", &mode, "The mode after the command.")
            try visitor.field("remaining", &remaining, .shownSeconds, "The displayed seconds after the command.")
            self = .ok(mode: mode, remaining: remaining)
        case .error:
            var (code, message) = (refusal?.code ?? .invalidPayload, refusal?.message ?? "")
            try visitor.field("code", &code, "Why the command was refused, for programs.")
            try visitor.field("message", &message, .sentence, "The value found and the value expected, for people.")
            self = .error(Refusal(code, message))
        }
    }

    private var answer: (mode: ModeName, remaining: Int)? {
        if case .ok(let mode, let remaining) = self { (mode, remaining) } else { nil }
    }

    fileprivate var refusal: Refusal? { if case .error(let refusal) = self { refusal } else { nil } }
}

extension Response {
    /// The data that a command requested, in addition to its outcome.
    public enum Details: Hashable, Sendable {
        /// The time at which the request was handled, on the wall clock and on the boot clock.
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
        /// The number of pages; 0 if there are no runs.
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

/// A time on a machine's boot clock, which counts from the boot, including sleep, and is never adjusted.
public struct BootTime: Hashable, Sendable {
    /// The id of the boot; empty if the system hides it. Times from different boots cannot be compared.
    public var boot = ""
    /// The time since the boot, to the microsecond.
    public var now: Duration = .zero

    /// Time zero on the clock of a boot without an id.
    public init() {}

    /// A time on the clock of a boot.
    public init(boot: String, now: Duration) {
        self.boot = boot
        self.now = now
    }
}

// MARK: - Fields

extension Response.Details {
    /// Visits the fields that occur only in a response with details.
    static func fields(of details: inout Self?, _ visitor: inout some FieldVisitor) throws(Refusal) {
        if let hasTime = visitor.has("time") {
            let hasPage = visitor.has("page") == true
            details = hasTime ? .time(.unread, BootTime()) : hasPage ? .runs(Response.RunsPage()) : nil
        }
        switch details {
        case .time(let date, var clock):
            var time = PreciseDate(date: date)
            try visitor.field("time", &time, "The time of the response, to the microsecond.")
            try visitor.field("clock", &clock, "The same time on the boot clock.")
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
        try visitor.field("pages", &pages, .counts, "The number of pages; 0 if there are no runs.")
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
        try visitor.field("boot", &boot, .plain, "The id of the boot; empty if the system hides it.")
        try visitor.field("now", &now, .clocks, "The microseconds since the boot.")
    }
}
