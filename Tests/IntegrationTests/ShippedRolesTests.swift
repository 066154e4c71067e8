import BrokerLink
import Foundation
import Mosquitto
import Testing
import TimerProtocol

/// Tests the access list in config/mosquitto with a real mosquitto: each role tries each command and each topic.
///
/// A role may publish exactly the messages that arrive at other clients.
@Suite("The roles of the shipped access list")
struct ShippedRolesTests {
    private static let users = ["lectern", "stage", "side", "viewer", "remote", "web", "operator", "homeassistant"]
    /// The recipients of commands: two nodes, all, and a group.
    private static let recipients = ["lectern", "stage", "all", "@hall-a"]

    private let broker: MosquittoBroker

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../config/mosquitto/timer-node.acl").standardized
        // The file describes this change for a node in a group of nodes.
        let line = "topic read timer/@hall-a/command/#"
        let list = try String(contentsOf: file, encoding: .utf8).replacing("# \(line)", with: line)
        broker = try MosquittoBroker(users: Self.users, settings: ["acl_file FOLDER/acl"], files: ["acl": list])
    }

    private func probe(_ filter: String, as user: String) throws -> MQTTProbe {
        try MQTTProbe(broker, filter, as: MQTTProbe.User(name: user))
    }

    /// Publishes on topics in order, with the user's name as payload; the broker refuses some of these publications.
    private func publish(_ topics: [String], as user: String) throws {
        let driver = ConnectionDriver()
        try driver.connect(
            ConnectOptions(
                broker: Broker(host: "127.0.0.1", port: broker.port), version: .v5, clientID: "test-\(user)",
                keepAlive: 60, credentials: Credentials(username: user, password: TestSecrets.password(of: user)),
                will: nil))
        for topic in topics { driver.connection.publish(OutgoingMessage(topic: topic, text: user)) }
        driver.connection.disconnect(timeout: .seconds(30))
    }

    /// The topics below the prefix that a probe has received, by publishing user, once the last topic has arrived.
    private func topics(_ probe: MQTTProbe, until last: String) throws -> [String: Set<String>] {
        let messages = try probe.wait(for: last) { $0.contains { $0.topic == last } }
        return Dictionary(grouping: messages.filter { $0.topic.hasPrefix("timer/") }, by: \.payload)
            .mapValues { Set($0.map(\.topic)) }
    }

    @Test("let each role send these commands to a node, to all and to a group, and no other commands")
    func commands() throws {
        let probe = try probe("timer/#", as: "viewer")
        let verbs = Self.recipients.flatMap { recipient in
            Verb.allCases.map { "timer/\(recipient)/command/\($0.rawValue)" } + ["timer/\(recipient)/command"]
        }
        // Each user may send the last publication; its arrival shows that all earlier ones have arrived.
        for user in Self.users { try publish(verbs + ["timer/\(user)/event"], as: user) }
        for user in Self.users {
            let found = try topics(probe, until: "timer/\(user)/event")[user] ?? []
            var expected: Set = ["timer/\(user)/event"]
            for recipient in Self.recipients {
                let command = "timer/\(recipient)/command"
                for verb in Verb.allCases where verb.isAllowed(to: user, for: recipient) {
                    expected.insert("\(command)/\(verb.rawValue)")
                }
                // The command is in the payload, so the broker cannot restrict it.
                if ["operator", "homeassistant"].contains(user) { expected.insert(command) }
            }
            #expect(found.subtracting(expected) == [], "\(user) may not")
            #expect(expected.subtracting(found) == [], "\(user) must be allowed to")
        }
    }

    @Test("let each user write only its own topics")
    func speaking() throws {
        let probe = try probe("timer/#", as: "viewer")
        func topics(of node: String) -> [String] {
            TopicKind.allCases.map { $0.name(prefix: "timer", node: node) } + ["timer/\(node)/response/console"]
        }
        let others = Self.users.flatMap(topics) + ["timer/lectern/response/a/b", "timer/lectern/colour", "timer/x"]
        for user in Self.users {
            let last = "timer/\(user)/event"
            try publish(others.filter { $0 != last } + [last], as: user)
            #expect(try self.topics(probe, until: last)[user] == Set(topics(of: user)), "\(user)")
        }
    }

    @Test("let a follower receive its leader's topics, each node its own commands, and the other roles everything")
    func hearing() throws {
        let listeners = try Self.users.map { ($0, try probe("timer/#", as: $0)) }
        let kinds = TopicKind.allCases.map(\.rawValue) + ["response/console"]
        let spoken = ["stage", "side", "lectern"].flatMap { node in kinds.map { "timer/\(node)/\($0)" } }
        let commands = (Self.recipients + ["side"]).flatMap {
            ["timer/\($0)/command", "timer/\($0)/command/start", "timer/\($0)/command/agenda"]
        }
        for node in ["stage", "side", "lectern"] {
            try publish(spoken.filter { $0.hasPrefix("timer/\(node)/") }, as: node)
        }
        // The last command is for all recipients.
        try publish(
            commands.filter { !$0.hasPrefix("timer/all/") } + commands.filter { $0.hasPrefix("timer/all/") },
            as: "operator")
        for (user, probe) in listeners {
            let heard = try topics(probe, until: "timer/all/command/agenda").values.reduce(into: Set()) {
                $0.formUnion($1)
            }
            // A node receives its own retained topics.
            let own = TopicKind.allCases.filter(\.isRetained).map { $0.name(prefix: "timer", node: user) }
            let expected: [String] =
                switch user {
                case "lectern": own + commands.filter { $0.contains(/^timer\/(lectern|all|@hall-a)\//) }
                case "stage": own + commands.filter { $0.contains(/^timer\/(stage|all)\//) }
                case "side":
                    own + commands.filter { $0.contains(/^timer\/(side|all)\//) }
                        + ["availability", "state", "timers", "message", "response"].map { "timer/stage/\($0)" }
                default: commands + spoken
                }
            #expect(heard == Set(expected), "\(user)")
        }
    }
}

extension Verb {
    fileprivate func isAllowed(to user: String, for recipient: String) -> Bool {
        switch user {
        case "viewer": rules.brokerRole <= .viewer
        case "remote": rules.brokerRole <= .remote
        case "web", "operator", "homeassistant": true
        // A follower forwards the requests of its own buttons, and of the clients that may command it, to its leader.
        case "side": recipient == "stage"
        // A node may not send commands.
        default: false
        }
    }
}
