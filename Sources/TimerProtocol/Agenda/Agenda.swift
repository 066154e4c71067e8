/// Weekly or dated meetings, and what a node does when they begin.
///
/// What is out of range can be made and written too; whoever reads it refuses it.
public struct Agenda: Hashable, Sendable {
    /// The time zone that days and times are in, such as `Europe/Berlin`; nil for the machine's.
    public var zone: String?
    /// How many seconds after the begin of a meeting that nobody started the node reminds of it, 0…86400; 0 for never.
    public var remindAfter = 60
    /// The meetings, at most 64. Messages name them by their place, counted from 1.
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
    /// A meeting, which takes place on weekdays or dates, at one time of day.
    public struct Meeting: Hashable, Sendable {
        /// The name, 1 to 128 bytes without control characters.
        public var name = ""
        /// The days on which it begins, 1 to 64, each of them once.
        public var days: [Day] = []
        /// When it begins, in its zone.
        public var at = TimeOfDay.midnight
        /// How many seconds it lasts, 60…604800.
        public var duration = 3600
        /// The group of timers that it is held with, counted from 1; nil for none.
        public var group: Int?
        /// What happens when it begins.
        public var begin: Begin = .none
        /// Whether somebody attends it. Nothing happens at the begin of a meeting that nobody attends.
        public var attend = true
        /// The zone that its days and time are in; nil for that of the agenda.
        public var zone: String?
        /// Where it takes place, up to 128 bytes without control characters; nil where nothing is said.
        public var location: String?
        /// What else there is to say, up to 512 bytes without control characters; nil for nothing.
        public var note: String?

        /// A meeting on no day.
        public init() {}

        /// A meeting.
        ///
        /// - Parameter begin: what happens when it begins; nil to select the group where there is one.
        public init(
            name: String, days: [Day], at: TimeOfDay, duration: Int, group: Int? = nil, begin: Begin? = nil,
            attend: Bool = true, zone: String? = nil, location: String? = nil, note: String? = nil
        ) {
            self.name = name
            self.days = days
            self.at = at
            self.duration = duration
            self.group = group
            self.begin = begin ?? Begin(group: group)
            self.attend = attend
            self.zone = zone
            self.location = location
            self.note = note
        }
    }
}

extension Agenda.Meeting {
    /// When a meeting takes place.
    public enum Day: Hashable, Sendable {
        /// Each week on that day.
        case weekday(Weekday)
        /// Once.
        case date(CivilDate)

        /// The day that a text such as `tue` or `2026-11-24` expresses; nil for any other text.
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

    /// What happens when a meeting begins that is attended.
    public enum Begin: String, CaseIterable, Hashable, Sendable {
        /// Its group is selected.
        case select
        /// Its group is selected and started.
        case start
        /// Nothing.
        case none

        /// What happens where nothing is said, by the meeting's group.
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
