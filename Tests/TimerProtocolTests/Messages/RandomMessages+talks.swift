import TimerEngine

@testable import TimerProtocol

extension RandomMessages {
    mutating func runs() -> RunsMessage {
        RunsMessage(runs: (0..<Int.random(in: 0...4, using: &random)).map { _ in run() }, total: number(.counts))
    }

    mutating func run() -> RunRecord {
        RunRecord(
            id: id(), timer: path(), name: text(), group: text(), speaker: optional { $0.text() }, startedAt: date(),
            endedAt: date(), used: duration(), paused: duration(), over: duration(), start: number(.timerSeconds),
            added: number(.commandSeconds), qualifying: qualifyingTime(), grace: seconds(),
            qualified: optional { Bool.random(using: &$0.random) })
    }

    mutating func qualifyingTime() -> QualifyingTime {
        QualifyingTime.none.setting(maximum: optional { $0.seconds() } ?? 0)
            .setting(minimum: optional { $0.seconds() } ?? 0)
    }

    mutating func shownMessage() -> ShownMessage {
        ShownMessage(
            text: text(), date: date(), until: optional { $0.date() }, attention: Bool.random(using: &random))
    }

    mutating func agenda() -> Agenda {
        var agendas = RandomAgendas(seed: random.next())
        return agendas.agenda()
    }

    mutating func agendaMessage() -> AgendaMessage {
        var agendas = RandomAgendas(seed: random.next())
        return agendas.message()
    }

    mutating func meetingReference() -> MeetingReference {
        MeetingReference(name: name(), location: optional { $0.text() }, attend: Bool.random(using: &random))
    }

    mutating func meeting() -> StateMessage.Meeting {
        .init(name: name(), beganAt: date(), plannedEnd: date(), left: optional { $0.number(.groupSeconds) })
    }

    mutating func clock() -> StateMessage.Clock {
        .init(
            now: bootTime(), since: optional { $0.microseconds(.instants) },
            zero: optional { $0.microseconds(.instants) })
    }

    private mutating func bootTime() -> BootTime {
        BootTime(boot: text(), now: microseconds(.clocks))
    }

    mutating func details() -> Response.Details {
        Bool.random(using: &random)
            ? .time(date(), bootTime())
            : .runs(Response.RunsPage(runs: runs().runs, page: number(.places), pages: number(.counts)))
    }
}
