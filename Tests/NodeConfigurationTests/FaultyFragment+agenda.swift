@testable import TimerProtocol

extension FaultyFragment {
    private static let day = "a weekday (mon, tue, wed, thu, fri, sat or sun) or a date such as 2026-11-24"
    private static let days = "\(day), or a list of 1 to 64 of them"
    private static let duration = "a duration with a unit from 1m to 168h, such as 90m, 2h or 1h30m"
    private static let reminder = "a duration of up to 24h with a unit, such as 90s or 1m, or 0 for never"
    private static let zone = "the name of a time zone such as Europe/Berlin"

    /// The faults of meetings: a meeting's keys besides the name, and the reported fault.
    private static let meetings: [(written: String, fault: String)] = [
        ("at: 9:00, for: 1h", "day: found nothing, expected \(days)"),
        ("day: Tue, at: 9:00, for: 1h", #"day: found "Tue", expected \#(days)"#),
        ("day: [], at: 9:00, for: 1h", "day: found an empty list, expected \(days)"),
        ("day: {a: b}, at: 9:00, for: 1h", "day: found a mapping, expected \(days)"),
        ("day: [mon, tues], at: 9:00, for: 1h", #"day[2]: found "tues", expected \#(day)"#),
        ("day: [mon, 2026-11-31], at: 9:00, for: 1h", #"day[2]: found "2026-11-31", expected \#(day)"#),
        ("day: [mon, tue, mon], at: 9:00, for: 1h", "day[3]: found mon a second time, expected each day once"),
        ("day: tue, for: 1h", "at: found nothing, expected a time of day such as 19:00"),
        ("day: tue, at: 25:00, for: 1h", #"at: found "25:00", expected a time of day such as 19:00"#),
        ("day: tue, at: 9:00", "for: found nothing, expected \(duration)"),
        ("day: tue, at: 9:00, for: 90", #"for: found "90", expected \#(duration)"#),
        ("day: tue, at: 9:00, for: 1:30", #"for: found "1:30", expected \#(duration)"#),
        ("day: tue, at: 9:00, for: 59s", #"for: found "59s", expected \#(duration)"#),
        ("day: tue, at: 9:00, for: 169h", #"for: found "169h", expected \#(duration)"#),
        ("day: tue, at: 9:00, for: 1h, group: 0", #"group: found "0", expected the number of a group, from 1"#),
        (
            "day: tue, at: 9:00, for: 1h, group: 0, begin: start",
            #"group: found "0", expected the number of a group, from 1"#
        ),
        ("day: tue, at: 9:00, for: 1h, begin: go", #"begin: found "go", expected select, start or none"#),
        ("day: tue, at: 9:00, for: 1h, begin: start", "begin: found start, expected none in a meeting without a group"),
        ("day: tue, at: 9:00, for: 1h, attend: maybe", #"attend: found "maybe", expected \#(bool)"#),
        ("day: tue, at: 9:00, for: 1h, zone: ../UTC", #"zone: found "../UTC", expected \#(zone)"#),
        ("day: tue, at: 9:00, for: 1h, location: ''", #"location: found "", expected \#(text)"#),
        (
            "day: tue, at: 9:00, for: 1h, note: \(String(repeating: "a", count: 513))",
            """
            note: found "\(String(repeating: "a", count: 37))"…, expected a string of at most 512 bytes without control \
            characters
            """
        ),
    ]

    /// The faults of the agenda.
    static let agenda: [FaultyFragment] =
        meetings.map { written, fault in
            FaultyFragment(
                "agenda:\n  meetings:\n    - {name: A, day: mon, at: 9:00, for: 1m}\n    - {name: B, \(written)}\n",
                "node.yaml:4: agenda.meetings[2].\(fault)")
        } + [
            FaultyFragment(
                "agenda: {zone: /etc/passwd, remind_after: 60, meetings: {}}\n",
                #"node.yaml:1: agenda.zone: found "/etc/passwd", expected \#(zone)"#,
                #"node.yaml:1: agenda.remind_after: found "60", expected \#(reminder)"#,
                "node.yaml:1: agenda.meetings: found a mapping, expected a list of at most 64 meetings"),
            FaultyFragment(
                "agenda: {remind_after: 25h}\n",
                #"node.yaml:1: agenda.remind_after: found "25h", expected \#(reminder)"#),
            FaultyFragment(
                "agenda:\n  meetings:\n    - {name: A, day: x, at: 9}\n    - {day: mon, at: 9:00, for: 1h}\n  zonne: UTC\n",
                #"node.yaml:3: agenda.meetings[1].day: found "x", expected \#(days)"#,
                #"node.yaml:3: agenda.meetings[1].at: found "9", expected a time of day such as 19:00"#,
                "node.yaml:3: agenda.meetings[1].for: found nothing, expected \(duration)",
                "node.yaml:4: agenda.meetings[2].name: found nothing, expected \(text)",
                "node.yaml:5: agenda.zonne: unknown; did you mean zone?"),
            FaultyFragment(
                """
                timers: {groups: [{timers: [{start: 9}]}]}
                agenda: {meetings: [{name: A, day: mon, at: 9:00, for: 1m, group: 2}]}

                """,
                "node.yaml:2: warning: agenda: meeting 1 uses group 2, but this file has only 1"),
            FaultyFragment("agenda: {meetings: [{name: A, day: mon, at: 9:00, for: 1m, group: 2}]}\n"),
        ]
}
