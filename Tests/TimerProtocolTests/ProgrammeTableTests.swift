import FoundationEssentials
import TestSupport
import Testing

@testable import TimerProtocol

@Suite("A running order in a table")
struct ProgrammeTableTests {
    private func entry(_ title: String, _ change: (inout Programme.Entry) -> Void = { _ in }) -> Programme.Entry {
        var entry = Programme.Entry()
        entry.title = title
        change(&entry)
        return entry
    }

    @Test(
        "is read with columns in any order, in English or German, with each separator",
        arguments: [
            "title,speaker,length,at,note\r\nOpening,\"Lovelace, Ada\",5:00,19:05,\"say \"\"hi\"\"\"\r\nBreak,,,,\r\n",
            "\u{FEFF}Uhrzeit;Titel;Dauer;Redner;Notiz\n19:05;Opening;5m;Lovelace, Ada;say \"hi\"\n;Break;;;\n",
            "Thema\tUm\tRedner/in\tLänge\tBemerkung\nOpening\t19:05:00\tLovelace, Ada\t0:05:00\tsay \"hi\"\n\nBreak\n",
        ])
    func read(table: String) throws {
        let opening = entry("Opening") {
            ($0.speaker, $0.start, $0.warning, $0.final) = ("Lovelace, Ada", 300, 60, 30)
            ($0.at, $0.note) = (TimeOfDay("19:05"), "say \"hi\"")
        }
        #expect(try ProgrammeTable.read(table).entries == [opening, entry("Break")])
    }

    @Test(
        "takes the last fifth of a length as warning and the last tenth as final, at most 60 s and 30 s",
        arguments: [("0:10", 2, 1), ("1:00", 12, 6), ("5:00", 60, 30), ("1h", 60, 30), ("4s", nil, nil)])
    func length(cell: String, warning: Int?, final: Int?) throws {
        let read = try ProgrammeTable.read("title,length\nA,\(cell)\n").entries[0]
        #expect(read.warning == warning && read.final == final)
        let own = try ProgrammeTable.read("title,length,warning\nA,5:00,0:45\n").entries[0]
        #expect(own.warning == 45 && own.final == nil)
    }

    @Test(
        "with a fault names the line and the column",
        arguments: [
            ("", "found no lines"), ("speaker\nAda", "line 1: found no column title"),
            ("title,colour\n", "line 1, column 2: found \"colour\", expected the name of a column: title, speaker"),
            ("title,titel\n", "line 1, column 2: found \"titel\", expected each column once"),
            ("title,length\nA,5\n", "line 2, column length: found \"5\", expected a time such as 5:00, 5m or 90s"),
            ("title,at\n\n\nA,7pm\n", "line 4, column at: found \"7pm\", expected a time of day"),
            ("title\nA,B\n", "line 2, column 2: found \"B\", expected at most 1 columns"),
            ("title,length,start\nA,5:00,5:00\n", "line 2, column length"),
            ("title,timer,length\nA,1/1,5:00\n", "line 2: field \"start\""),
            ("title,speaker\n,Ada\n", "line 2: field \"title\""),
            ("title\n\"A\nB\n", "line 2: found a quotation mark that is not closed"),
            ("title\n" + String(repeating: "A\n", count: 201), "found 201 entries, expected at most 200"),
        ])
    func faults(table: String, reason: String) {
        let refusal = #expect(throws: Refusal.self) { try ProgrammeTable.read(table) }
        #expect(refusal?.message.hasPrefix(reason) == true, "\(refusal?.message ?? "")")
    }

    @Test("is written so that it is read as the same running order", arguments: SeededGenerator.seeds(100))
    func written(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        let programme = random.programme()
        let texts = programme.entries.flatMap { [$0.title, $0.speaker, $0.note] }.compactMap(\.self)
        // The white space around a cell is lost.
        guard texts.allSatisfy({ PayloadContent.trimmed($0) == $0 }) else { return }
        #expect(try ProgrammeTable.read(ProgrammeTable.text(programme)) == programme)
    }
}

@Suite("A running order in a calendar")
struct ProgrammeCalendarTests {
    private static let file = """
        BEGIN:VCALENDAR\r
        BEGIN:VEVENT\r
        DTSTART;TZID=Europe/Berlin:20261127T200000\r
        DURATION:PT1H30M\r
        SUMMARY:Debate\\, part\r
          one\r
        BEGIN:VALARM\r
        SUMMARY:Not this\r
        END:VALARM\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART:20261127T180500Z\r
        DTEND:20261127T182000Z\r
        SUMMARY:Opening\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        DTSTART;VALUE=DATE:20261127\r
        SUMMARY:Exhibition\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    private func read(_ text: String, day: CivilDate? = nil) throws -> Programme {
        try ProgrammeCalendar.read(text, day: day) { date in
            let seconds = Int(date.timeIntervalSince1970) + 3600
            return (CivilDate(daysSince1970: seconds / 86_400), seconds % 86_400)
        }
    }

    @Test("has the events of a day as entries, with their times and lengths")
    func day() throws {
        let entries = try read(Self.file).entries
        #expect(entries.map(\.title) == ["Exhibition", "Opening", "Debate, part one"])
        #expect(entries.map(\.at?.description) == [nil, "19:05", "20:00"])
        #expect(entries.map(\.start) == [nil, 900, 5400] && entries.map(\.warning) == [nil, 60, 60])
        let two = Self.file.replacing("20261127T200000", with: "20261128T200000")
        let refusal = #expect(throws: Refusal.self) { try read(two) }
        #expect(refusal?.message == "found events on 2 days, expected one of 2026-11-27 or 2026-11-28")
        #expect(try read(two, day: CivilDate("2026-11-28")).entries.map(\.title) == ["Debate, part one"])
    }

    @Test(
        "with a fault names the line and the property",
        arguments: [
            ("BEGIN:VCALENDAR", "BEGIN:VCARD", "line 1: found no BEGIN:VCALENDAR"),
            ("20261127T200000", "20261127T250000", "line 3, DTSTART: found \"20261127T250000\""),
            ("PT1H30M", "PT25H", "line 2, DTEND: found 90000 s after DTSTART, expected less than 24 hours"),
            ("PT1H30M", "1 hour", "line 4, DURATION"), ("SUMMARY:Opening", "SUMMARY:", "line 11, SUMMARY: found \"\""),
        ])
    func faults(part: String, other: String, reason: String) {
        let refusal = #expect(throws: Refusal.self) { try read(Self.file.replacing(part, with: other)) }
        #expect(refusal?.message.hasPrefix(reason) == true, "\(refusal?.message ?? "")")
    }

    @Test("has at most 200 events", arguments: [200, 201])
    func most(count: Int) throws {
        let event = "BEGIN:VEVENT\r\nDTSTART:20261127T180500Z\r\nSUMMARY:Talk\r\nEND:VEVENT\r\n"
        let text = "BEGIN:VCALENDAR\r\n\(String(repeating: event, count: count))END:VCALENDAR\r\n"
        if count == 200 {
            #expect(try read(text).entries.count == 200)
        } else {
            let refusal = #expect(throws: Refusal.self) { try read(text) }
            #expect(refusal?.message == "found 201 events, expected at most 200")
        }
    }

    @Test("is written with the planned times, in lines of at most 75 bytes")
    func written() throws {
        var message = ProgrammeMessage()
        for (index, title) in ["Opening", String(repeating: "Überlänge, ", count: 9)].enumerated() {
            var entry = ProgrammeMessage.Entry()
            (entry.entry.title, entry.entry.start) = (title, 900)
            entry.planned = Date(timeIntervalSince1970: 1_795_800_000 + Double(index) * 900)
            message.entries.append(entry)
        }
        let text = ProgrammeCalendar.text(message, at: Date(timeIntervalSince1970: 0))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        let read = try read(text)
        #expect(read.entries.map(\.title) == message.entries.map { PayloadContent.trimmed($0.entry.title) })
        #expect(read.entries.map(\.start) == [900, 900])
    }

    @Test("has a long title in lines of 73 bytes; each but the first begins with a space")
    func folded() {
        var entry = ProgrammeMessage.Entry()
        entry.entry.title = String(repeating: ",", count: 128)
        entry.planned = Date(timeIntervalSince1970: 1_795_800_000)
        var message = ProgrammeMessage()
        message.entries = [entry]
        let lines = ProgrammeCalendar.text(message, at: Date(timeIntervalSince1970: 0)).split(separator: "\r\n")
        let title = lines.drop { !$0.hasPrefix("SUMMARY:") }.prefix { $0 != "END:VEVENT" }
        // The title has a backslash before each comma.
        #expect(title.map(\.utf8.count) == [73, 73, 73, 48])
        #expect(title.dropFirst().allSatisfy { $0.hasPrefix(" ") })
    }
}
