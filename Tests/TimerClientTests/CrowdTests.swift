import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

@Suite("A client among more forged nodes than it has room for")
struct CrowdTests {
    private static let room = NodeClient.maximumNodes

    /// A node `lectern`, and clients that connect when the broker has enough retained messages to fill a client, which
    /// it sends first.
    private func story(boot: String = "another", clients: Int = 1) throws -> ClientStory {
        var story = ClientStory(
            try Scenario(60, 40, 20, boot: "a boot") { $0.mqtt?.tickEvery = .zero }, clients: clients, boot: boot)
        for number in 0..<Self.room { story.forge("timer/a\(number)/availability", "online") }
        return story
    }

    private func expectWhole(_ mirror: NodeMirror?) {
        #expect(mirror?.isOnline == true && mirror?.mode == .stopped && mirror?.state?.timer.name == "Talk")
        #expect(mirror?.timers != nil && mirror?.health != nil)
    }

    @Test("finds the node that responds and mirrors it fully, even after a restart", arguments: ["another", "a boot"])
    func found(boot: String) throws {
        var story = try story(boot: boot, clients: 2)
        for place in story.guests.indices {
            story.connect(place)
            #expect(story.guests[place].client.nodes["lectern"] == nil)
            story.wait(.seconds(1))
            expectWhole(story.guests[place].client.nodes["lectern"])
            #expect(story.guests[place].client.nodes.count == Self.room)
        }
    }

    @Test("finds a node that connects later or connects again", arguments: ["another", "a boot"])
    func later(boot: String) throws {
        var story = try story(boot: boot)
        story.nodeGoes()
        story.connect()
        story.wait(.seconds(1))
        #expect(story.mirror == nil)
        for _ in 0..<2 {
            story.node.accept()
            story.wait(.seconds(11))
            expectWhole(story.mirror)
            story.nodeGoes()
            story.wait(.seconds(1))
            #expect(story.mirror?.availability == .offline, "it has responded before")
        }
    }

    @Test("keeps a node that responds, and its count, while others are forged", arguments: ["another", "a boot"])
    func kept(boot: String) throws {
        var story = try story(boot: boot)
        story.connect()
        story.wait(.seconds(1))
        story.send(.player(.start(selector: nil)))
        for second in 0..<40 {
            for number in 0..<50 { story.forge("timer/b\(second)-\(number)/availability", "online") }
            story.wait(.seconds(1))
            #expect(story.mirror?.mode?.isRunning == true)
            if boot == "another" { #expect(abs(story.error) < 0.01) }
        }
        #expect(story.client.nodes.count == Self.room)
    }

    @Test("sends a request to all nodes every 10 s, if there was no room for a node and responses can arrive")
    func questions() {
        var client = NodeClient(askingTimeAs: "guest", seed: 1)
        var quiet = NodeClient()
        var asked: [Int] = []
        _ = client.handle(.connected, at: moment(0))
        _ = quiet.handle(.connected, at: moment(0))
        for second in 0..<45 {
            // From 10 s until 34 s there are more nodes than a client has room for.
            for number in 0..<100 where second < 35 {
                let id = "n\(second < 10 ? second * 100 + number : 5000 + number)"
                _ = client.handle(message("timer/\(id)/mode", "stopped"), at: moment(second))
                _ = quiet.handle(message("timer/\(id)/mode", "stopped"), at: moment(second))
            }
            #expect(quiet.nextInstant == nil)
            guard let next = client.nextInstant, next <= moment(second).instant else { continue }
            for effect in client.handle(.timePassed, at: moment(second)) {
                guard case .ask("timer/all/command/time", _) = effect else { continue }
                asked.append(second)
            }
        }
        #expect(asked == [10, 20, 30, 40])
    }

    @Test("sends a request to all nodes immediately after a reconnection, since earlier requests are lost")
    func reconnection() {
        var client = NodeClient(askingTimeAs: "guest", seed: 1)
        func fill() {
            _ = client.handle(.connected, at: moment(0))
            for number in 0...Self.room {
                _ = client.handle(message("timer/n\(number)/mode", "stopped"), at: moment(0))
            }
        }
        fill()
        #expect(question(client.handle(.timePassed, at: moment(0))) != nil)
        _ = client.handle(.disconnected, at: moment(1))
        #expect(client.nextInstant == nil)
        fill()
        #expect(question(client.handle(.timePassed, at: moment(1))) != nil)
    }

    @Test("sends a request to all nodes immediately even while a command waits for its response")
    func pendingCommand() {
        var client = NodeClient(askingTimeAs: "guest", seed: 1)
        _ = client.handle(.connected, at: moment(0))
        _ = client.handle(.send(OutgoingCommand(id: "1", to: .node("n1"), .player(.stop))), at: moment(0))
        for number in 0...Self.room { _ = client.handle(message("timer/n\(number)/mode", "stopped"), at: moment(0)) }
        #expect(client.nextInstant.map { $0 <= moment(0).instant } == true)
    }

    @Test("replaces only nodes that never responded, offline nodes first")
    func order() throws {
        var client = NodeClient(askingTimeAs: "guest", seed: 1)
        _ = client.handle(.connected, at: moment(0))
        for number in 0..<Self.room {
            let word = number == 77 ? "offline" : "online"
            _ = client.handle(message("timer/n\(number)/availability", word), at: moment(0))
        }
        _ = client.handle(message("timer/real/mode", "stopped"), at: moment(0))
        let story = ClientStory(try Scenario(60, 40, 20, boot: "a boot"))
        let state = try #require(story.node.publications.last { $0.topic == "timer/lectern/state" })
        _ = client.handle(message("timer/n50/state", state.text), at: moment(0))
        let questions = client.handle(.timePassed, at: moment(0))
        let id = try #require(question(questions))
        #expect(client.handle(answer("real", "guest-nodes-1"), at: moment(0)) == [], "a guess")
        #expect(client.nodes["real"] == nil)

        for number in 0..<Self.room where !(50..<100).contains(number) {
            let heard = NodeClient.Effect.changed(node: "n\(number)", .availability)
            #expect(client.handle(answer("n\(number)", id), at: moment(0)) == [heard])
        }
        // One node answers only the request addressed to it.
        let own = try #require(question(questions, to: "n50"))
        _ = client.handle(answer("n50", own), at: moment(0))
        for number in 0..<49 {
            let node = number == 0 ? "real" : "real\(number)"
            let effects = client.handle(answer(node, id), at: moment(0))
            guard case .changed(let given, .availability)? = effects.first,
                case .publish("timer/\(node)/command/state", _, _)? = effects.dropFirst().first
            else {
                Issue.record("\(effects)")
                continue
            }
            #expect((given == "n77") == (number == 0), "\(given)")
            #expect(client.nodes[given] == nil && client.nodes[node] != nil)
        }
        #expect(client.handle(answer("late", id), at: moment(0)) == [])
        #expect(client.nodes["late"] == nil && client.nodes.count == Self.room)
    }

    private func moment(_ second: Int) -> NodeClient.Moment {
        NodeClient.Moment(
            instant: Instant(sinceEpoch: .seconds(1000 + second)),
            date: Date(timeIntervalSince1970: 1_700_000_000 + Double(second)))
    }

    private func message(_ topic: String, _ text: String) -> NodeClient.Event {
        .message(topic: topic, payload: Array(text.utf8), retained: true)
    }

    private func answer(_ node: String, _ id: String) -> NodeClient.Event {
        let response = Response(id: id, command: "time", outcome: .ok(mode: .stopped, remaining: 60))
        return .message(topic: "timer/\(node)/response", payload: response.bytes, retained: false)
    }

    /// The id of the request to one node, or to all nodes.
    private func question(_ effects: [NodeClient.Effect], to recipient: String = "all") -> String? {
        for case .ask("timer/\(recipient)/command/time", let payload) in effects {
            let words = String(decoding: payload, as: UTF8.self).split(separator: "\"")
            return words.first { $0.hasPrefix("guest-") }.map(String.init)
        }
        return nil
    }
}
