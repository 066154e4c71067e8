import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// Nodes with an agenda in UTC, on a Tuesday evening: 14 November 2023.
enum AgendaStory {
    static let before = date("2023-11-14T18:00:00Z")

    static func date(_ text: String) -> Date { RFC3339.date(text) ?? .distantPast }

    /// A meeting at 19:00 on Tuesdays, for two hours, with the second group.
    static func meeting(
        _ name: String = "Toastmasters", days: [Agenda.Meeting.Day] = [.weekday(.tue)], at: String = "19:00",
        for duration: Int = 7200, group: Int? = 2, begin: Agenda.Meeting.Begin? = nil, attend: Bool = true
    ) -> Agenda.Meeting {
        Agenda.Meeting(
            name: name, days: days, at: TimeOfDay(at) ?? TimeOfDay(secondOfDay: 0), duration: duration, group: group,
            begin: begin, attend: attend, location: "Room 2")
    }

    /// Two groups, the first with timers of 60 s and 30 s, the second with timers of 300 s and 120 s.
    static func configure(_ configuration: inout NodeConfiguration, _ agenda: Agenda?) {
        configuration.storage = .init(directory: "/nowhere")
        let groups = [[60, 30], [300, 120]].map { starts in
            TimerGroup(timers: starts.map { TimerItem(name: "\($0)", thresholds: .zero.setting(start: $0)) })
        }
        configuration.timers =
            (try? .init(groups: groups, settings: .init(startTimerImmediately: false))) ?? configuration.timers
        configuration.agenda = agenda
    }

    static func node(
        _ meetings: [Agenda.Meeting] = [meeting()], remindAfter: Int = 0, at start: Date = before,
        saved: [UInt8]? = nil, boot: String = "a boot", after passed: Duration = .zero, isClockTrusted: Bool = true,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> Scenario {
        try Scenario(saved: saved, boot: boot, after: passed, wallClock: start, isClockTrusted: isClockTrusted) {
            self.configure(&$0, Agenda(remindAfter: remindAfter, meetings: meetings))
            configure(&$0)
        }
    }

    /// A node whose process is restarted at once with the saved state of the previous one.
    static func restarted(
        _ node: Scenario, _ meetings: [Agenda.Meeting], remindAfter: Int = 0, boot: String = "a boot"
    ) throws -> Scenario {
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        return try self.node(
            meetings, remindAfter: remindAfter, at: node.now.date, saved: node.saved.last, boot: boot, after: passed)
    }
}

extension Scenario {
    /// Replaces the agenda's meetings.
    mutating func replace(_ meetings: [Agenda.Meeting], remindAfter: Int = 0) {
        let agenda = Agenda(remindAfter: remindAfter, meetings: meetings)
        let request = Request(command: .agenda(.replace(agenda, revision: nil)))
        send("agenda", String(decoding: request.payload, as: UTF8.self))
    }

    /// Lets time pass until the wall clock shows this time.
    mutating func wait(until date: String) {
        wait(.milliseconds(Int64((now.date.distance(to: AgendaStory.date(date)) * 1000).rounded())))
    }

    var selected: JSON? { state?["timer"]?["path"] }
    var mode: String? { last("mode") }
    var meeting: JSON? { state?["meeting"] }

    /// The meeting events, each with its time of day.
    var meetings: [String] {
        publications.filter { $0.topic == "timer/lectern/event" }.compactMap { message in
            guard let event = try? EventMessage(message.payload) else { return nil }
            let time = Timestamp.text(event.date).dropFirst(11).prefix(8)
            switch event.kind {
            case .meetingBegan(let meeting): return "\(time) \(meeting.name) began"
            case .meetingEnded(let meeting): return "\(time) \(meeting.name) ended"
            case .reminder(let meeting, let count): return "\(time) \(meeting.name) reminder \(count)"
            default: return nil
            }
        }
    }
}
