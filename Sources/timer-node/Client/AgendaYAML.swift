internal import TimerProtocol

/// An agenda as the section `agenda` of a configuration.
enum AgendaYAML {
    /// The section, which reads as the same agenda.
    static func text(_ agenda: Agenda) -> String {
        var lines = ["agenda:"]
        if let zone = agenda.zone { lines.append("  zone: \(scalar(zone))") }
        // Zero is the only number without a unit.
        let reminder = agenda.remindAfter == 0 ? "0" : DurationText.text(seconds: agenda.remindAfter)
        lines.append("  remind_after: \(reminder)")
        lines.append(agenda.meetings.isEmpty ? "  meetings: []" : "  meetings:")
        for meeting in agenda.meetings { lines += self.lines(meeting).map { "    \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ meeting: Agenda.Meeting) -> [String] {
        let days = meeting.days.map(\.description)
        var lines = [
            "- name: \(scalar(meeting.name))",
            "  day: \(days.count == 1 ? days[0] : "[\(days.joined(separator: ", "))]")",
            "  at: \(scalar(meeting.at.description))",
            "  for: \(DurationText.text(seconds: meeting.duration))",
        ]
        if let group = meeting.group { lines.append("  group: \(group)") }
        lines.append("  begin: \(meeting.begin.rawValue)")
        if !meeting.attend { lines.append("  attend: false") }
        if let zone = meeting.zone { lines.append("  zone: \(scalar(zone))") }
        if let location = meeting.location { lines.append("  location: \(scalar(location))") }
        if let note = meeting.note { lines.append("  note: \(scalar(note))") }
        return lines
    }

    private static func scalar(_ text: String) -> String { YAMLScalar.text(text) }
}
