internal import ArgumentParser
internal import BrokerSession
internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// `timer-node report NODE`: prints the runs that a node has recorded.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print who spoke, and for how long: the runs of a node.",
        discussion: """
            The oldest run comes first. Times are in minutes and seconds, without pauses and with overtime; dates are \
            in this machine's time zone. The node keeps its newest 200 runs, unless storage.runs in its configuration \
            sets another number.

              timer-node report lectern
              timer-node report lectern --since 2026-11-20
              timer-node report lectern --csv >report.csv
              timer-node report lectern --totals
              timer-node report lectern --json | jq -r .speaker

            Exits with 1 if the node refuses or does not report all of its runs, with 69 if it does not answer, or with \
            74 if standard output cannot be written.
            """)

    @OptionGroup var options: BrokerOptions

    @OptionGroup var target: TargetNode

    @Flag(help: "Print comma-separated values (RFC 4180) for a spreadsheet, with times as hours, minutes and seconds.")
    var csv = false

    @Flag(help: "Print one JSON object per line, in the format of the runs topic.")
    var json = false

    @Flag(help: "Print how long the runs of each speaker and of each timer took together.")
    var totals = false

    @Option(
        help: ArgumentHelp(
            "Omit the runs that began before this date: 2026-11-20, 2026-11-20T18:00, or with a zone "
                + "2026-11-20T18:00:00Z.", valueName: "date"))
    var since: DateArgument?

    func validate() throws {
        if csv, json { throw ValidationError("--csv and --json cannot be used together") }
        if totals, json { throw ValidationError("--totals and --json cannot be used together") }
    }

    func run() throws {
        let (all, isComplete) = try options.withSession(kinds: [.availability, .response]) {
            session throws(ClientFailure) in try target.runs(session)
        }
        try write(since.map { since in all.filter { $0.startedAt >= since.date } } ?? all)
        guard isComplete else {
            StandardError.say("\(target.node.id) did not report all of its runs: older ones are missing")
            throw ExitCode.failure
        }
    }

    private func write(_ runs: [RunRecord]) throws {
        if csv, totals { return try StandardOutput.write(RunsText.csv(RunTotal.totals(of: runs))) }
        if csv { return try StandardOutput.write(ReportText.csv(runs)) }
        if json { return try StandardOutput.write(ReportText.json(runs)) }
        guard !runs.isEmpty else {
            StandardError.say("\(target.node.id) has no runs" + (since.map { " since \($0)" } ?? ""))
            return
        }
        let table = totals ? ReportText.table(RunTotal.totals(of: runs)) : ReportText.table(runs)
        try StandardOutput.write("\(table)\n")
    }
}

extension TargetNode {
    /// Returns the runs that the node keeps, oldest first, and whether they are complete.
    fileprivate func runs(_ session: ClientSession) throws(ClientFailure) -> (runs: [RunRecord], isComplete: Bool) {
        var download = RunsDownload(at: session.now.instant)
        while true {
            let answer = try answer(to: download.question, session)
            switch download.receive(answer, at: session.now.instant) {
            case .ask: break
            case .wait(let time): session.wait(until: session.now.instant + time) { _ in false }
            case .done(let isComplete): return (download.runs.reversed(), isComplete)
            case .failed(let refusal?): throw refused(refusal)
            case .failed(nil): throw .refused("\(node.id) responded without any runs")
            }
        }
    }
}

/// A date on the command line: a day, or a day and a time, in the local time zone; or any RFC 3339 date.
struct DateArgument: ExpressibleByArgument, CustomStringConvertible {
    let date: Date
    let description: String

    init?(argument: String) {
        let parts = argument.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let time = parts.count == 2 ? TimeOfDay(parts[1]) : TimeOfDay(secondOfDay: 0)
        let local = CivilDate(parts[0]).flatMap { day in time.flatMap { LocalTime.date(day, $0) } }
        guard let date = local ?? Timestamp.date(argument) else { return nil }
        self.date = date
        description = argument
    }
}

/// Formats runs for people and programs.
enum ReportText {
    /// Returns a table for people. The columns for running orders and accounts are there if a run has such a value.
    static func table(_ runs: [RunRecord]) -> TextTable {
        let columns: [(title: String, isShown: Bool, cell: (RunRecord) -> String)] = [
            ("STARTED", true, { LocalTime.dayAndTime($0.startedAt) }),
            ("PLANNED", runs.contains { $0.planned != nil }, { $0.planned.map(LocalTime.dayAndTime) ?? "-" }),
            ("SPEAKER", true, { $0.speaker.map(\.terminalText) ?? "-" }),
            ("TITLE", runs.contains { $0.title != nil }, { $0.title.map(\.terminalText) ?? "-" }),
            ("TIMER", true, { $0.name.terminalText }),
            ("USED", true, used),
            ("TOTAL", runs.contains { $0.total != nil }, { $0.total.map { TimeDisplay.time($0.wholeSeconds) } ?? "-" }),
            ("OVER", true, { $0.over >= .seconds(1) ? TimeDisplay.time($0.over.wholeSeconds) : "-" }),
            ("QUALIFIED", true, verdict),
        ].filter(\.isShown)
        var table = TextTable(columns.map(\.title))
        for run in runs { table.add(columns.map { $0.cell(run) }) }
        return table
    }

    /// Returns a table of totals.
    static func table(_ totals: [RunTotal]) -> TextTable {
        var table = TextTable("BY", "NAME", "RUNS", "USED", "OVER")
        for total in totals {
            table.add(
                total.kind.rawValue, total.name.isEmpty ? "-" : total.name.terminalText, "\(total.count)",
                TimeDisplay.time(total.used.wholeSeconds),
                total.over >= .seconds(1) ? TimeDisplay.time(total.over.wholeSeconds) : "-")
        }
        return table
    }

    private static func used(_ run: RunRecord) -> String {
        TimeDisplay.time(run.used.wholeSeconds) + (run.measured == nil ? "" : " (corrected)")
    }

    private static func verdict(_ run: RunRecord) -> String {
        guard run.qualifiedByGrace else { return RunsText.qualified(run) ?? "-" }
        let side = run.used.wholeSeconds < run.qualifying.minimum ?? 0 ? "short" : "over"
        return "yes: \(side), within grace (\(run.grace) s)"
    }

    /// Returns one JSON object per line, in the format of the topic.
    static func json(_ runs: [RunRecord]) -> String {
        runs.map { String(decoding: $0.json(), as: UTF8.self) + "\n" }.joined()
    }

    /// Returns comma-separated values, with dates in the local time zone.
    static func csv(_ runs: [RunRecord]) -> String { RunsText.csv(runs, date: LocalTime.dayAndTime) }
}

/// A time on the command line: `5`, `5s`, `500ms`, `1:30`.
struct TimeArgument: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = DurationText.duration(argument), duration > .zero, duration <= .seconds(3600) else {
            return nil
        }
        self.duration = duration
    }

    var description: String { DurationText.text(duration) }
}

/// Formats times for the output of the commands.
enum TimeDisplay {
    /// Returns a string such as `4:12 left` or `0:00 left`.
    static func left(_ seconds: Int) -> String { "\(time(seconds)) left" }

    /// Returns a string such as `4:12`, `1:00:05` or `0:05`, for 0 seconds or more.
    static func time(_ seconds: Int) -> String {
        let text = TimerEngine.timerDisplay(of: seconds)
        return seconds < 60 ? "0:" + String(repeating: "0", count: seconds < 10 ? 1 : 0) + String(seconds) : text
    }
}
