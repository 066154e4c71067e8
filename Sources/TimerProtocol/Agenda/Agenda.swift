/// Weekly or dated meetings, and the action of the node when each begins.
///
/// Values out of range can be created and written, but readers refuse them.
public struct Agenda: Hashable, Sendable {
    /// The time zone of days and times, such as `Europe/Berlin`; nil for the machine's.
    public var zone: String?
    /// How many seconds after a meeting's start the node sends a reminder if no run was started, 0…86400; 0 for never.
    public var remindAfter = 60
    /// The meetings, at most 64. Messages refer to them by their position, counted from 1.
    public var meetings: [Meeting] = []

    /// An empty agenda.
    public init() {}

    /// An agenda of meetings.
    public init(zone: String? = nil, remindAfter: Int = 60, meetings: [Meeting] = []) {
        self.zone = zone
        self.remindAfter = remindAfter
        self.meetings = meetings
    }
}

extension Agenda {
    /// A meeting, which takes place on weekdays or dates at one time of day.
    public struct Meeting: Hashable, Sendable {
        /// The name, 1 to 128 bytes without control characters.
        public var name = ""
        /// The days on which it begins: 1 to 64, without duplicates.
        public var days: [Day] = []
        /// The time of day at which it begins, in its zone.
        public var at = TimeOfDay.midnight
        /// How many seconds it lasts, 60…604800.
        public var duration = 3600
        /// The group of timers that it uses, counted from 1; nil for none.
        public var group: Int?
        /// What happens when it begins.
        public var begin: Begin = .none
        /// Whether it is attended. Nothing happens when an unattended meeting begins.
        public var attend = true
        /// How many seconds before its beginning displays begin to count down to it, 1…86400; nil for never.
        public var lead: Int?
        /// The time zone of its days and time; nil for the agenda's.
        public var zone: String?
        /// The location, up to 128 bytes without control characters; nil if not given.
        public var location: String?
        /// A note, up to 512 bytes without control characters; nil for none.
        public var note: String?

        /// A meeting on no day.
        public init() {}

        /// A meeting.
        ///
        /// - Parameter begin: what happens when it begins; nil to select the group if there is one.
        public init(
            name: String, days: [Day], at: TimeOfDay, duration: Int, group: Int? = nil, begin: Begin? = nil,
            attend: Bool = true, lead: Int? = nil, zone: String? = nil, location: String? = nil, note: String? = nil
        ) {
            self.name = name
            self.days = days
            self.at = at
            self.duration = duration
            self.group = group
            self.begin = begin ?? Begin(group: group)
            self.attend = attend
            self.lead = lead
            self.zone = zone
            self.location = location
            self.note = note
        }
    }
}

extension Agenda.Meeting {
    /// A day on which a meeting takes place.
    public enum Day: Hashable, Sendable {
        /// Every week on that day.
        case weekday(Weekday)
        /// Once, on that date.
        case date(CivilDate)

        /// The day expressed by a string such as `tue` or `2026-11-24`; nil for any other string.
        public init?(_ text: String) {
            if let weekday = Weekday(rawValue: text) {
                self = .weekday(weekday)
            } else if let date = CivilDate(text) {
                self = .date(date)
            } else {
                return nil
            }
        }
    }

    /// What happens when an attended meeting begins.
    public enum Begin: String, CaseIterable, Hashable, Sendable {
        /// Its group is selected.
        case select
        /// Its group is selected and started.
        case start
        /// Nothing.
        case none

        /// The default, which depends on whether the meeting has a group.
        package init(group: Int?) { self = group == nil ? .none : .select }
    }
}

extension Agenda.Meeting.Day: CustomStringConvertible {
    /// The day as text: `tue` or `2026-11-24`.
    public var description: String {
        switch self {
        case .weekday(let weekday): weekday.rawValue
        case .date(let date): date.description
        }
    }
}

extension Agenda {
    /// The zones that the agenda and its meetings name, each once.
    package var zones: [String] {
        var seen: Set<String> = []
        return ([zone] + meetings.map(\.zone)).compactMap(\.self).filter { seen.insert($0).inserted }
    }
}

// The limits of an agenda and the strings that describe them. Configurations and payloads share them.

extension Agenda {
    /// The maximum number of meetings.
    package static let maximumMeetings = 64
    /// The positions of meetings, counted from 1.
    package static let places = 1...maximumMeetings
    /// The range of `remind_after`, in seconds; 0 means never.
    package static let reminders = 0...86_400
    /// The description of a string for `remind_after` in messages.
    package static let expectedReminder = "a duration of up to 24h with a unit, such as 90s or 1m, or 0 for never"

    /// Returns the seconds in a string for `remind_after`; nil for any other string.
    package static func reminder(_ text: String) -> Int? {
        if text == "0" { return 0 }
        return DurationText.secondsWithUnit(text).flatMap { reminders.contains($0) ? $0 : nil }
    }
}

extension Agenda.Meeting {
    /// The permitted number of days of a meeting.
    package static let dayCounts = 1...64
    /// The length of a meeting, in seconds: a minute to a week.
    package static let durations = 60...604_800
    /// The groups that a meeting may have. The upper bound only ensures that all readers have the same limit.
    package static let groups = 1...999_999

    package static let expectedDay =
        "a weekday (\(Weekday.allCases.map(\.rawValue).alternatives)) or a date such as 2026-11-24"
    package static let expectedDays =
        "\(expectedDay), or a list of \(dayCounts.lowerBound) to \(dayCounts.upperBound) of them"
    package static let expectedTime = "a time of day such as 19:00"
    package static let expectedDuration = "a duration with a unit from 1m to 168h, such as 90m, 2h or 1h30m"
    package static let expectedLead = "a duration with a unit of up to 24h, such as 5m"
    package static let expectedGroup = "the number of a group, from 1"
    /// The values of `begin` that are expected in a meeting without a group.
    package static let expectedBegin = "none in a meeting without a group"

    /// Returns the seconds in a string for `for`; nil for any other string.
    package static func duration(_ text: String) -> Int? {
        DurationText.secondsWithUnit(text).flatMap { durations.contains($0) ? $0 : nil }
    }

    /// How long before a meeting it may be announced, in seconds.
    package static let leads = 1...86_400

    /// Returns the seconds in a string for `lead`; nil for any other string.
    package static func lead(_ text: String) -> Int? {
        DurationText.secondsWithUnit(text).flatMap { leads.contains($0) ? $0 : nil }
    }

    /// Returns the index of the first day that is a duplicate, or nil if there is none.
    package static func duplicate(in days: [Day]) -> Int? {
        var seen: Set<Day> = []
        return days.firstIndex { !seen.insert($0).inserted }
    }
}

/// The names of time zones. A name becomes part of a file path, so it is checked before use.
package enum ZoneName {
    /// The maximum length of a name, in bytes.
    package static let maximumLength = 64
    package static let expected = "the name of a time zone such as Europe/Berlin"

    /// Whether a string may be the name of a zone: one or more components of the form `[A-Za-z0-9_+-]+`, separated by
    /// `/`. Whether the zone exists depends on the system.
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
