import BrokerLink
import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
// Imported without `@testable`, as in another package: only the public declarations are visible.
import TimerClient
import TimerEngine
import TimerProtocol

// The examples of the documentation, verbatim.
/// A client of a node, on any MQTT connection that can subscribe and publish.
struct RemoteControl {
    var client = NodeClient(prefix: "timer", nodes: ["lectern"])
    let subscribe: (String) -> Void
    let publish: (_ topic: String, _ payload: [UInt8]) -> Void
    let now: () -> NodeClient.Moment

    /// Call this for each event of the connection.
    mutating func happens(_ event: NodeClient.Event) {
        for effect in client.handle(event, at: now()) {
            switch effect {
            case .subscribe(let filters): filters.forEach(subscribe)
            case .publish(let topic, let payload, _), .ask(let topic, let payload): publish(topic, payload)
            case .changed(let node, _): print(node, client.nodes[node]?.shownSeconds(at: now().instant) ?? "–")
            case .event(let node, let event): print(node, event.kind)
            case .response(_, let node, let response, _): print(node, response.refusal?.message ?? "done")
            case .ended(_, .timedOut(responses: 0)): print("no response")
            case .ended(_, .rejected(let reason)): print("the broker refused it: \(reason)")
            case .ended, .unreadable: break
            }
        }
    }

    /// Toggles the lectern's timer, as a press of its button does.
    mutating func toggle() {
        let command = OutgoingCommand(id: UUID().uuidString, to: .node("lectern"), .player(.toggle))
        happens(.send(command))
    }
}

@Suite("The documentation of the client's library")
struct DocumentationTests {
    @Test("has an example that is compiled here")
    func example() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let page = try String(
            contentsOfFile: repositoryFile("Sources/TimerClient/TimerClient.docc/TimerClient.md"), encoding: .utf8)
        let examples = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(examples.count == 1)
        for example in examples { #expect(source.contains(example)) }
    }

    @Test("has an example that starts a node's timer")
    func run() throws {
        var story = ClientStory(try Scenario(60, 40, 20))
        var published: [(topic: String, payload: [UInt8])] = []
        var filters: [String] = []
        let now = story.now
        var remote = RemoteControl(
            subscribe: { filters.append($0) }, publish: { published.append(($0, $1)) }, now: { now })
        remote.happens(.connected)
        #expect(filters.contains("timer/lectern/state"))
        remote.toggle()
        let command = try #require(published.first)
        #expect(command.topic == "timer/lectern/command/toggle")
        #expect(story.node.send(topic: command.topic, command.payload)?["mode"] == "countdown")
        for message in story.node.publications {
            remote.happens(.message(topic: message.topic, payload: message.payload, retained: false))
        }
        #expect(remote.client.nodes["lectern"]?.mode == .countdown)
        #expect(remote.client.nextInstant == nil, "the command has ended")
    }
}
