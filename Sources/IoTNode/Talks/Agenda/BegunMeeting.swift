internal import FoundationEssentials
internal import TimerProtocol

/// A meeting that has begun once.
struct BegunMeeting: Hashable, Sendable, Codable {
    let name: String
    /// When it was to begin.
    let begin: Date
    /// When it is to end.
    let end: Date
    /// When it began.
    let beganAt: Date
    /// Its place in the agenda, counted from 0; two meetings may have one name. Less than 0 where it was taken away.
    var index: Int
    /// Whether its end was told.
    var hasEnded = false

    enum CodingKeys: String, CodingKey {
        case name, begin, end, index
        case beganAt = "began_at"
        case hasEnded = "has_ended"
    }
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}
