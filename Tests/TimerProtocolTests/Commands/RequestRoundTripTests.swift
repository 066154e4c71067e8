import FoundationEssentials
import TestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

@Suite("A command that is written")
struct RequestRoundTripTests {
    private static let topics = Topics(prefix: "timer", node: "lectern", groups: ["hall"])

    /// The request that a node reads from a request that was sent to it.
    static func received(
        _ request: Request, for recipient: CommandRecipient = .node("lectern")
    ) throws -> (request: Request, scope: Topics.Scope) {
        let command = try #require(topics.command(from: request.topic(prefix: "timer", for: recipient)))
        var parser = RequestParser()
        let read = try parser.request(verb: command.verb, scope: command.scope, payload: request.payload)
        return (read, command.scope)
    }

    /// A command of each verb, with random arguments.
    static func commands(_ random: inout RandomMessages) throws -> [Command] {
        let text = { (random: inout RandomMessages) in random.name() }
        var edit = ModelCommand.Edit(
            start: random.optional { $0.seconds() }, warning: random.optional { $0.seconds() },
            final: random.optional { $0.seconds() }, minimum: random.optional { $0.seconds() },
            maximum: random.optional { $0.seconds() }, name: random.optional { text(&$0) },
            event: random.optional { text(&$0) }, location: random.optional { text(&$0) })
        if edit == ModelCommand.Edit() { edit.event = "" }
        let run = PlayerCommand.OneRun(
            duration: random.seconds(), warning: random.seconds(), final: random.seconds(),
            name: random.optional { text(&$0) })
        let player: [PlayerCommand] = [
            .start(selector: random.optional { $0.text() }, speaker: random.optional { $0.name() }),
            .start(selector: nil, speaker: nil, began: .ago(random.seconds())),
            .startUntil(ClockRun(until: .date(random.date()), selector: random.optional { $0.text() }), speaker: nil),
            .startUntil(ClockRun(until: .time(.midnight), warning: 60, name: "a", trustsClock: true), speaker: "b"),
            .startOnce(run, speaker: random.optional { $0.name() }, began: .lastEnd), .pause, .resume, .stop, .end,
            .toggle,
            .rewind, .fastForward, .next, .previous, .select(selector: random.text()),
            .switchTo(selector: random.optional { $0.text() }),
            .set(seconds: random.seconds()), .add(seconds: random.seconds() - 40_000),
            .sync(seconds: random.seconds(), at: random.date()),
        ]
        let signals: [SignalCommand] = [
            .silence, .beep(pattern: random.optional { $0.text() }),
            .lampTest(force: Bool.random(using: &random.random)),
            .identify,
        ]
        let model = ModelDocument(try random.timers().model, selects: Bool.random(using: &random.random))
        let models: [ModelCommand] = [
            .edit(selector: random.optional { $0.text() }, edit, revision: random.optional { $0.seconds() }),
            .timers(model, revision: random.optional { $0.seconds() }), .timers(ModelDocument([:])), .reset,
            .resetAccounts(group: nil), .resetAccounts(group: 2),
        ]
        let message = MessageToSpeaker(
            random.name(), for: random.optional { $0.seconds() % 86_400 + 1 },
            attention: Bool.random(using: &random.random), keep: Bool.random(using: &random.random))
        let talks: [TalkCommand] = [
            .speaker(random.optional { $0.name() }), .message(message), .message(nil), .lock(.inputs), .lock(.commands),
            .unlock,
        ]
        let change = RunAmendment(speaker: random.name(), used: random.optional { $0.seconds() })
        let runs: [RunsCommand] = [
            .page(1), .page(random.seconds() + 1), .amend(id: UUID(), change),
            .amend(id: UUID(), RunAmendment(used: random.seconds())), .clear,
        ]
        let agendas: [AgendaCommand] = [
            .replace(random.agenda(), revision: random.optional { $0.seconds() }), .begin("2"),
        ]
        var commands: [Command] = [.state, .time]
        commands += player.map(Command.player)
        let corrections: [CorrectionCommand] = [
            .began(.ago(random.seconds())), .began(.ago(0)), .began(.at(random.date())), .undo,
        ]
        commands += corrections.map(Command.correction)
        commands += signals.map(Command.signal)
        commands += models.map(Command.model)
        commands += talks.map(Command.talk)
        commands += runs.map(Command.runs)
        commands += agendas.map(Command.agenda)
        let programmes: [ProgrammeCommand] = [
            .replace(random.programme(), revision: random.optional { $0.seconds() }), .replace(Programme()),
            .go(.next), .go(.previous, start: true), .go(.entry("3")), .go(.entry("a1"), start: true), .skip("a7"),
        ]
        commands += programmes.map(Command.programme)
        return commands
    }

    @Test("is read as an equal one, with or without an id", arguments: SeededGenerator.seeds(200))
    func roundTrip(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        let commands = try Self.commands(&random)
        #expect(Set(commands.map(\.verb)) == Set(Verb.allCases))
        for command in commands {
            let request = Request(
                id: random.optional { $0.text() }, forwardedBy: random.optional { _ in "side" }, command: command)
            let read = try Self.received(request)
            #expect(read.request == request)
            #expect(read.scope == .node)
        }
    }

    @Test("is empty if it has no fields")
    func empty() {
        #expect(Request(command: .player(.pause)).payload.isEmpty)
        #expect(Request(command: .player(.start(selector: nil))).payload.isEmpty)
        #expect(Request(command: .signal(.lampTest(force: false))).payload.isEmpty)
        #expect(Request(id: "b7", command: .player(.pause)).payload == Array(#"{"id":"b7"}"#.utf8))
        #expect(Request(command: .player(.set(seconds: 90))).payload == Array(#"{"remaining":90}"#.utf8))
    }

    @Test(
        "is sent to one node, to a group or to all",
        arguments: [
            (CommandRecipient.node("lectern"), "timer/lectern/command/stop", Topics.Scope.node),
            (.all, "timer/all/command/stop", .several), (.group("hall"), "timer/@hall/command/stop", .several),
        ])
    func recipients(recipient: CommandRecipient, topic: String, scope: Topics.Scope) throws {
        let request = Request(command: .player(.stop))
        #expect(request.topic(prefix: "timer", for: recipient) == topic)
        #expect(try Self.received(request, for: recipient).scope == scope)
    }

    @Test("for several nodes is refused if it edits or is a forced lamp test")
    func refused() {
        let commands: [Command] = [
            .model(.edit(selector: nil, .init(start: 1))), .model(.timers(ModelDocument([:]))),
            .model(.reset), .signal(.lampTest(force: true)), .talk(.speaker("Ada")), .runs(.page(1)), .runs(.clear),
            .agenda(.replace(Agenda())), .agenda(.begin("1")),
            .programme(.replace(Programme())), .programme(.go(.next)),
        ]
        for command in commands {
            #expect(throws: Refusal.self) { try Self.received(Request(command: command), for: .all) }
        }
    }

    @Test("with a model is accepted by the node", arguments: SeededGenerator.seeds(20), [true, false])
    func model(seed: UInt64, selects: Bool) throws {
        var random = RandomMessages(seed: seed)
        let model = try TimerModel(groups: [TimerGroup(name: random.name(), timers: [TimerItem(), TimerItem()])])
        let document = ModelDocument(model, selects: selects)
        let read = try ModelPayload(document, patterns: [])
        #expect(read.model == model)
        #expect(read.selects == selects)
    }
}
