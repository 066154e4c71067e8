internal import FoundationEssentials
internal import TimerProtocol

/// A meeting that has begun once.
struct BegunMeeting: Hashable, Sendable {
    var name = ""
    /// When it was to begin.
    var begin = Date(timeIntervalSince1970: 0)
    /// When it is to end.
    var end = Date(timeIntervalSince1970: 0)
    /// When it began.
    var beganAt = Date(timeIntervalSince1970: 0)
    /// Its place in the agenda, counted from 0; two meetings may have one name. Less than 0 where it was taken away.
    var index = 0
    /// Whether its end was told.
    var hasEnded = false
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}
