internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// Runs as people and programs read them.
enum ReportText {
    /// A table for people.
    static func table(_ runs: [RunRecord]) -> TextTable {
        var table = TextTable("STARTED", "SPEAKER", "TIMER", "USED", "OVER", "QUALIFIED")
        for run in runs {
            table.add(
                LocalTime.dayAndTime(run.startedAt), run.speaker.map(\.terminalText) ?? "-",
                run.name.terminalText, TimeDisplay.time(run.used.wholeSeconds),
                run.over >= .seconds(1) ? TimeDisplay.time(run.over.wholeSeconds) : "-", verdict(run))
        }
        return table
    }

    private static func verdict(_ run: RunRecord) -> String {
        guard run.isWithinGrace else { return RunsText.qualified(run) ?? "-" }
        let side = run.used.wholeSeconds < run.qualifying.minimum ?? 0 ? "short" : "over"
        return "yes: \(side), within grace (\(run.grace) s)"
    }

    /// One JSON object a line, as the topic has each run.
    static func json(_ runs: [RunRecord]) -> String {
        runs.map { String(decoding: $0.json(), as: UTF8.self) + "\n" }.joined()
    }

    /// Comma-separated values, with dates in the zone of this machine.
    static func csv(_ runs: [RunRecord]) -> String { RunsText.csv(runs, date: LocalTime.dayAndTime) }
}
