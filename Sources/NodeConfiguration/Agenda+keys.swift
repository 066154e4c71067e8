internal import TimerEngine
package import TimerProtocol

extension Agenda {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "zone", \.zone, .text(.zone), absent: "the machine's",
            "The time zone of the meetings and of all times that are shown."),
        .optional(
            "remind_after", \.remindAfter, .reminder,
            "How long after an attended meeting is due the node reminds people to start it."),
        .optional(
            "meetings", \.meetings,
            .list(of: Meeting.schema, count: 0...maximumMeetings, "a list of at most \(maximumMeetings) meetings"),
            absent: "none", "The meetings.")
    )

    package static let schema: Schema<Self> = .section(keys) { section in
        let agenda = section.readAll()
        return section.isFaulty(\.meetings) ? nil : agenda
    }
}

extension Agenda.Meeting {
    /// A meeting as written in the file.
    private struct Draft {
        var name = ""
        var days: [Day] = []
        var at: TimeOfDay?
        var duration: Int?
        var group: Int?
        var begin: Begin?
        var attend = true
        var lead: Int?
        var zone: String?
        var location: String?
        var note: String?
    }

    private static let keys = Keys(
        prototype: Draft(),
        .required("name", \.name, .text(.name), "The meeting's name."),
        .required("day", \.days, .days, "The days on which it begins, each week or once."),
        .required("at", \.at, .timeOfDay, "When it begins, on a 24-hour clock."),
        .required("for", \.duration, .meetingDuration, "How long it lasts."),
        .optional(
            "group", \.group, .group, absent: "none", "The group of timers for the meeting."),
        .optional(
            "begin", \.begin, .oneOf, absent: "`select` with a group, else `none`",
            "What to do when the meeting begins if no timer is running: select the group, or select and start it."),
        .optional(
            "attend", \.attend, .bool, "Whether the meeting is attended; other meetings are only shown."),
        .optional(
            "lead", \.lead, .lead, absent: "never",
            "How long before its beginning displays, and lamps with the signals `lead`, show that it is coming."),
        .optional("zone", \.zone, .text(.zone), absent: "the agenda's", "The time zone of its days and time."),
        .optional("location", \.location, .text(.name), absent: "none", "Where it takes place."),
        .optional("note", \.note, .text(.note), absent: "none", "Anything else, such as a URL.")
    )

    fileprivate static let schema: Schema<Self> = .section(keys) { section in
        let draft = section.readAll()
        if draft.group == nil, !section.isFaulty(\.group), let begin = draft.begin, begin != .none {
            section.report(.unexpected(found: begin.rawValue, expected: expectedBegin), at: \.begin)
        }
        guard let at = draft.at, let duration = draft.duration, !section.isFaulty(\.name, \.days) else { return nil }
        return Self(
            name: draft.name, days: draft.days, at: at, duration: duration, group: draft.group, begin: draft.begin,
            attend: draft.attend, lead: draft.lead, zone: draft.zone, location: draft.location, note: draft.note)
    }
}

extension Section<NodeConfiguration> {
    /// Warns of meetings whose group is not in the file. An edit may add the group later, so this is not a fault. A
    /// file without timers is not checked.
    func checkMeetings() {
        guard has(\.timers), !isFaulty(\.timers), let agenda = draft.agenda else { return }
        let groups = draft.timers.model.groups.count
        for (index, meeting) in agenda.meetings.enumerated() {
            guard let group = meeting.group, group > groups else { continue }
            report(
                .other("meeting \(index + 1) uses group \(group), but this file has only \(groups)"), at: \.agenda,
                severity: .warning)
        }
    }
}

// MARK: - Values

extension Schema<Int> {
    fileprivate static var reminder: Schema {
        scalar(
            Agenda.expectedReminder, format: { $0 == 0 ? "0" : DurationText.text(seconds: $0) }, parse: Agenda.reminder)
    }

    fileprivate static var meetingDuration: Schema {
        scalar(
            Agenda.Meeting.expectedDuration, format: { DurationText.text(seconds: $0) }, parse: Agenda.Meeting.duration)
    }

    fileprivate static var lead: Schema {
        scalar(Agenda.Meeting.expectedLead, format: { DurationText.text(seconds: $0) }, parse: Agenda.Meeting.lead)
    }

    fileprivate static var group: Schema {
        scalar(Agenda.Meeting.expectedGroup, format: { String($0) }) { text in
            WholeNumber.parse(text).flatMap { Agenda.Meeting.groups.contains($0) ? $0 : nil }
        }
    }
}

extension Schema<TimeOfDay> {
    fileprivate static var timeOfDay: Schema {
        scalar(Agenda.Meeting.expectedTime, format: { $0.description }, parse: { TimeOfDay($0) })
    }
}

extension Schema<[Agenda.Meeting.Day]> {
    /// One day, or a list of them.
    fileprivate static var days: Schema {
        let expected = Agenda.Meeting.expectedDays
        let day = Schema<Agenda.Meeting.Day>.scalar(Agenda.Meeting.expectedDay, parse: { Agenda.Meeting.Day($0) })
        let list = list(of: day, count: Agenda.Meeting.dayCounts, expected)
        return Schema(expected: expected, shape: .scalars) { node in
            guard case .sequence(let trees) = node.tree.content else {
                if let day = node.tree.text.flatMap({ Agenda.Meeting.Day($0) }) { return [day] }
                node.report(expected: expected)
                return nil
            }
            guard let days = list.read(node) else { return nil }
            guard let index = Agenda.Meeting.duplicate(in: days) else { return days }
            node.element(index + 1, trees[index])
                .report(.unexpected(found: "\(days[index]) a second time", expected: "each day once"))
            return nil
        }
    }
}
