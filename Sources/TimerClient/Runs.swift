package import FoundationEssentials
package import TimerEngine
package import TimerProtocol

/// Collects the runs of a node, page by page, and ends within bounds, whatever the node answers.
///
/// Whoever has the connection sends ``question``, passes each answer to ``receive(_:at:)``, and does what that returns.
package struct RunsDownload: Sendable {
    /// A node keeps at most 1,000 runs, and a page has 25 of them.
    package static let maximumPages = 100
    /// No page is asked for later than that: a node that takes one command a second needs 40 s for 1,000 runs, and a
    /// proxy waits 60 s for an answer.
    package static let timeLimit: Duration = .seconds(50)
    /// How long to wait after the node has refused because there are too many commands a second.
    package static let pause: Duration = .seconds(1)

    /// What is to be done after an answer.
    package enum Step: Hashable, Sendable {
        /// Send ``RunsDownload/question``.
        case ask
        /// Send ``RunsDownload/question`` after this time.
        case wait(Duration)
        /// There is nothing more to ask: ``RunsDownload/runs`` has all that the node keeps, or the newest of them.
        case done(isComplete: Bool)
        /// The node refuses, and why; nil if its answer has no runs.
        case failed(Refusal?)
    }

    /// The runs so far, the newest first.
    package private(set) var runs: [RunRecord] = []
    private var ids: Set<UUID> = []
    private var page = 1
    private let deadline: Instant

    /// A download that begins now.
    package init(at now: Instant) { deadline = now + Self.timeLimit }

    /// What to ask the node next.
    package var question: Command { .runs(.page(page)) }

    /// Takes the answer to ``question``.
    package mutating func receive(_ response: Response, at now: Instant) -> Step {
        if let refusal = response.refusal {
            switch refusal.code {
            case .rateLimited where now + Self.pause <= deadline: return .wait(Self.pause)
            case .rateLimited where page > 1: return .done(isComplete: false)
            // Somebody has set the report aside in between.
            case .notFound where page > 1: return .done(isComplete: true)
            default: return .failed(refusal)
            }
        }
        guard case .runs(let found)? = response.details else { return .failed(nil) }
        // A run that has ended in between has moved the others back, so that some of them come twice.
        runs += found.runs.filter { ids.insert($0.id).inserted }
        guard page < found.pages, !found.runs.isEmpty else { return .done(isComplete: true) }
        guard page < Self.maximumPages, now <= deadline else { return .done(isComplete: false) }
        page += 1
        return .ask
    }
}

/// The runs of a report as a spreadsheet reads them.
package enum RunsText {
    /// Comma-separated values by RFC 4180, in UTF-8, with a line of titles.
    ///
    /// A spreadsheet takes `6:32` for a time of day, so that all times have hours.
    ///
    /// - Parameter date: a date as people here read it.
    package static func csv(_ runs: [RunRecord], date: (Date) -> String) -> String {
        let titles = [
            "Started", "Ended", "Speaker", "Timer", "Group", "Used", "Over", "Paused", "Planned", "Minimum", "Maximum",
            "Qualified",
        ]
        let lines = runs.map { run in
            [
                date(run.startedAt), date(run.endedAt), field(run.speaker ?? ""), field(run.name), field(run.group),
                time(run.used.wholeSeconds), time(run.over.wholeSeconds), time(run.paused.wholeSeconds),
                time(run.start), run.qualifying.minimum.map(time) ?? "", run.qualifying.maximum.map(time) ?? "",
                qualified(run) ?? "",
            ]
        }
        return ([titles] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// Whether a run qualified; nil where there was no rule.
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

    /// A text in quotes, with spaces in place of what drives a terminal. Strangers may have sent it, and a spreadsheet takes
    /// for a formula what begins like one: an apostrophe in front keeps it from that.
    private static func field(_ text: String) -> String {
        let text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.drivesTerminal ? " " : $0 }))
        // A sign with an accent is another character, which a spreadsheet does not mind.
        let isLikeFormula = text.unicodeScalars.first.map { "=+-@".unicodeScalars.contains($0) } ?? false
        return "\"\(isLikeFormula ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
    }
}
