// What an agenda may have, and the words for it: the same in a configuration and in a payload.

extension Agenda {
    /// How many meetings there may be.
    package static let maximumMeetings = 64
    /// The places of meetings, counted from 1.
    package static let places = 1...maximumMeetings
    /// The seconds that `remind_after` may have; 0 is for never.
    package static let reminders = 0...86_400
    /// What `remind_after` may be as a text.
    package static let expectedReminder = "a duration with a unit up to 24h, such as 90s or 1m, or 0 for never"

    /// The seconds of a text for `remind_after`; nil for any other text.
    package static func reminder(_ text: String) -> Int? {
        if text == "0" { return 0 }
        return DurationText.secondsWithUnit(text).flatMap { reminders.contains($0) ? $0 : nil }
    }
}

extension Agenda.Meeting {
    /// How many days a meeting may name.
    package static let dayCounts = 1...64
    /// The seconds that a meeting may last: a minute to a week.
    package static let durations = 60...604_800
    /// The groups that a meeting may have. The upper bound is only so that all readers have the same.
    package static let groups = 1...999_999

    package static let expectedDay =
        "a weekday (\(Weekday.allCases.map(\.rawValue).alternatives)) or a date such as 2026-11-24"
    package static let expectedDays =
        "\(expectedDay), or a list of \(dayCounts.lowerBound) to \(dayCounts.upperBound) of them"
    package static let expectedTime = "a time of day such as 19:00"
    package static let expectedDuration = "a duration with a unit from 1m to 168h, such as 90m, 2h or 1h30m"
    package static let expectedGroup = "the number of a group, from 1"
    /// What is expected of `begin` in a meeting without a group.
    package static let expectedBegin = "none in a meeting without a group"

    /// The seconds of a text for `for`; nil for any other text.
    package static func duration(_ text: String) -> Int? {
        DurationText.secondsWithUnit(text).flatMap { durations.contains($0) ? $0 : nil }
    }

    /// The place of the first day that is there a second time; nil where there is none.
    package static func duplicate(in days: [Day]) -> Int? {
        var seen: Set<Day> = []
        return days.firstIndex { !seen.insert($0).inserted }
    }
}

/// The names of time zones. Each is a part of the path of a file, which is why they are checked before they are used.
package enum ZoneName {
    /// The most bytes that a name has.
    package static let maximumLength = 64
    package static let expected = "the name of a time zone such as Europe/Berlin"

    /// Whether a text may be the name of a zone: `[A-Za-z0-9_+-]+`, several of these with `/` in between. Whether there is
    /// such a zone is for the system to say.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= maximumLength else { return false }
        return text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy(isAllowed)
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
