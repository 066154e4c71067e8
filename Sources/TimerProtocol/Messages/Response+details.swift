public import FoundationEssentials

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
