import FoundationEssentials
import TestSupport
import TimerEngine

@testable import TimerProtocol

/// Random messages from a node, with times to the millisecond, as in the payloads.
struct RandomMessages {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A random message of this kind.
    mutating func message(_ kind: TopicKind) throws -> PublishedMessage {
        switch kind {
        case .availability: .availability(one(of: Availability.allCases, else: .online))
        case .mode: .mode(mode())
        case .tick: .tick(TickMessage(remaining: number(.shownSeconds)))
        case .state: .state(state())
        case .timers: .timers(try timers())
        case .event: .event(event())
        case .response: .response(response())
        case .health: .health(health())
        case .runs: .runs(runs())
        case .message: .message(shownMessage())
        case .agenda: .agenda(agendaMessage())
        case .programme: .programme(programmeMessage())
        }
    }

    private mutating func state() -> StateMessage {
        var state = StateMessage()
        (state.mode, state.pausedMode) = (mode(), optional { $0.mode() })
        state.remaining = number(.shownSeconds)
        (state.preciseRemaining, state.elapsed) = (duration(), duration())
        state.progress = Double.random(in: 0...1, using: &random)
        state.display = text()
        (state.start, state.warning, state.final) = (
            number(.timerSeconds), number(.timerSeconds), number(.timerSeconds)
        )
        (state.startedAt, state.endsAt) = (optional { $0.date() }, optional { $0.date() })
        (state.overtime, state.until) = (optional { $0.duration() }, optional { $0.date() })
        (state.timer.path, state.timer.id, state.timer.name) = (path(), id(), text())
        (state.timer.event, state.timer.location) = (optional { $0.text() }, optional { $0.text() })
        (state.group.index, state.group.name) = (number(.places), text())
        state.group.display = one(of: TimerGroup.Display.allCases, else: .circular)
        state.next = optional { $0.path() }
        state.last = optional { $0.lastRun() }
        state.run = optional { $0.currentRun() }
        (state.outputs, state.patterns) = (outputs(), patterns())
        (state.date, state.speaker) = (date(), optional { $0.text() })
        state.locked = optional { $0.one(of: LockLevel.allCases, else: .inputs) }
        state.undo = optional { StateMessage.Undo(command: $0.text(), until: $0.date()) }
        state.entry = optional {
            StateMessage.Entry(id: $0.identifier(), number: $0.number(.places), count: 3, title: $0.name())
        }
        state.lead = optional { StateMessage.Lead(name: $0.name(), at: $0.date()) }
        state.budget = optional { random in
            var budget = StateMessage.Budget()
            (budget.left, budget.of) = (random.duration(), 900)
            budget.zero = random.optional { $0.microseconds(.instants) }
            return budget
        }
        (state.meeting, state.follows) = (optional { $0.meeting() }, optional { $0.identifier() })
        (state.clock, state.revision) = (clock(), number(.counts))
        return state
    }

    private mutating func lastRun() -> StateMessage.Run {
        var run = StateMessage.Run()
        (run.timer, run.used, run.over, run.endedAt) = (path(), duration(), duration(), optional { $0.date() })
        return run
    }

    private mutating func currentRun() -> StateMessage.CurrentRun {
        var run = StateMessage.CurrentRun()
        (run.used, run.paused, run.qualifying, run.grace) = (duration(), duration(), qualifyingTime(), seconds())
        return run
    }

    private mutating func outputs() -> OutputStates {
        var states: [String: OutputState] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            states[identifier()] = one(of: OutputState.allCases, else: .off)
        }
        return OutputStates(states)
    }

    private mutating func patterns() -> [String: OutputPattern] {
        var patterns: [String: OutputPattern] = [:]
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let steps = (1...Int.random(in: 1...5, using: &random)).map { _ in
                Duration.milliseconds(Int.random(in: 1...3_600_000, using: &random))
            }
            patterns[identifier()] = OutputPattern(
                steps: steps, repeats: Bool.random(using: &random), began: microseconds(.instants))
        }
        return patterns
    }

    mutating func timers() throws -> TimersMessage {
        var groups: [TimerGroup] = []
        for _ in 0...Int.random(in: 0...3, using: &random) {
            var timers: [TimerItem] = []
            for _ in 1...Int.random(in: 1...TimerGroup.capacity, using: &random) { timers.append(try timer()) }
            groups.append(
                TimerGroup(
                    name: text(), display: one(of: TimerGroup.Display.allCases, else: .circular),
                    alarm: one(of: TimerGroup.Alarm.allCases, else: .none), sound: optional { $0.text() },
                    transition: optional { $0.text() }, atZero: one(of: TimerGroup.AtZero.allCases, else: .next),
                    budget: optional { _ in 900 },
                    timers: timers))
        }
        var settings = TimerModel.Settings()
        settings.startTimerImmediately = Bool.random(using: &random)
        return TimersMessage(
            try TimerModel(groups: groups, settings: settings), revision: optional { $0.seconds() })
    }

    private mutating func timer() throws -> TimerItem {
        let start = Int.random(in: 0...Thresholds.longest, using: &random)
        let warning = start > 0 ? Int.random(in: 0..<start, using: &random) : 0
        let final = warning > 0 ? Int.random(in: 0..<warning, using: &random) : 0
        return TimerItem(
            id: id(), name: text(),
            thresholds: try Thresholds(start: start, warning: warning, final: final),
            qualifying: qualifyingTime(),
            event: optional { $0.text() }, location: optional { $0.text() },
            carry: Bool.random(using: &random))
    }

    private mutating func event() -> EventMessage {
        let kinds: [EventMessage.Kind] = [
            .modeChanged(from: mode(), to: mode()), .movedOn(from: path()), .timerEdited,
            .runEnded(used: duration(), over: duration(), run: optional { $0.run() }), .messageCleared,
            .message(text(), attention: Bool.random(using: &random)), .meetingBegan(meetingReference()),
            .meetingEnded(meetingReference()), .reminder(meetingReference(), count: number(.counts)),
            .gpioFault(text()), .gpioRecovered(text()), .runUndone(id()),
            .budgetSpent(group: number(.places)),
        ]
        return EventMessage(
            kind: one(of: kinds, else: .timerEdited),
            position: EventPosition(timer: path(), remaining: number(.shownSeconds)),
            date: date())
    }

    private mutating func response() -> Response {
        let refusal = Refusal(one(of: Refusal.Code.allCases, else: .retained), text())
        return Response(
            id: optional { $0.text() }, command: optional { $0.text() },
            outcome: Bool.random(using: &random)
                ? .error(refusal) : .ok(mode: mode(), remaining: number(.shownSeconds)),
            duplicate: Bool.random(using: &random), details: optional { $0.details() },
            forwardedTo: optional { $0.identifier() }, follows: optional { $0.identifier() })
    }

    private mutating func health() -> HealthMessage {
        var health = HealthMessage()
        (health.version, health.name, health.startedAt) = (name(), optional { $0.name() }, date())
        (health.date, health.uptimeSeconds, health.broker) = (optional { $0.date() }, number(.counts), text())
        (health.commands.ok, health.commands.error) = (number(.counts), number(.counts))
        (health.reconnects, health.dropped) = (number(.counts), number(.counts))
        (health.gpio.chip, health.gpio.backend) = (optional { $0.name() }, optional { $0.name() })
        health.gpio.fault = optional { $0.text() }
        (health.lateTicks, health.maxTickLatenessMilliseconds) = (number(.counts), number(.counts))
        health.residentBytes = optional { $0.number(.counts) }
        (health.follow, health.signals) = (optional { $0.follow() }, optional { $0.signals() })
        return health
    }

    private mutating func signals() -> ModeSignals {
        var signals: [ModeName: ModeSignals.Signal] = [:]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            signals[mode()] = .init(name(), lamps: optional { $0.lamps() })
        }
        return ModeSignals(signals)
    }

    private mutating func lamps() -> [String: OutputState] {
        let outputs = outputs()
        return Dictionary(zip(outputs.names, outputs.states)) { first, _ in first }
    }
}

extension RandomMessages {
    fileprivate mutating func follow() -> HealthMessage.Follow {
        var follow = HealthMessage.Follow()
        (follow.leader, follow.offset) = (identifier(), optional { $0.microseconds(.instants) })
        (follow.error, follow.isInStep) = (optional { $0.microseconds(.lengths) }, Bool.random(using: &random))
        return follow
    }
}

// MARK: - Parts

extension RandomMessages {
    private static let scalars: [Unicode.Scalar] = [
        "a", "Z", "7", " ", "\"", "\\", "/", "é", "\u{301}", "🙂", "\u{FFFF}", "\u{202E}", "\u{61C}", "\u{2028}",
    ]

    mutating func one<Value>(of values: [Value], else other: Value) -> Value {
        values.randomElement(using: &random) ?? other
    }

    mutating func optional<Value>(_ value: (inout RandomMessages) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&self) : nil
    }

    /// A number in a range, often one of its bounds.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        let ends = [range.lowerBound, range.upperBound, range.lowerBound + 1, range.upperBound - 1]
        let few = range.lowerBound...min(range.upperBound, range.lowerBound.advanced(by: 1_000_000))
        return one(
            of: [one(of: ends, else: 0), .random(in: range, using: &random), .random(in: few, using: &random)], else: 0)
    }

    mutating func mode() -> ModeName { one(of: ModeName.allCases, else: .stopped) }

    /// A random duration, to the millisecond.
    mutating func duration() -> Duration { time(.lengths, in: .milliseconds(1)) }

    mutating func microseconds(_ range: ClosedRange<Duration>) -> Duration { time(range, in: .microseconds(1)) }

    private mutating func time(_ range: ClosedRange<Duration>, in unit: Duration) -> Duration {
        unit * number(range.lowerBound.count(of: unit)...range.upperBound.count(of: unit))
    }

    /// A date from the year 2001 to the year 2096.
    mutating func date() -> Date {
        let milliseconds = Int64.random(in: 1_000_000_000_000...4_000_000_000_000, using: &random)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    mutating func path() -> TimerPath {
        TimerPath(group: Int.random(in: 0...20, using: &random), item: Int.random(in: 0...3, using: &random))
    }

    mutating func id() -> UUID {
        var digits: [UInt8] = []
        for _ in 0..<8 {
            digits.append(hexadecimal: .random(in: 0...255, using: &random), .random(in: 0...255, using: &random))
        }
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
        return UUID(uuidString: String(decoding: digits, as: UTF8.self)) ?? UUID()
    }

    /// The whole seconds of a timer.
    mutating func seconds() -> Int { Int.random(in: 0...86_399, using: &random) }

    /// A name that is not empty and is short enough for a word.
    mutating func name() -> String { "a" + text().unicodeScalars.prefix(5).map(String.init).joined() }

    mutating func identifier() -> String {
        let characters = "abcxyz0189_-"
        return "a"
            + String(
                (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                    characters.randomElement(using: &random)
                })
    }

    /// A string without control characters, which may be empty.
    mutating func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) { text.append(one(of: Self.scalars, else: "a")) }
        return String(text)
    }
}
