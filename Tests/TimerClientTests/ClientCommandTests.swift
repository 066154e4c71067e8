import BrokerLink
import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

@Suite("A command of a client")
struct ClientCommandTests {
    private func story(clients: Int = 1) throws -> ClientStory {
        var story = ClientStory(try Scenario(60, 40, 20), clients: clients)
        for place in 0..<clients { story.connect(place) }
        return story
    }

    /// The responses and ends among the effects, in short form.
    private func told(_ news: [NodeClient.Effect]) -> [String] {
        news.compactMap { effect in
            switch effect {
            case .response(let command, let node, let response, _):
                "\(command.id): \(node) \(response.refusal?.code.rawValue ?? "ok")\(response.duplicate ? " again" : "")"
            case .ended(let command, let end): "\(command.id): \(end)"
            case .event, .subscribe, .publish, .ask, .changed, .unreadable: nil
            }
        }
    }

    @Test("receives one response, and ends")
    func answered() throws {
        var story = try story()
        story.send(.player(.start(selector: nil)), id: "a")
        story.send(.player(.resume), id: "b")
        #expect(told(story.news) == ["a: lectern ok", "a: answered", "b: lectern not_allowed", "b: answered"])
        guard case .response(_, _, let response, let payload)? = story.news.first(where: { told([$0]) != [] }) else {
            Issue.record("no response")
            return
        }
        #expect(try Response(payload) == response, "with the response as it was received")
        #expect(story.client.nextInstant == nil)
    }

    @Test("to one node does not accept a response from another")
    func otherNode() throws {
        var story = try story()
        story.send(.player(.stop), id: "a", to: .node("nobody"))
        let response = Response(id: "a", command: "stop", outcome: .ok(mode: .stopped, remaining: 60))
        func answer(as node: String) {
            story.handle(.message(topic: "timer/\(node)/response", payload: response.bytes, retained: false))
        }
        answer(as: "lectern")
        #expect(told(story.news) == [])
        answer(as: "nobody")
        #expect(told(story.news) == ["a: nobody ok", "a: answered"])
    }

    @Test("without a connection is not sent, either then or later")
    func notConnected() throws {
        var story = ClientStory(try Scenario(60, 40, 20))
        story.send(.player(.start(selector: nil)))
        #expect(told(story.news) == ["1: notConnected"])
        story.connect()
        story.wait(.seconds(10))
        #expect(story.mirror?.mode == .stopped && story.news.count == 1)
    }

    @Test("to a node that does not exist ends after its timeout")
    func timedOut() throws {
        var story = try story()
        story.send(.player(.stop), to: .node("nobody"))
        story.wait(.milliseconds(4_980))
        #expect(told(story.news) == [])
        story.wait(.milliseconds(20))
        #expect(told(story.news) == ["1: timedOut(responses: 0)"])
        #expect(story.client.nextInstant == nil)
    }

    @Test("to all nodes or to a group waits for its timeout, and counts each node that responded once")
    func several() throws {
        var story = try story()
        story.send(.player(.start(selector: nil)), id: "a", to: .all)
        story.send(.player(.pause), id: "b", to: .group("hall-a"))
        story.send(.player(.stop), id: "c", to: .group("empty"))
        // Another node's response.
        let other = Response(id: "a", command: "start", outcome: .error(Refusal(.notAllowed, "it runs")))
        for _ in 1...2 {
            story.handle(.message(topic: "timer/stage/response", payload: other.bytes, retained: false))
        }
        story.wait(.seconds(5))
        #expect(
            told(story.news) == [
                "a: lectern ok", "b: lectern ok", "a: stage not_allowed", "a: timedOut(responses: 2)",
                "b: timedOut(responses: 1)", "c: timedOut(responses: 0)",
            ])
    }

    @Test("accepts only its own node's response, even if a command with the same id is pending at another node")
    func sameID() throws {
        var story = try story()
        story.send(.player(.stop), id: "a", to: .node("nobody"))
        story.send(.player(.pause), id: "a", to: .all)
        story.send(.player(.start(selector: nil)), id: "a")
        var answered: [String] = []
        for case .ended(let command, let end) in story.news { answered.append("\(command.recipient) \(end)") }
        #expect(told(story.news) == ["a: lectern not_allowed", "a: lectern ok", "a: answered"])
        #expect(answered == [#"node("lectern") answered"#])
        story.wait(.seconds(5))
        #expect(
            told(story.news).suffix(2) == ["a: timedOut(responses: 0)", "a: timedOut(responses: 1)"])
    }

    @Test("that the broker refuses ends with the broker's reason")
    func rejected() throws {
        var story = try story()
        story.send(.player(.stop), id: "a", to: .node("nobody"))
        story.send(.player(.stop), id: "b", to: .node("other"))
        story.handle(.rejected(topic: "timer/nobody/command/stop", reason: "Not authorized"))
        #expect(told(story.news) == [#"a: rejected("Not authorized")"#])
    }

    @Test("whose response was lost with the connection is sent again, and carried out once")
    func lostResponse() throws {
        var story = try story()
        story.delay = { .seconds(1) }
        story.send(.player(.add(seconds: -10)))
        story.send(.player(.start(selector: nil)), id: "2")
        let revision = story.node.state?["revision"]
        story.disconnect()
        story.wait(.seconds(1))
        story.connect()
        story.wait(.seconds(2))
        #expect(story.node.state?["revision"] == revision)
        #expect(
            told(story.news) == [
                "1: lectern not_allowed again", "1: answered", "2: lectern ok again", "2: answered",
            ])
    }

    @Test("whose response was lost is not sent again when the node might not remember it")
    func tooLate() throws {
        var story = try story()
        story.delay = { .seconds(100) }
        story.handle(
            .send(OutgoingCommand(id: "1", to: .node("lectern"), .player(.start(selector: nil)), timeout: .seconds(60)))
        )
        story.wait(.seconds(3))
        story.disconnect()
        story.wait(.seconds(6))
        let before = story.node.publications.count { $0.topic.hasSuffix("/response") }
        story.connect()
        story.wait(.seconds(1))
        #expect(story.node.publications.count { $0.topic.hasSuffix("/response") } == before)
    }

    @Test("whose response was lost is not sent again to a node that went offline, as the node has forgotten it")
    func nodeWentOffline() throws {
        var story = try story()
        story.delay = { .seconds(100) }
        story.send(.player(.toggle))
        for availability in ["offline", "online"] {
            story.handle(
                .message(topic: "timer/lectern/availability", payload: Array(availability.utf8), retained: false))
        }
        story.disconnect()
        let before = story.node.publications.count { $0.topic.hasSuffix("/response") }
        story.connect()
        story.wait(.seconds(1))
        #expect(story.node.publications.count { $0.topic.hasSuffix("/response") } == before)
        story.wait(.seconds(5))
        #expect(told(story.news) == ["1: timedOut(responses: 0)"])
    }

    @Test("passes its response only to its sender if two clients send commands at once")
    func twoClients() throws {
        var story = try story(clients: 2)
        story.send(.player(.start(selector: nil)), id: "a", by: 0)
        story.send(.player(.pause), id: "b", by: 1)
        story.send(.player(.pause), id: "c", by: 0)
        #expect(
            told(story.guests[0].news) == ["a: lectern ok", "a: answered", "c: lectern not_allowed", "c: answered"])
        #expect(told(story.guests[1].news) == ["b: lectern ok", "b: answered"])
        #expect(story.guests.allSatisfy { $0.client.nodes["lectern"]?.mode == .paused })
    }

    @Test("ends exactly once, whatever happens", arguments: SeededGenerator.seeds(30))
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var story = try story()
        var delays = SeededGenerator(seed: seed + 1)
        story.delay = { .milliseconds(Int.random(in: 0...2000, using: &delays)) }
        let commands: [Command] = [
            .player(.toggle), .player(.stop), .player(.add(seconds: 5)), .player(.next), .signal(.silence), .state,
        ]
        var sent = 0
        for _ in 1...60 {
            switch Int.random(in: 0...7, using: &random) {
            case 0: if story.client.isConnected { story.disconnect() } else { story.connect() }
            case 1: story.nodeGoes()
            case 2: if !story.node.isConnected { story.node.accept() }
            case 3: story.handle(.rejected(topic: "timer/lectern/command/stop", reason: "no"))
            case 4: story.wait(.milliseconds(Int.random(in: 0...3000, using: &random)))
            default:
                sent += 1
                let recipients: [CommandRecipient] = [.node("lectern"), .node("lectern"), .all, .node("nobody")]
                story.send(
                    commands.randomElement(using: &random) ?? .state, id: "\(sent)",
                    to: recipients.randomElement(using: &random) ?? .all)
            }
        }
        story.wait(.seconds(6))
        let ends = story.news.compactMap { if case .ended(let command, _) = $0 { command.id } else { nil } }
        #expect(ends.sorted() == (1...max(1, sent)).map(String.init).prefix(sent).sorted())
        #expect(story.client.nextInstant == nil)
    }
}
