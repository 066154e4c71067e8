import FoundationEssentials
import LinuxSystem
import NodeTestSupport
import Testing
import TimerEngine

@testable import TimerProtocol
@testable import timer_node

@Suite("A report")
struct ReportTextTests {
    private static func run(
        _ name: String, by speaker: String?, used: Duration, over: Duration = .zero, qualified: Bool? = nil
    ) throws -> RunRecord {
        let date = try #require(DateArgument(argument: "2026-11-20T19:02")).date
        return RunRecord(
            id: try #require(UUID(uuidString: "0B8F8C0E-5D0B-4B6E-9A46-6F1F3C1D2E3F")),
            timer: TimerPath(group: 0, item: 1), name: name, group: "Talks", speaker: speaker,
            startedAt: date.addingTimeInterval(5), endedAt: date.addingTimeInterval(400), used: used,
            paused: .milliseconds(3_900), over: over, start: 420,
            qualifying: qualified == nil ? .none : try QualifyingTime(minimum: 300, maximum: 420), qualified: qualified)
    }

    private func runs() throws -> [RunRecord] {
        [
            try Self.run("Speech", by: "Ada Lovelace", used: .milliseconds(392_900), qualified: true),
            try Self.run("日本語", by: nil, used: .seconds(3725), over: .seconds(65), qualified: false),
            try Self.run("x", by: "Zoë", used: .seconds(5), over: .milliseconds(900)),
        ]
    }

    @Test("is a table for people, with aligned columns")
    func table() throws {
        #expect(
            "\(ReportText.table(try runs()))".split(separator: "\n") == [
                "STARTED              SPEAKER       TIMER   USED     OVER  QUALIFIED",
                "2026-11-20 19:02:05  Ada Lovelace  Speech  6:32     -     yes",
                "2026-11-20 19:02:05  -             日本語  1:02:05  1:05  no",
                "2026-11-20 19:02:05  Zoë           x       0:05     -     -",
            ])
    }

    @Test("has columns for the running order and for accounts only if a run has such values")
    func evening() throws {
        var run = try Self.run("Pro", by: nil, used: .seconds(100))
        (run.title, run.total) = ("Motion 4", .seconds(560))
        #expect(
            "\(ReportText.table([run, try Self.run("x", by: nil, used: .seconds(5))]))".split(separator: "\n") == [
                "STARTED              SPEAKER  TITLE     TIMER  USED  TOTAL  OVER  QUALIFIED",
                "2026-11-20 19:02:05  -        Motion 4  Pro    1:40  9:20   -     -",
                "2026-11-20 19:02:05  -        -         x      0:05  -      -     -",
            ])
    }

    @Test(
        "shows whether a run within the grace time was short or over",
        arguments: [(290, "yes: short, within grace (30 s)"), (300, "yes"), (430, "yes: over, within grace (30 s)")])
    func grace(used: Int, verdict: String) throws {
        var run = try Self.run("Speech", by: nil, used: .seconds(used), qualified: true)
        run.grace = 30
        #expect("\(ReportText.table([run]))".contains("  \(verdict)"))
    }

    @Test("is CSV, with hours in each time")
    func csv() throws {
        #expect(
            ReportText.csv(try runs()).lines == [
                "Started,Ended,Speaker,Timer,Group,Used,Over,Paused,Planned,Minimum,Maximum,Qualified,Measured,Title,Entry,Planned start,Total",
                #"2026-11-20 19:02:05,2026-11-20 19:08:40,"Ada Lovelace","Speech","Talks",0:06:32,0:00:00,0:00:03,0:07:00,0:05:00,0:07:00,yes,,,,,"#,
                #"2026-11-20 19:02:05,2026-11-20 19:08:40,"","日本語","Talks",1:02:05,0:01:05,0:00:03,0:07:00,0:05:00,0:07:00,no,,,,,"#,
                #"2026-11-20 19:02:05,2026-11-20 19:08:40,"Zoë","x","Talks",0:00:05,0:00:00,0:00:03,0:07:00,,,,,,,,"#,
                "",
            ])
    }

    @Test(
        "is CSV that is intact with any text, and that spreadsheets do not take for formulas",
        arguments: [
            ("a,b;c", #""a,b;c""#), (#"the "best""#, #""the ""best""""#), ("=1+1", #""'=1+1""#), ("+1", #""'+1""#),
            ("-1", #""'-1""#), ("@SUM(A1)", #""'@SUM(A1)""#), ("a\r\nb", #""a  b""#), ("1/2", #""1/2""#),
        ])
    func hostile(name: String, field: String) throws {
        let csv = ReportText.csv([try Self.run(name, by: name, used: .seconds(5))])
        #expect(csv.contains(",\(field),\(field),\"Talks\","), "\(csv)")
        #expect(csv.lines.count == 3)
    }

    @Test("is one object per line, in the format of the topic")
    func json() throws {
        let lines = ReportText.json(try runs()).split(separator: "\n")
        #expect(lines.count == 3)
        let message = #"{"total":3,"runs":[\#(lines.joined(separator: ","))]}"#
        #expect(try RunsMessage(Array(message.utf8)).runs == runs().map { try RunsMessage.roundTrip($0) })
    }

    @Test("without runs is empty except for the titles")
    func empty() {
        #expect(ReportText.json([]) == "")
        #expect(ReportText.csv([]).lines.count == 2)
    }

    @Test(
        "can begin at a day or at a time of a day",
        arguments: [
            ("2026-11-20", "2026-11-20 00:00:00"), ("2026-11-20T9:15", "2026-11-20 09:15:00"),
            ("2026-07-01T18:00", "2026-07-01 18:00:00"),
        ])
    func since(text: String, shown: String) throws {
        #expect(LocalTime.dayAndTime(try #require(DateArgument(argument: text)).date) == shown)
    }

    @Test("can begin at a date in any zone, and rejects any other string")
    func sinceZone() {
        let date = DateArgument(argument: "2026-11-20T18:00:00+01:00")?.date
        #expect(date == Date(timeIntervalSince1970: 1795194000))
        for text in ["", "yesterday", "2026-13-01", "2026-11-31", "2026-11-20T", "2026-11-20T25:00", "18:00", "T18:00"]
        {
            #expect(DateArgument(argument: text) == nil, "\(text)")
        }
    }
}

extension String {
    /// The lines, separated as in RFC 4180.
    fileprivate var lines: [Substring] { split(separator: "\r\n", omittingEmptySubsequences: false) }
}

extension RunsMessage {
    /// Writes and reads a run.
    fileprivate static func roundTrip(_ run: RunRecord) throws -> RunRecord {
        try #require(try RunsMessage(RunsMessage(runs: [run], total: 1).bytes).runs.first)
    }
}
