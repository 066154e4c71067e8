import TimerEngine

@testable import TimerProtocol

extension RandomMessages {
    mutating func runs() -> RunsMessage {
        RunsMessage(runs: (0..<Int.random(in: 0...4, using: &random)).map { _ in run() }, total: number(.counts))
    }

    mutating func run() -> RunRecord {
        var run = RunRecord()
        (run.id, run.timer, run.name, run.group) = (id(), path(), text(), text())
        (run.speaker, run.startedAt, run.endedAt) = (optional { $0.text() }, date(), date())
        (run.used, run.paused, run.over) = (duration(), duration(), duration())
        (run.start, run.added, run.qualifying) = (number(.timerSeconds), number(.commandSeconds), qualifyingTime())
        (run.grace, run.qualified) = (seconds(), optional { Bool.random(using: &$0.random) })
        run.total = optional { $0.duration() }
        (run.entry, run.title, run.planned) = (
            optional { $0.identifier() }, optional { $0.name() }, optional { $0.date() }
        )
        return run
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

    mutating func programme() -> Programme {
        let entries = (0..<Int.random(in: 0...4, using: &random)).map { index in
            var entry = Programme.Entry()
            (entry.id, entry.title) = ("\(identifier())\(index)", name())
            (entry.speaker, entry.note) = (optional { $0.name() }, optional { $0.name() })
            entry.at = optional { _ in TimeOfDay("19:05") }.flatMap(\.self)
            if Bool.random(using: &random) {
                entry.timer = "2/1"
            } else if Bool.random(using: &random) {
                (entry.until, entry.warning) = (TimeOfDay("21:30"), optional { _ in 60 })
            } else {
                (entry.start, entry.warning, entry.final) = (180, optional { _ in 60 }, optional { _ in 30 })
                (entry.minimum, entry.maximum) = (optional { _ in 120 }, optional { _ in 210 })
            }
            return entry
        }
        return Programme(entries: entries)
    }

    mutating func programmeMessage() -> ProgrammeMessage {
        var message = ProgrammeMessage()
        (message.revision, message.current, message.date) = (number(.counts), optional { $0.identifier() }, date())
        message.entries = programme().entries.map { entry in
            var told = ProgrammeMessage.Entry()
            (told.entry, told.planned, told.expected) = (entry, optional { $0.date() }, optional { $0.date() })
            told.state = one(of: ProgrammeMessage.State.allCases, else: .done)
            told.used = optional { $0.duration() }
            return told
        }
        return message
    }

    mutating func agendaMessage() -> AgendaMessage {
        var agendas = RandomAgendas(seed: random.next())
        return agendas.message()
    }

    mutating func meetingReference() -> MeetingReference {
        MeetingReference(name: name(), location: optional { $0.text() }, attend: Bool.random(using: &random))
    }

    mutating func meeting() -> StateMessage.Meeting {
        var meeting = StateMessage.Meeting()
        (meeting.name, meeting.beganAt, meeting.plannedEnd) = (name(), date(), date())
        meeting.left = optional { $0.number(.groupSeconds) }
        return meeting
    }

    mutating func clock() -> StateMessage.Clock {
        var clock = StateMessage.Clock()
        clock.now = bootTime()
        (clock.since, clock.zero) = (optional { $0.microseconds(.instants) }, optional { $0.microseconds(.instants) })
        return clock
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
