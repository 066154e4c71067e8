package import FoundationEssentials

/// A running order as an iCalendar file (RFC 5545): the events of one day become its entries.
package enum ProgrammeCalendar {
    private struct Event {
        let line: Int
        var summary: String?
        var start: Time?
        var end: Time?
        var seconds: Int?
    }

    /// A point in time as it is written: a day and the seconds since midnight, nil for a whole day.
    private struct Time {
        let day: CivilDate
        let second: Int?

        var seconds: Int { day.daysSince1970 * 86_400 + (second ?? 0) }
    }

    /// Reads the events of a day, in the order in which they begin.
    ///
    /// - Parameters:
    ///   - day: the day; nil if the file has events of one day only.
    ///   - local: returns a date in UTC as a local day and seconds since midnight.
    /// - Throws: A refusal that names the line.
    package static func read(
        _ text: String, day: CivilDate? = nil, local: (Date) -> (day: CivilDate, second: Int)
    ) throws(Refusal) -> Programme {
        var events = try events(text, local)
        let days = Set(events.compactMap { $0.start?.day.description }).sorted()
        if let day {
            events = events.filter { $0.start?.day == day }
        } else if days.count > 1 {
            throw Refusal(.invalidPayload, "found events on \(days.count) days, expected one of \(days.alternatives)")
        }
        events.sort { ($0.start?.seconds ?? 0, $0.line) < ($1.start?.seconds ?? 0, $1.line) }
        guard events.count <= Programme.maximumEntries else {
            throw Refusal(.invalidPayload, "found \(events.count) events, expected at most \(Programme.maximumEntries)")
        }
        var entries: [Programme.Entry] = []
        for event in events { entries.append(try entry(event)) }
        return Programme(entries: entries)
    }

    private static func entry(_ event: Event) throws(Refusal) -> Programme.Entry {
        var entry = Programme.Entry()
        entry.title = event.summary ?? ""
        if let violation = TextKind.name.violation(in: entry.title) {
            throw fault(event.line, "SUMMARY", found: violation, expected: TextKind.name.expected)
        }
        guard let start = event.start, let second = start.second else { return entry }
        entry.at = TimeOfDay(secondOfDay: second)
        let length = event.seconds ?? event.end.map { $0.seconds - start.seconds } ?? 0
        guard length > 0 else { return entry }
        guard length <= 86_399 else {
            throw fault(event.line, "DTEND", found: "\(length) s after DTSTART", expected: "less than 24 hours")
        }
        entry.take(length: length)
        return entry
    }

    private static func events(
        _ text: String, _ local: (Date) -> (day: CivilDate, second: Int)
    ) throws(Refusal) -> [Event] {
        var (events, event, depth) = ([Event](), Event?.none, 0)
        let lines = unfolded(text)
        guard lines.first?.text.uppercased() == "BEGIN:VCALENDAR" else {
            throw Refusal(.invalidPayload, "line 1: found no BEGIN:VCALENDAR, expected an iCalendar file")
        }
        for (line, content) in lines {
            guard let colon = content.firstIndex(of: ":") else { continue }
            let name = content[..<colon].split(separator: ";").first.map { $0.uppercased() } ?? ""
            let value = String(content[content.index(after: colon)...])
            switch (name, value.uppercased()) {
            case ("BEGIN", "VEVENT"): event = Event(line: line)
            case ("END", "VEVENT"):
                if let ended = event, ended.start != nil { events.append(ended) }
                event = nil
            // An alarm within an event has properties of its own.
            case ("BEGIN", _) where event != nil: depth += 1
            case ("END", _) where event != nil: depth -= 1
            case ("SUMMARY", _) where depth == 0: event?.summary = unescaped(value)
            case ("DTSTART", _) where depth == 0: event?.start = try time(value, line, name, local)
            case ("DTEND", _) where depth == 0: event?.end = try time(value, line, name, local)
            case ("DURATION", _) where depth == 0 && event != nil: event?.seconds = try seconds(value, line)
            default: break
            }
        }
        return events
    }

    /// The lines without their folds, and where each begins.
    private static func unfolded(_ text: String) -> [(line: Int, text: String)] {
        var lines: [(line: Int, text: String)] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
                lines[lines.count - 1].text += line.dropFirst()
            } else if !line.isEmpty {
                lines.append((index + 1, String(line)))
            }
        }
        return lines
    }

    private static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "n" where isEscaped, "N" where isEscaped: result += " "
            default: result.append(character)
            }
            isEscaped = false
        }
        return PayloadContent.trimmed(result)
    }

    /// Reads `20261127`, `20261127T190500` or `20261127T180500Z`.
    private static func time(
        _ text: String, _ line: Int, _ name: String, _ local: (Date) -> (day: CivilDate, second: Int)
    ) throws(Refusal) -> Time {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        let isUTC = text.hasSuffix("Z")
        func number(_ part: Substring, _ from: Int, _ count: Int) -> Int? {
            WholeNumber.parse(part.dropFirst(from).prefix(count))
        }
        guard parts.count <= 2, let date = parts.first, date.utf8.count == 8, let year = number(date, 0, 4),
            let month = number(date, 4, 2), let dayOfMonth = number(date, 6, 2),
            let day = CivilDate(year: year, month: month, day: dayOfMonth)
        else { throw fault(line, name, found: text.quoted, expected: "a date such as 20261127T190500") }
        guard parts.count == 2 else { return Time(day: day, second: nil) }
        guard parts[1].utf8.count == (isUTC ? 7 : 6), let hour = number(parts[1], 0, 2),
            let minute = number(parts[1], 2, 2), let second = number(parts[1], 4, 2), hour < 24, minute < 60,
            second < 61
        else { throw fault(line, name, found: text.quoted, expected: "a date such as 20261127T190500") }
        let time = Time(day: day, second: hour * 3600 + minute * 60 + second)
        guard isUTC else { return time }
        let here = local(Date(timeIntervalSince1970: TimeInterval(time.seconds)))
        return Time(day: here.day, second: here.second)
    }

    /// Reads a duration such as `PT1H30M`.
    private static func seconds(_ text: String, _ line: Int) throws(Refusal) -> Int {
        var (seconds, number) = (0, "")
        let units: [Character: Int] = ["W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1]
        for character in text.uppercased() where !"+PT".contains(character) {
            if let unit = units[character], let count = WholeNumber.parse(number), count <= 100_000 {
                seconds += count * unit
                number = ""
            } else {
                number.append(character)
            }
        }
        guard number.isEmpty, text.uppercased().contains("P") else {
            throw fault(line, "DURATION", found: text.quoted, expected: "a duration such as PT1H30M")
        }
        return seconds
    }

    private static func fault(_ line: Int, _ name: String, found: String, expected: String) -> Refusal {
        Refusal(.invalidPayload, "line \(line), \(name): found \(found), expected \(expected)")
    }
}

// MARK: - Writing

extension ProgrammeCalendar {
    /// Returns the entries that have a planned or an expected beginning as events.
    ///
    /// - Parameter date: when the file is written.
    package static func text(_ message: ProgrammeMessage, at date: Date) -> String {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//timer-node//running order//EN"]
        let begins = message.entries.map { $0.planned ?? $0.expected }
        for (index, entry) in message.entries.enumerated() {
            guard let begin = begins[index] else { continue }
            let next = begins[(index + 1)...].compactMap(\.self).first
            let end = entry.entry.start.map { begin.addingTimeInterval(TimeInterval($0)) } ?? max(begin, next ?? begin)
            lines += [
                "BEGIN:VEVENT", "UID:\(entry.entry.id ?? "\(index)")-\(stamp(begin))@timer-node",
                "DTSTAMP:\(stamp(date))",
                "DTSTART:\(stamp(begin))", "DTEND:\(stamp(end))", "SUMMARY:\(escaped(entry.entry.title))", "END:VEVENT",
            ]
        }
        lines.append("END:VCALENDAR")
        return lines.map(folded).joined(separator: "\r\n") + "\r\n"
    }

    private static func stamp(_ date: Date) -> String {
        Timestamp.text(date).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\;,".contains(character) { result += "\\" }
            result.append(character)
        }
    }

    /// A line has at most 75 bytes; the rest follows after a space.
    private static func folded(_ line: String) -> String {
        var (result, length) = ("", 0)
        for character in line {
            if length + character.utf8.count > 73 { (result, length) = (result + "\r\n ", 1) }
            result.append(character)
            length += character.utf8.count
        }
        return result
    }
}
