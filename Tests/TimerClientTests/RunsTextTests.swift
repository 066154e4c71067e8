import Foundation
import NodeTestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import TimerClient

@Suite("The runs for a spreadsheet")
struct RunsTextTests {
    @Test(
        "have an apostrophe in front of text that a spreadsheet would treat as a formula, in every column of text",
        arguments: [
            ("=1+1", true), ("+1", true), ("-1", true), ("@SUM(A1)", true), ("=\u{301}1+1", true), ("+\u{200D}1", true),
            ("Ada", false), ("1=1", false), ("", false), ("'=1", false), (" Ada", false),
        ])
    func formulas(text: String, isLikeFormula: Bool) throws {
        let run = RunRecord(
            id: UUID(), timer: TimerPath(group: 0, item: 0), name: text, group: text, speaker: text,
            startedAt: Date(timeIntervalSince1970: 0), endedAt: Date(timeIntervalSince1970: 50), used: .seconds(50),
            paused: .zero, over: .zero, start: 60, qualifying: try QualifyingTime(minimum: nil, maximum: nil),
            qualified: nil)
        let lines = RunsText.csv([run], date: { "\(Int($0.timeIntervalSince1970))" }).components(separatedBy: "\r\n")
        let field = "\"\(isLikeFormula ? "'" : "")\(text)\""
        #expect(lines[1] == "0,50,\(field),\(field),\(field),0:00:50,0:00:00,0:00:00,0:01:00,,,,,,,,")
    }

    @Test("have the entry of the running order and the account's total at the end")
    func evening() throws {
        var run = RunRecord()
        (run.title, run.entry, run.total) = ("=Motion 4", "a7", .seconds(560))
        run.planned = Date(timeIntervalSince1970: 60)
        let lines = RunsText.csv([run], date: { "\(Int($0.timeIntervalSince1970))" }).components(separatedBy: "\r\n")
        #expect(lines[0].hasSuffix(",Measured,Title,Entry,Planned start,Total"))
        #expect(lines[1].hasSuffix(",\"'=Motion 4\",\"a7\",60,0:09:20"))
    }

    @Test("have quotes doubled, and spaces in place of characters that would break a line")
    func quotes() throws {
        let run = RunRecord(
            id: UUID(), timer: TimerPath(group: 0, item: 0), name: "a\"b", group: "a\r\n=b", speaker: nil,
            startedAt: Date(timeIntervalSince1970: 0), endedAt: Date(timeIntervalSince1970: 50), used: .seconds(50),
            paused: .zero, over: .zero, start: 60, qualifying: try QualifyingTime(minimum: 40, maximum: 50),
            qualified: true)
        let lines = RunsText.csv([run], date: { _ in "" }).components(separatedBy: "\r\n")
        #expect(lines.count == 3)
        #expect(lines[1] == ",,\"\",\"a\"\"b\",\"a  =b\",0:00:50,0:00:00,0:00:00,0:01:00,0:00:40,0:00:50,yes,,,,,")
    }
}
