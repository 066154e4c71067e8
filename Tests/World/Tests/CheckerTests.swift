import FoundationEssentials
import NodeConfiguration
import Testing
import TimerEngine
import TimerProtocol
import World
import WorldChecker

@Suite("The checker of histories")
struct CheckerTests {
    @Test("accepts what happened")
    func truth() {
        #expect(check(Self.history) == nil)
    }

    @Test("notices what cannot have happened", arguments: Falsehood.all)
    fileprivate func falsehoods(falsehood: Falsehood) throws {
        let violation = try #require(check(falsehood.change(Self.history)))
        #expect(violation.law == falsehood.law, "\(violation)")
    }

    private func check(_ history: [Entry]) -> Violation? {
        var checker = Checker()
        for entry in history { if let violation = checker.read(entry) { return violation } }
        return nil
    }

    /// Six minutes of a lectern with a follower and a client. A talk of 30 s is paused for 2 s, reaches its alarm at
    /// 0:52 and is stopped at 1:00. The button starts one at 1:10. A meeting begins at 2:00. The lectern's process is
    /// killed at 2:30, in a talk.
    private static let history: [Entry] = {
        var setting = Story.Setting()
        var lectern = Story.Node("lectern")
        let talk = (try? Thresholds(start: 30, warning: 20, final: 10)) ?? .zero
        let groups = [TimerGroup(name: "Talks", timers: [TimerItem(name: "Talk", thresholds: talk)])]
        if let timers = try? NodeConfiguration.Timers(groups: groups, settings: .init(startTimerImmediately: false)) {
            lectern.configuration.timers = timers
        }
        var button = NodeConfiguration.Button(line: "A")
        button.commands[.press] = try? BoundCommand("toggle")
        lectern.configuration.gpio = .init(chip: .auto, buttons: [button])
        // The world begins at 17:20.
        lectern.configuration.agenda = Agenda(
            zone: "UTC",
            meetings: [
                .init(
                    name: "Evening", days: Weekday.allCases.map { .weekday($0) },
                    at: TimeOfDay(secondOfDay: (17 * 60 + 22) * 60), duration: 900, group: nil)
            ])
        lectern.configuration.mirrors = Story.Node.mirrors(of: "lectern")
        var side = Story.Node("side")
        side.configuration.follow = .init(node: "lectern", prefix: "timer")
        setting.nodes = [lectern, side]
        let commands: [(Double, Verb)] = [
            (20, .start), (24, .pause), (26, .resume), (60, .stop), (64, .beep), (80, .stop), (130, .start),
            (140, .stop), (145, .start), (165, .stop),
        ]
        var events = commands.map { time, verb in
            Story.Event(time, .send(client: 0, verb, fields: "", node: "lectern"))
        }
        events.append(.init(70, .press(line: "A", node: "lectern", for: .milliseconds(200))))
        events.append(.init(150, .kill(node: "lectern")))
        events.sort { $0.time < $1.time }
        var history: [Entry] = []
        _ = World.play(Story(seed: 1, setting: setting, duration: .seconds(180), events: events)) {
            history.append($0)
        }
        return history
    }()
}

/// A change of the history, and the law that it breaks.
private struct Falsehood: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let law: String
    let change: @Sendable ([Entry]) -> [Entry]

    /// A history without the first entry of the lectern's after a time that fits, or with something in its place.
    private init(
        _ text: String, law: String, after seconds: Double, of machine: String = "lectern",
        _ replacement: @escaping @Sendable (Entry) -> [What]?
    ) {
        (testDescription, self.law) = (text, law)
        change = { history in
            var isDone = false
            return history.flatMap { entry -> [Entry] in
                guard !isDone, entry.machine == machine, entry.time >= .seconds(seconds),
                    let whats = replacement(entry)
                else { return [entry] }
                isDone = true
                return whats.map { Entry(time: entry.time, machine: machine, what: $0) }
            }
        }
    }

    static let all: [Falsehood] = [
        Falsehood("a lamp that does not change", law: "lamps", after: 30) {
            if case .lamps(["yellow"]) = $0.what { [] } else { nil }
        },
        Falsehood("two lamps together", law: "lamps", after: 30) {
            if case .lamps(["yellow"]) = $0.what { [.lamps(["green", "yellow"])] } else { nil }
        },
        Falsehood("a lamp that is on without a process", law: "lamps", after: 150) {
            if case .lamps([]) = $0.what { [] } else { nil }
        },
        Falsehood("a pause without a command that was answered", law: "talk", after: 24) {
            $0.isResponse(to: .pause) ? [] : nil
        },
        Falsehood("an ok without an effect", law: "talk", after: 24) { $0.state?.mode == .paused ? [] : nil },
        Falsehood("a command that is not answered", law: "answers", after: 64) {
            $0.isResponse(to: .beep) ? [] : nil
        },
        Falsehood("an answer to nothing", law: "answers", after: 64) {
            $0.isResponse(to: .beep) ? [$0.what, $0.what] : nil
        },
        Falsehood("a retained value that is not the last one", law: "retained", after: 180) {
            guard case .settled(var values) = $0.what else { return nil }
            values["timer/lectern/mode"] = Array("alarm".utf8)
            return [.settled(values)]
        },
        Falsehood("a report that has lost a run", law: "runs", after: 140) {
            guard var report = $0.report else { return nil }
            report.runs.removeLast()
            report.total -= 1
            return [.said(topic: "timer/lectern/runs", .message(.runs(report)))]
        },
        Falsehood("a report that lists another run than before", law: "runs", after: 140) {
            guard var report = $0.report else { return nil }
            report.runs[report.runs.count - 1].id = .init()
            return [.said(topic: "timer/lectern/runs", .message(.runs(report)))]
        },
        Falsehood("a report that lists a run twice", law: "runs", after: 140) {
            guard var report = $0.report else { return nil }
            report.runs.append(report.runs[0])
            return [.said(topic: "timer/lectern/runs", .message(.runs(report)))]
        },
        Falsehood("a run that has ended and is in no report", law: "runs", after: 165) {
            guard var event = $0.event, case .runEnded(let used, let over, var run?) = event.kind else { return nil }
            run.id = .init()
            event.kind = .runEnded(used: used, over: over, run: run)
            return [$0.what, .said(topic: "timer/lectern/event", .message(.event(event)))]
        },
        Falsehood("a run whose end is not announced", law: "runs", after: 140) {
            if case .runEnded? = $0.event?.kind { [] } else { nil }
        },
        Falsehood("a client that shows another time", law: "clients", after: 35, of: "client-0") {
            guard case .counted("lectern", let counted) = $0.what else { return nil }
            return [
                .counted(
                    node: "lectern",
                    .init(state: counted.state, remaining: counted.remaining - .seconds(1), isEstimate: false))
            ]
        },
        Falsehood("a client whose count stands still", law: "clients", after: 133, of: "client-0") {
            guard case .counted("lectern", let counted) = $0.what else { return nil }
            return [
                .counted(
                    node: "lectern",
                    .init(state: counted.state, remaining: counted.remaining + .milliseconds(100), isEstimate: false))
            ]
        },
        Falsehood("a follower that is wrong about its leader's clock", law: "followers", after: 100, of: "side") {
            guard case .said(let topic, .message(.health(var health))) = $0.what, let offset = health.follow?.offset
            else { return nil }
            health.follow?.offset = offset + .seconds(1)
            return [.said(topic: topic, .message(.health(health)))]
        },
        Falsehood("a meeting that begins twice", law: "agenda", after: 120) {
            if case .meetingBegan? = $0.event?.kind { [$0.what, $0.what] } else { nil }
        },
        Falsehood("a meeting that does not begin", law: "agenda", after: 120) {
            if case .meetingBegan? = $0.event?.kind { [] } else { nil }
        },
        Falsehood("a tick with another second", law: "ticks", after: 30) {
            guard case .said(let topic, .message(.tick(let tick))) = $0.what else { return nil }
            return [.said(topic: topic, .message(.tick(TickMessage(remaining: tick.remaining + 2))))]
        },
        Falsehood("a missing tick", law: "ticks", after: 30) {
            if case .said(_, .message(.tick(TickMessage(remaining: 15)))) = $0.what { [] } else { nil }
        },
        Falsehood("a push of a button that does nothing", law: "buttons", after: 95) {
            guard case .said = $0.what else { return nil }
            return [.button("A", isDown: true, isWatched: true), .button("A", isDown: false, isWatched: true), $0.what]
        },
        Falsehood("a mirror that shows another mode", law: "mirrors", after: 130) {
            guard case .said("mirror/lectern/mode", _) = $0.what else { return nil }
            return [.said(topic: "mirror/lectern/mode", .bytes(Array("alarm".utf8)))]
        },
        Falsehood("a mirror that is told the same twice", law: "mirrors", after: 130) {
            if case .said("mirror/lectern/green", _) = $0.what { [$0.what, $0.what] } else { nil }
        },
        Falsehood("a mirror that stays on", law: "mirrors", after: 152) {
            if case .said("mirror/lectern/green", _) = $0.what { [] } else { nil }
        },
        Falsehood("a node that grows", law: "growth", after: 0) { _ in [.size(40_000, largest: "core")] },
    ]
}

extension Entry {
    fileprivate func isResponse(to verb: Verb) -> Bool {
        if case .said(_, .message(.response(let response))) = what { response.command == verb.rawValue } else { false }
    }
    fileprivate var state: StateMessage? {
        if case .said(_, .message(.state(let state))) = what { state } else { nil }
    }
    fileprivate var report: RunsMessage? {
        if case .said(_, .message(.runs(let report))) = what { report } else { nil }
    }
    fileprivate var event: EventMessage? {
        if case .said(_, .message(.event(let event))) = what { event } else { nil }
    }
}
