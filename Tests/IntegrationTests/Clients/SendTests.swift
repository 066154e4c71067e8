import Foundation
import Testing

/// `timer-node send` and the other client commands, with a real broker and real nodes.
@Suite("send")
struct SendTests {
    private let broker: MosquittoBroker
    private let nodes: [SpawnedNode]

    init() throws {
        let broker = try MosquittoBroker()
        self.broker = broker
        nodes = try ["lectern", "stage"].map { id in
            try SpawnedNode(
                """
                node: {id: \(id), groups: [hall]}
                mqtt: {brokers: [\(broker.url)]}
                timers: {groups: [{timers: [{name: Talk, start: 20:00, warning: 5:00}]}]}
                storage: {directory: FOLDER/state}
                """, id: id)
        }
        for node in nodes { try node.waitForConnection() }
    }

    /// A command's output and exit status.
    struct Outcome: Equatable {
        var status: ChildProcess.ExitStatus
        var output: [String]
        var errors: [String]

        init(_ status: Int32, _ output: [String] = [], errors: [String] = []) {
            self.status = .exited(status)
            self.output = output
            self.errors = errors
        }
    }

    /// Runs a command to its end. A command that waits for a response gets a longer timeout than the default, to allow
    /// for a busy machine.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let asks = ["send", "report", "agenda", "timers", "reset-timers"].contains(arguments.first)
        let timeout = asks && !arguments.contains("--timeout") ? ["--timeout", "60s"] : []
        let process = try ChildProcess(SpawnedNode.program, arguments + timeout, environment: environment)
        let status = try process.waitForExit()
        var outcome = Outcome(0, process.output, errors: process.errors)
        outcome.status = status
        return outcome
    }

    private func run(_ arguments: String...) throws -> Outcome {
        try Self.run(arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
    }

    @Test("prints the mode and the time left, or the reason for a refusal")
    func outcomes() throws {
        #expect(try run("send", "lectern", "start") == Outcome(0, ["countdown, 20:00 left"]))
        #expect(try run("send", "lectern", "set", "1:30") == Outcome(0, ["warning, 1:30 left"]))
        #expect(try run("send", "lectern", "pause").status == .exited(0))
        #expect(try run("send", "lectern", "set", #"{"remaining":"2m"}"#) == Outcome(0, ["paused, 2:00 left"]))
        #expect(try run("send", "lectern", "add", "-30") == Outcome(0, ["paused, 1:30 left"]))
        #expect(
            try run("send", "lectern", "pause")
                == Outcome(1, errors: ["pause needs a running timer; this one is paused (not_allowed)"]))
        let missing = try run("send", "lectern", "select", "9/9")
        #expect(missing.status == .exited(1) && missing.errors.first?.hasSuffix("(not_found)") == true, "\(missing)")
        let json = try run("send", "lectern", "stop", "--json")
        #expect(json.status == .exited(0))
        #expect(
            json.output.first?.contains(/^\{"id":"[0-9a-f-]{36}","command":"stop","status":"ok","mode":"stopped",/)
                == true)
    }

    @Test("to all or to a group prints a line for each node that responds")
    func several() throws {
        #expect(
            try run("send", "all", "start", "--timeout", "5s").sorted
                == Outcome(0, ["lectern: countdown, 20:00 left", "stage: countdown, 20:00 left"]))
        #expect(try run("send", "stage", "pause").status == .exited(0))
        let group = try run("send", "@hall", "pause", "--timeout", "5s")
        #expect(group.status == .exited(1) && group.output.count == 1 && group.output[0].hasPrefix("lectern: paused, "))
        #expect(group.errors == ["stage: pause needs a running timer; this one is paused (not_allowed)"])
        #expect(
            try run("send", "@attic", "stop", "--timeout", "5s")
                == Outcome(69, errors: ["no response within 5s: online nodes: lectern, stage"]))
    }

    @Test("works with each verb of a talk")
    func talk() throws {
        let stopped = Outcome(0, ["stopped, 20:00 left"])
        #expect(try run("send", "lectern", "speaker", "Ada", "Lovelace") == stopped)
        #expect(try run("send", "lectern", "message", "Please wrap up") == stopped)
        #expect(try run("send", "lectern", "message") == stopped)
        #expect(try run("send", "lectern", "agenda", Self.agenda) == stopped)
        #expect(try run("send", "lectern", "begin", "Club") == stopped)
        #expect(try run("send", "lectern", "clear_runs") == stopped)
        #expect(try run("send", "lectern", "lock", #"{"commands":true}"#) == stopped)
        let refused = try run("send", "lectern", "start")
        #expect(refused.status == .exited(1) && refused.errors.first?.hasSuffix(" (locked)") == true, "\(refused)")
        #expect(try run("send", "lectern", "unlock") == stopped)
        #expect(try run("send", "lectern", "start").status == .exited(0))
        let line = try Shell.run(
            "timeout 60 \(try SpawnedNode.program) watch --broker \(broker.url) lectern | head -n 1")
        #expect(line.output.contains("speaker: Ada Lovelace"), "\(line.output)")
    }

    private static let agenda = #"{"meetings":[{"name":"Club","day":"tue","at":"19:00","for":"2h","group":1}]}"#

    @Test("reports why there is no response")
    func unavailable() throws {
        let broker = broker.url
        let nobody = try run("send", "lecturn", "stop", "--timeout", "5s")
        #expect(
            nobody
                == Outcome(
                    69,
                    errors: [
                        "no response from lecturn within 5s: \(broker) has no node lecturn under timer/; did you mean lectern?"
                    ]))
        try nodes[1].process.terminate()
        #expect(
            try run("send", "stage", "stop", "--timeout", "5s")
                == Outcome(69, errors: ["no response from stage within 5s: it is offline"]))
        nodes[0].process.signal(SIGSTOP)
        #expect(
            try run("send", "lectern", "stop", "--timeout", "5s")
                == Outcome(69, errors: ["no response from lectern within 5s, though it is online"]))
        nodes[0].process.signal(SIGCONT)
        let gone = try Self.run(["send", "lectern", "stop", "--broker", "mqtt://127.0.0.1:1"])
        #expect(
            gone.status == .exited(69)
                && gone.errors.first?.hasPrefix("no connection to mqtt://127.0.0.1:1: cannot connect: ") == true,
            "\(gone)")
    }

    @Test(
        "rejects invalid arguments",
        arguments: [
            (["lectern", "strt"], #"there is no command "strt""#), (["lectern", "set", "soon"], "expected a time"),
            (["lectern", "pause", "now"], "pause takes no argument"), (["Lectern", "stop"], "invalid"),
            (["lectern"], "verb"),
            (["a/b", "stop"], "invalid"), (["all", "edit", #"{"start":5}"#], "for one node"),
            (["@hall", "speaker", "Ada"], "for one node"), (["lectern", "agenda"], "JSON"),
            (["lectern", "message", String(repeating: "x", count: 201)], "201 characters"),
            (["lectern", "stop", "--timeout", "0"], "invalid"),
        ])
    func misuse(arguments: [String], reason: String) throws {
        let outcome = try Self.run(["send"] + arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
        #expect(outcome.status == .exited(64) && outcome.output == [], "\(outcome)")
        #expect(outcome.errors.contains { $0.contains(reason) }, "\(outcome.errors)")
    }

    @Test("reports how to specify a broker if there is none")
    func noBroker() throws {
        let outcome = try Self.run(["nodes", "--config", "/dev/null"])
        #expect(outcome.status == .exited(78))
        let wrong = try Self.run(["nodes", "--broker", "http://x"])
        #expect(wrong.status == .exited(78) && wrong.errors.first?.contains("--broker") == true, "\(wrong)")
    }

    @Test("from many clients at once sends each its response, and each command is executed once")
    func twoAtOnce() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/response")
        let commands = (0..<20).map { _ in ["send", "lectern", "add", "+1"] }
        #expect(try run("send", "lectern", "start").status == .exited(0))
        let clients = try commands.map {
            try ChildProcess(SpawnedNode.program, $0, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
        }
        for client in clients {
            #expect(try client.waitForExit() == .exited(0))
            #expect(client.output.count == 1)
        }
        try probe.wait(for: "all responses") { $0.count >= 21 }
        #expect(!probe.messages.contains { $0.payload.contains("duplicate") })
        #expect(try run("send", "lectern", "state").status == .exited(0))
        try probe.wait(for: "exactly one more") { $0.count >= 22 }
        #expect(probe.messages.count == 22)
    }
}

extension SendTests.Outcome {
    /// The outcome with its lines sorted, for output from several nodes.
    fileprivate var sorted: SendTests.Outcome {
        var sorted = self
        sorted.output.sort()
        return sorted
    }
}

/// Clients of a broker that restricts some clients.
@Suite("send, to a broker that refuses", .serialized)
struct SendRefusedTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker(
            users: ["lectern", "viewer"], settings: ["acl_file FOLDER/acl"],
            files: ["acl": "user lectern\ntopic readwrite timer/#\nuser viewer\ntopic read timer/#\n"])
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], username: lectern, password_file: mqtt.password}
            """, files: ["mqtt.password": TestSecrets.password(of: "lectern")])
        try node.waitForConnection()
    }

    private func run(_ arguments: String..., protocol version: String, password: String? = nil) throws
        -> SendTests.Outcome
    {
        try SendTests.run(
            arguments,
            environment: [
                "TIMER_NODE_MQTT_BROKERS": broker.url, "TIMER_NODE_MQTT_USERNAME": "viewer",
                "TIMER_NODE_MQTT_PASSWORD": password ?? TestSecrets.password(of: "viewer"),
                "TIMER_NODE_MQTT_PROTOCOL": version,
            ])
    }

    @Test("reports the refusal with MQTT 5")
    func forbidden() throws {
        #expect(
            try run("send", "lectern", "start", protocol: "5")
                == SendTests.Outcome(
                    1,
                    errors: [
                        "\(broker.url) refuses the publication on timer/lectern/command/start: Not authorized (PUBACK 0x87)"
                    ]))
        #expect(try run("nodes", protocol: "5").output.contains { $0.hasPrefix("lectern  online") })
    }

    @Test("reports the possible refusal with MQTT 3.1.1")
    func forbiddenInOlder() throws {
        #expect(
            try run("send", "lectern", "start", "--timeout", "5s", protocol: "3.1.1")
                == SendTests.Outcome(
                    69,
                    errors: [
                        "no response from lectern within 5s, though it is online; with MQTT 3.1.1, a broker that "
                            + "forbids the command does not report it"
                    ]))
        #expect(try run("nodes", protocol: "3.1.1").output.contains { $0.hasPrefix("lectern  online") })
    }

    @Test("reports that the password is wrong", arguments: ["5", "3.1.1"])
    func password(version: String) throws {
        let outcome = try run("send", "lectern", "start", protocol: version, password: "wrong")
        #expect(outcome.status == .exited(69))
        #expect(
            outcome.errors.first?.hasPrefix("no connection to \(broker.url): the broker refused the connection: ")
                == true,
            "\(outcome)")
    }
}
