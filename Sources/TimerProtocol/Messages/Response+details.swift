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
        public var runs: [RunRecord]
        /// The page, counted from 1.
        public var page: Int
        /// How many pages there are: 0 without runs.
        public var pages: Int

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
    public var boot: String
    /// The time since the boot, to the microsecond.
    public var now: Duration

    /// A point on the clock of a boot.
    public init(boot: String, now: Duration) {
        self.boot = boot
        self.now = now
    }
}

// MARK: - JSON

extension Response.Details {
    func write(to writer: inout JSONWriter) {
        switch self {
        case .time(let date, let clock):
            writer.key(.time)
            writer.value(Timestamp.text(date, digits: 6))
            writer.member(.clock) { clock.write(to: &$0) }
        case .runs(let page):
            writer.member(.runs, page.runs)
            writer.member(.page, page.page)
            writer.member(.pages, page.pages)
        }
    }

    init?(_ fields: inout PayloadFields) throws(Refusal) {
        if let date: Date = try fields.optional(.time) {
            self = .time(date, try BootTime(try fields.requiredObject(.clock)))
        } else if let page = try fields.optional(.page, in: .places) {
            self = .runs(
                Response.RunsPage(
                    runs: try fields.requiredRuns(.runs), page: page, pages: try fields.required(.pages, in: .counts)))
        } else {
            return nil
        }
    }
}

extension BootTime {
    /// Writes the members that each object of a clock has.
    func write(to writer: inout JSONWriter) {
        writer.member(.boot, boot)
        writer.member(.now, microseconds: now)
    }

    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        try self.init(reading: &fields)
    }

    /// Reads the members that each object of a clock has.
    init(reading fields: inout PayloadFields) throws(Refusal) {
        self.init(boot: try fields.required(.boot, .plain), now: try fields.requiredMicroseconds(.now, in: .clocks))
    }
}

extension JSONWriter {
    /// Writes whole microseconds, rounded down, or null.
    mutating func member(_ key: JSONKey, microseconds time: Duration?) {
        member(key, time.map { $0.count(of: .microseconds(1)) })
    }
}

extension PayloadFields {
    /// Removes and returns a time in whole microseconds; nil where it is absent or null.
    mutating func microseconds(_ key: JSONKey, in range: ClosedRange<Duration>) throws(Refusal) -> Duration? {
        let unit = Duration.microseconds(1)
        let count = try optional(key, in: range.lowerBound.count(of: unit)...range.upperBound.count(of: unit))
        return count.map { .microseconds($0) }
    }

    mutating func requiredMicroseconds(_ key: JSONKey, in range: ClosedRange<Duration>) throws(Refusal) -> Duration {
        guard let time = try microseconds(key, in: range) else { throw missing(key.name) }
        return time
    }
}
