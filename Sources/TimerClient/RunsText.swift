package import FoundationEssentials
internal import TimerEngine
package import TimerProtocol

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
