import BrokerLink
import Calendar
import IoTNode
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine
import TimerProtocol

@testable import NodeTape

@Suite("A tape")
struct TapeTests {
    /// Returns the tape of a node that runs a talk, with an edit of the timers and a reload in it.
    private func recorded(
        segments: Int = 1, isStopped: Bool = false, _ configure: @escaping (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> MemoryTape {
        let tape = MemoryTape()
        var node = try Scenario(tape: tape, configure: configure)
        repeat {
            node.send("start", #"{"speaker":"Ada Lovelace","id":"a"}"#)
            node.wait(.seconds(8))
            node.send("timers", #"{"groups":[{"name":"Debate","timers":[{"name":"Reply","start":3}]}]}"#)
            node.send("start")
            // A broker without No Local echoes what a node publishes.
            let state = try #require(node.last("state"))
            node.happens(
                .connection(.message(IncomingMessage(topic: "timer/lectern/state", payload: Array(state.utf8)))))
            node.wait(.seconds(4))
            var other = node.core.configuration
            other.node.name = other.node.name == "Lectern" ? "Stage" : "Lectern"
            node.reload(.success(.init(other)))
            node.lose()
            node.wait(.seconds(3))
            node.accept()
        } while tape.segments.count < segments
        if isStopped { node.happens(.terminate) }
        return tape
    }

    @Test("replays without a difference")
    func same() throws {
        let tape = try recorded()
        let replay = try tape.replay()
        #expect(replay.differences.isEmpty && replay.compared > 20 && replay.uncompared == 0)
    }

    @Test("replays from its middle, and compares once the states are the same")
    func middle() throws {
        let tape = try recorded(segments: 4)
        let replay = try tape.replay(from: 2)
        #expect(replay.differences.isEmpty, "\(replay.text(prefix: "timer/lectern/"))")
        #expect(
            replay.compared > 20, "\(replay.uncompared) turns of \(tape.segments.map(\.count)) bytes were not compared")
        let turns = try Tape(Array(tape.segments[2...])).segments.flatMap(\.turns)
        #expect(replay.compared + replay.uncompared == turns.count)
    }

    /// A run that ends before the replay is in step is not in its list. Its states have other ids, and its saves have
    /// other numbers.
    @Test("replays from its middle, although some runs are missing, and echoes and saves differ")
    func middleOfEvening() throws {
        let tape = try recorded(segments: 4, isStopped: true) { $0.storage = .init(directory: "/var/lib/timer-node") }
        var rest = try Tape(Array(tape.segments[2...]))
        rest.segments[0].runs = nil
        let replay = try tape.replay(rest)
        #expect(replay.differences.isEmpty, "\(replay.text(prefix: "timer/lectern/"))")
        #expect(replay.compared > 20)
        let turns = rest.segments.flatMap(\.turns)
        #expect(turns.contains { $0.decisions.contains { $0.publishes(.runs) } })
        #expect(turns.contains { $0.decisions.contains(.exits) })
    }

    @Test("notices one decision that is missing, or different, among many")
    func oneDecision() throws {
        let recorded = try recorded()
        let tape = try Tape(recorded.segments)
        let place = try #require(tape.segments[0].turns.firstIndex { $0.decisions.count > 3 })
        let decisions = tape.segments[0].turns[place].decisions
        for (number, decision) in decisions.enumerated() {
            var missing = tape
            missing.segments[0].turns[place].decisions.remove(at: number)
            #expect(try recorded.replay(missing).differences.count == 1, "\(decision)")
            guard case .publishes(let topic, let payload, let isRetained) = decision else { continue }
            var other = tape
            other.segments[0].turns[place].decisions[number] = .publishes(
                topic: topic + "x", payload: payload, isRetained: isRetained)
            #expect(try recorded.replay(other).differences.count == 1, "\(decision)")
        }
    }

    @Test("shows in its states whether the node followed another one")
    func ownState() throws {
        let decisions = try Tape(recorded().segments).segments.flatMap(\.turns).flatMap(\.decisions)
        #expect(decisions.filter(\.isOwnState) == decisions.filter(\.isState) && decisions.contains(where: \.isState))
        let followed = Decision.publishes(
            topic: "timer/side/state", payload: Array(#"{"follows":"stage"}"#.utf8), isRetained: true)
        #expect(followed.isState && !followed.isOwnState)
    }

    @Test("on which centuries pass between two turns replays in no time", .timeLimit(.minutes(1)))
    func centuries() throws {
        let memory = try recorded()
        var tape = try Tape(memory.segments)
        let running = try #require(tape.segments[0].turns.firstIndex { $0.decisions.contains { $0.publishes(.tick) } })
        for place in tape.segments[0].turns.indices where place > running {
            let moment = tape.segments[0].turns[place].moment
            tape.segments[0].turns[place].moment = Moment(
                instant: moment.instant + .seconds(10_000_000_000), date: moment.date)
            // Otherwise the core would be called when the process on the tape was.
            tape.segments[0].turns[place - 1].next = nil
        }
        #expect(try !memory.replay(tape).differences.isEmpty)
    }

    @Test("ends at its last complete record if its end is missing, and says so")
    func torn() throws {
        let file = try #require(try recorded().segments.first)
        let whole = try Tape([file])
        let torn = try Tape([Array(file.dropLast(5))])
        #expect(torn.segments[0].isTorn && !whole.segments[0].isTorn)
        #expect(torn.segments[0].turns == whole.segments[0].turns.dropLast())
        let text = torn.text(prefix: "", isBrief: true)
        #expect(text.contains("\n2023-11-14 (UTC)\n") && text.hasSuffix("the end of this part is missing\n"))
    }

    @Test(
        "is refused if it is empty, is no tape, or is of a later version",
        arguments: [
            ([], TapeError.empty), ([Array("hello".utf8)], .foreign), ([[3, 1, 2, 3]], .foreign),
            ([[18, 1, 15] + Array("timer-node-tape".utf8) + [2]], .newer(2)),
        ])
    func refused(files: [[UInt8]], error: TapeError) {
        #expect(throws: error) { try Tape(files) }
    }

    @Test("is read without a file whose beginning is missing")
    func begunOnFullDisk() throws {
        let files = try recorded(segments: 3).segments
        let tape = try Tape([files[0], Array(files[1].prefix(40)), [0, 0, 0], files[2]])
        #expect(tape.segments.map(\.turns.isEmpty) == [false, false] && tape.segments[0].isTorn)
        #expect(!tape.segments[1].continues(tape.segments[0]))
    }

    @Test("does not continue after turns that could not be kept")
    func gap() throws {
        var tape = try Tape(try recorded(segments: 2).segments)
        #expect(tape.segments[1].continues(tape.segments[0]))
        tape.segments[0].turns.removeLast()
        #expect(!tape.segments[1].continues(tape.segments[0]))
        #expect(try !Tape([tape.bytes]).segments[1].continues(tape.segments[0]))
    }

    @Test("is written as it was read")
    func bytes() throws {
        let tape = try recorded(segments: 3)
        let once = try Tape(tape.segments)
        #expect(once.bytes == tape.segments.flatMap { $0 })
    }

    @Test(
        "keeps each kind of event",
        arguments: [
            NodeEvent.started(saved: [1, 2], boot: "b"), .started(saved: nil, boot: ""), .timePassed,
            .connection(.connected),
            .connection(.lost(ConnectionError("gone", hintsAtOlderProtocol: true, isUnexplainedClose: true))),
            .connection(.accepted(filter: "a/+")),
            .connection(.rejected(Rejection(.subscription(filter: "a/#"), code: 0x87, reason: "no"))),
            .connection(.rejected(Rejection(.publication(topic: "a", isRetained: true), code: nil, reason: "no"))),
            .connection(.rejected(Rejection(.publication(topic: "a", isRetained: false), code: 1, reason: "no"))),
            .connection(.tooLarge(topic: "a", bytes: 300, limit: 200)),
            .connection(.leftOut(topic: "a", bytes: 70_000, limit: 65_536)), .connection(.dropped(3)),
            .connection(
                .message(
                    IncomingMessage(
                        topic: "a/b", payload: [0, 255], retained: true, responseTopic: "r", correlationData: [9],
                        subscriptions: [1, 200]))),
            .outputsFailed(LinesFault("busy")), .outputsAcquired(HeldOutputs(chip: "gpiochip0", backend: "libgpiod")),
            .outputsAcquired(.simulated),
            .inputs(.edges([Edge(line: "A", isActive: true, at: Instant(sinceEpoch: .nanoseconds(1_234_567_891)))])),
            .inputs(.failed(LinesFault("lost"))), .inputsAcquired(HeldInputs(active: ["A", "B"], areDebounced: true)),
            .chipsChanged, .store(.stored(7)), .store(.failed(8, StoreError("full"))),
            .store(.setAside(.document(suffix: "x"), .success("f"))),
            .store(.setAside(.runs(suffix: "x"), .failure(StoreError("full")))),
            .store(.setAside(.edits([1], suffix: "x"), .success("f"))), .loadFailed(StoreError("torn")),
            .runsLoaded(nil), .runsLoaded([1]), .loadRunsFailed(StoreError("torn")), .reloadRequested,
            .memoryMeasured(4_000_000), .memoryMeasured(nil),
            .timeZonesRead(
                TimeZones(machine: .utc, machineName: "UTC", named: ["UTC": .utc], asked: ["UTC", "X"], faults: ["f"])),
            .clockChecked(isTrusted: false), .wallClockSet, .terminate,
        ])
    func events(event: NodeEvent) throws {
        var writer = TapeWriter()
        writer.event(event)
        var reader = TapeReader(writer.bytes[...])
        #expect(try reader.event() == event)
        #expect(reader.isAtEnd)
        // Nothing shorter is taken for an event, and nothing crashes.
        for count in 0..<writer.bytes.count {
            var short = TapeReader(writer.bytes[..<count])
            #expect(throws: TapeError.damaged) { try short.event() }
        }
    }

    @Test("keeps the rules of a time zone")
    func zones() throws {
        let zone = try TimeZoneRules(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        var writer = TapeWriter()
        writer.event(.timeZonesRead(TimeZones(machine: zone, named: [:], asked: [])))
        var reader = TapeReader(writer.bytes[...])
        guard case .timeZonesRead(let zones) = try reader.event() else {
            Issue.record("another event")
            return
        }
        #expect(zones.machine == zone)
    }
}
