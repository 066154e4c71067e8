package import FoundationEssentials
package import TimerEngine
package import TimerProtocol

/// Downloads the runs of a node, page by page. The number of pages and the total time are limited, no matter what the
/// node responds.
///
/// The owner of the connection sends ``question``, passes each response to ``receive(_:at:)``, and performs the step
/// that it returns.
package struct RunsDownload: Sendable {
    /// A node keeps at most 1,000 runs, and a page has 25 of them.
    package static let maximumPages = 100
    /// No page is requested after this time. A node that accepts one command a second needs 40 s for 1,000 runs, and a
    /// proxy waits 60 s for a response.
    package static let timeLimit: Duration = .seconds(50)
    /// How long to wait after the node has refused a command because of its rate limit.
    package static let pause: Duration = .seconds(1)

    /// The next step after a response.
    package enum Step: Hashable, Sendable {
        /// Send ``RunsDownload/question``.
        case ask
        /// Send ``RunsDownload/question`` after this time.
        case wait(Duration)
        /// There is nothing more to request: ``RunsDownload/runs`` contains all runs that the node keeps, or the newest
        /// of them.
        case done(isComplete: Bool)
        /// The node refused the request, for this reason; nil if its response has no runs.
        case failed(Refusal?)
    }

    /// The runs received so far, the newest first.
    package private(set) var runs: [RunRecord] = []
    private var ids: Set<UUID> = []
    private var page = 1
    private let deadline: Instant

    /// A download that begins now.
    package init(at now: Instant) { deadline = now + Self.timeLimit }

    /// The next request to the node.
    package var question: Command { .runs(.page(page)) }

    /// Handles the response to ``question``.
    package mutating func receive(_ response: Response, at now: Instant) -> Step {
        if let refusal = response.refusal {
            switch refusal.code {
            case .rateLimited where now + Self.pause <= deadline: return .wait(Self.pause)
            case .rateLimited where page > 1: return .done(isComplete: false)
            // The report was cleared between two pages.
            case .notFound where page > 1: return .done(isComplete: true)
            default: return .failed(refusal)
            }
        }
        guard case .runs(let found)? = response.details else { return .failed(nil) }
        // A run that ended between two pages has shifted the others to later pages, so some runs arrive twice.
        runs += found.runs.filter { ids.insert($0.id).inserted }
        guard page < found.pages, !found.runs.isEmpty else { return .done(isComplete: true) }
        guard page < Self.maximumPages, now <= deadline else { return .done(isComplete: false) }
        page += 1
        return .ask
    }
}

/// How long all runs of a speaker or of a timer took together.
package struct RunTotal: Hashable, Sendable {
    /// What the runs have in common.
    package enum Kind: String, CaseIterable, Sendable { case speaker, timer }

    package let kind: Kind
    /// The name of the speaker or of the timer; empty for runs without a speaker.
    package let name: String
    package var count = 0
    package var used: Duration = .zero
    package var over: Duration = .zero

    /// The totals of runs: those of each speaker, then those of each timer, in the order in which they first ran.
    package static func totals(of runs: [RunRecord]) -> [RunTotal] {
        Kind.allCases.flatMap { kind in
            var totals: [RunTotal] = []
            for run in runs.sorted(by: { $0.startedAt < $1.startedAt }) {
                let name = kind == .speaker ? run.speaker ?? "" : run.name
                let place = totals.firstIndex { $0.name == name } ?? totals.endIndex
                if place == totals.endIndex { totals.append(RunTotal(kind: kind, name: name)) }
                totals[place].count += 1
                totals[place].used += run.used
                totals[place].over += run.over
            }
            return totals
        }
    }
}

/// The runs in a report as text for a spreadsheet.
package enum RunsText {
    /// Comma-separated values as defined by RFC 4180, in UTF-8, with a header line.
    ///
    /// A spreadsheet reads `6:32` as a time of day, so all times include hours.
    ///
    /// - Parameter date: formats a date for people.
    package static func csv(_ runs: [RunRecord], date: (Date) -> String) -> String {
        let titles = [
            "Started", "Ended", "Speaker", "Timer", "Group", "Used", "Over", "Paused", "Planned", "Minimum", "Maximum",
            "Qualified", "Measured", "Title", "Entry", "Planned start",
            "Total",
        ]
        let lines = runs.map { run in
            [
                date(run.startedAt), date(run.endedAt), field(run.speaker ?? ""), field(run.name), field(run.group),
                time(run.used.wholeSeconds), time(run.over.wholeSeconds), time(run.paused.wholeSeconds),
                time(run.start), run.qualifying.minimum.map(time) ?? "", run.qualifying.maximum.map(time) ?? "",
                qualified(run) ?? "", run.measured.map { time($0.wholeSeconds) } ?? "",
                run.title.map(field) ?? "", run.entry.map(field) ?? "", run.planned.map(date) ?? "",
                run.total.map { time($0.wholeSeconds) } ?? "",
            ]
        }
        return ([titles] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// The totals as comma-separated values.
    package static func csv(_ totals: [RunTotal]) -> String {
        let lines = totals.map { total in
            [
                total.kind.rawValue, field(total.name), "\(total.count)", time(total.used.wholeSeconds),
                time(total.over.wholeSeconds),
            ]
        }
        return ([["By", "Name", "Runs", "Used", "Over"]] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns whether a run qualified, as `yes` or `no`; nil if there was no rule.
    package static func qualified(_ run: RunRecord) -> String? { run.qualified.map { $0 ? "yes" : "no" } }

    /// Hours, minutes and seconds: `0:06:32`.
    private static func time(_ seconds: Int) -> String {
        let (hours, rest) = max(0, seconds).quotientAndRemainder(dividingBy: 3600)
        var bytes: [UInt8] = []
        bytes.append(decimal: hours)
        for part in [rest / 60, rest % 60] {
            bytes.append(UInt8(ascii: ":"))
            bytes.append(twoDigits: part)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a string in quotes, with spaces in place of characters that control a terminal. The string is untrusted,
    /// and a spreadsheet evaluates a string that begins like a formula; an apostrophe in front prevents that.
    private static func field(_ text: String) -> String {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.drivesTerminal ? " " : $0 }))
        // Scalars are compared, because a sign with a combining accent is a different character to Swift, but a
        // spreadsheet ignores the accent.
        let isLikeFormula = text.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
        return "\"\(isLikeFormula ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
    }
}
