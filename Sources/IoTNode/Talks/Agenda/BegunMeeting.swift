internal import FoundationEssentials
internal import TimerProtocol

/// A meeting that has begun once.
struct BegunMeeting: Hashable, Sendable {
    var name = ""
    var begin = Date.unread
    var end = Date.unread
    var beganAt = Date.unread
    /// Two meetings may have one name.
    var index = 0
    var hasEnded = false
}

extension MeetingReference {
    init(_ meeting: Agenda.Meeting) {
        self.init(name: meeting.name, location: meeting.location, attend: meeting.attend)
    }
}
