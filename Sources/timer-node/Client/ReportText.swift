internal import LinuxSystem
internal import TimerEngine
internal import TimerProtocol

/// Runs as people and programs read them.
enum ReportText {
    /// A table for people.
    static func table(_ runs: [RunRecord]) -> TextTable {
        var table = TextTable("STARTED", "SPEAKER", "TIMER", "USED", "OVER", "QUALIFIED")
        for run in runs {
            table.add(
                LocalTime.dayAndTime(run.startedAt), run.speaker.map(PlainText.shown) ?? "-",
                PlainText.shown(run.name), TimeDisplay.time(run.used.wholeSeconds),
                run.over >= .seconds(1) ? TimeDisplay.time(run.over.wholeSeconds) : "-", qualified(run) ?? "-")
        }
        return table
    }

    /// One JSON object a line, as the topic has each run.
    static func json(_ runs: [RunRecord]) -> String {
        runs.map { run in
            var writer = JSONWriter()
            writer.object { run.write(to: &$0) }
            return String(decoding: writer.bytes, as: UTF8.self) + "\n"
        }.joined()
    }

    /// Comma-separated values by RFC 4180, in UTF-8, with a line of titles.
    ///
    /// A spreadsheet takes `6:32` for a time of day, so that all times have hours.
    static func csv(_ runs: [RunRecord]) -> String {
        let titles = [
            "Started", "Ended", "Speaker", "Timer", "Group", "Used", "Over", "Paused", "Planned", "Minimum", "Maximum",
            "Qualified",
        ]
        let lines = runs.map { run in
            [
                LocalTime.dayAndTime(run.startedAt), LocalTime.dayAndTime(run.endedAt), field(run.speaker ?? ""),
                field(run.name), field(run.group), time(run.used.wholeSeconds), time(run.over.wholeSeconds),
                time(run.paused.wholeSeconds), time(run.start), run.qualifying.minimum.map(time) ?? "",
                run.qualifying.maximum.map(time) ?? "", qualified(run) ?? "",
            ]
        }
        return ([titles] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func qualified(_ run: RunRecord) -> String? { run.qualified.map { $0 ? "yes" : "no" } }

    /// Hours, minutes and seconds: `0:06:32`.
    private static func time(_ seconds: Int) -> String {
        let text = TimeDisplay.time(max(0, seconds))
        return text.count(where: { $0 == ":" }) == 2 ? text : (text.count == 4 ? "0:0" : "0:") + text
    }

    /// A text in quotes. Strangers may have sent it, and a spreadsheet takes for a formula what begins like one: an
    /// apostrophe in front keeps it from that.
    private static func field(_ text: String) -> String {
        let text = PlainText.shown(text)
        let isLikeFormula = text.first.map { "=+-@".contains($0) } ?? false
        return "\"\(isLikeFormula ? "'" : "")\(text.replacing("\"", with: "\"\""))\""
    }
}

extension Duration {
    /// The whole seconds, rounded down.
    var wholeSeconds: Int { Int(components.seconds) }
}
