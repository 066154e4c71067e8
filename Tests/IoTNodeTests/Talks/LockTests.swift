import BrokerLink
import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A locked node")
struct LockTests {
    /// A node with a button for each of several commands, and a remote with the same commands.
    private static let bound = ["toggle", "silence", "unlock", "stop", "message Hello", "lock"]

    private func node(saved: [UInt8]? = nil, after passed: Duration = .zero) throws -> Scenario {
        let controls = try DeskControls(Self.bound)
        return try Scenario(60, 0, 0, saved: saved, after: passed) { configuration in
            configuration.storage = .init(directory: "/nowhere")
            controls.add(to: &configuration)
        }
    }

    private func press(_ text: String, _ node: inout Scenario) {
        let line = "\(Self.bound.firstIndex(of: text) ?? 0)"
        node.happens(.inputs(.edges([Edge(line: line, isActive: true, at: node.now.instant)])))
        node.happens(.inputs(.edges([Edge(line: line, isActive: false, at: node.now.instant)])))
    }

    @Test("locks nothing at first, and publishes in its state what is locked")
    func state() throws {
        var node = try node()
        #expect(node.state?["locked"] == .bool(false))
        node.send("lock")
        #expect(node.state?["locked"] == "inputs")
        node.send("lock", #"{"commands":true}"#)
        #expect(node.state?["locked"] == "commands")
        node.send("unlock")
        #expect(node.state?["locked"] == .bool(false))
        node.send("lock", "ON")
        #expect(node.state?["locked"] == "inputs")
        #expect(node.send("lock", #"{"command":true}"#)?["code"] == "invalid_payload")
        #expect(node.send("lock", to: "all")?["status"] == "ok")
    }

    @Test("ignores buttons and remotes, except for silence and unlock", arguments: [true, false])
    func inputs(isButton: Bool) throws {
        for text in Self.bound {
            var node = try node()
            node.send("start")
            node.send("lock")
            node.wait(.seconds(1))
            let before = node.publications.count
            if isButton { press(text, &node) } else { node.send(topic: "desk", Array(text.utf8)) }
            let isObeyed = ["silence", "unlock"].contains(text)
            #expect((node.core.talk.locked == nil) == (text == "unlock"))
            #expect((node.core.outputs.indicators.silencedAt != nil) == (text == "silence"))
            #expect(node.last("mode") == "countdown")
            if !isObeyed { #expect(node.publications.count == before, "\(text) did nothing") }
            #expect(node.logs.contains { $0.contains("ignored: the node is locked") } == !isObeyed)
        }
    }

    @Test("for commands refuses every verb except these, with the code locked", arguments: Verb.allCases)
    func commands(verb: Verb) throws {
        let payloads: [Verb: String] = [
            .select: "1", .set: "5", .add: "5", .sync: #"{"remaining":5,"at":"2023-11-14T22:13:20Z"}"#,
            .edit: #"{"start":50}"#, .timers: #"{"groups":[{"timers":[{"start":5}]}]}"#, .message: "Hello",
            .agenda: #"{"meetings":[]}"#, .begin: "1", .began: #"{"ago":5}"#, .entry: "next",
        ]
        let works: Set<Verb> = [.unlock, .state, .silence, .message, .time, .runs]
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        node.send("lock", #"{"commands":true}"#)
        let saved = node.saved.last
        let responseSent = node.send(verb.rawValue, payloads[verb] ?? "")
        let response = try #require(responseSent)
        if works.contains(verb) {
            #expect(response["status"] == "ok")
        } else {
            #expect(response["code"] == "locked")
            #expect(node.saved.last == saved, "nothing has changed")
        }
        node.send("unlock")
        node.send("lock")
        let otherSent = node.send(verb.rawValue, payloads[verb] ?? "")
        let other = try #require(otherSent)
        #expect(other["code"] != "locked", "only buttons and remotes are locked")
    }

    @Test("survives a restart", arguments: [LockLevel.inputs, .commands])
    func restart(level: LockLevel) throws {
        var node = try node()
        node.send("lock", level == .commands ? #"{"commands":true}"# : "")
        let next = try self.node(saved: node.saved.last, after: .seconds(5))
        #expect(next.state?["locked"] == .string(level.rawValue))
        let rebooted = try Scenario(saved: node.saved.last, boot: "another") {
            $0.storage = .init(directory: "/nowhere")
        }
        #expect(rebooted.state?["locked"] == .string(level.rawValue))
    }
}
