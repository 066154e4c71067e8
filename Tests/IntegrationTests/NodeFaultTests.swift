import Foundation
import Testing
import TimerEngine

/// What a spawned node makes of brokers and messages that misbehave, while it counts.
@Suite("A spawned node in trouble", .serialized)
struct NodeFaultTests {
    /// Waits for the lamps of a run that has just been started, each of which has to come on its second.
    ///
    /// The bound is generous, since the machine may be busy: whatever a fault holds up waits for longer, and what is exact
    /// is tried in simulated time.
    private func follow(_ node: SpawnedNode, _ lamps: [(lit: String, after: Double)]) throws {
        try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
        let began = ContinuousClock.now
        for (lit, after) in lamps {
            try node.process.waitForLine(lit, timeout: .seconds(60)) { $0.hasPrefix("\(lit)  ") }
            let seen = (ContinuousClock.now - began).inSeconds
            #expect(abs(seen - after) < 2, "\(lit) came after \(seen) s, expected \(after)")
        }
    }

    private func start(_ broker: MosquittoBroker) throws -> MQTTProbe {
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        return probe
    }

    /// The ticks so far.
    private func ticks(_ probe: MQTTProbe) -> [Int] {
        probe.messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) }
    }

    /// A number in the newest health.
    private func health(_ probe: MQTTProbe, _ key: String) -> Int? {
        let health = probe.messages.last { $0.topic == "timer/lectern/health" }?.payload ?? ""
        let rest = health.components(separatedBy: "\"\(key)\":").dropFirst().first ?? ""
        return Int(rest.prefix { $0.isNumber })
    }

    /// Asks for the health, and waits for what says more than before.
    private func askHealth(_ broker: MosquittoBroker, _ probe: MQTTProbe) throws {
        let before = probe.messages.filter { $0.topic == "timer/lectern/health" }.count
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        try probe.wait(for: "the health") { $0.filter { $0.topic == "timer/lectern/health" }.count > before }
    }

    @Test("keeps its seconds with a broker that stands still, and finds it out by the keep-alive")
    func frozen() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("14s", warning: "11s", final: "5s", brokers: broker.url, mqtt: ", keepalive: 5s")
        _ = try start(broker)
        try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
        broker.freeze()
        defer { broker.thaw() }
        try follow(node, [("yellow", 3), ("red", 9), ("red + buzzer", 14)])
        try node.process.waitForLine("the loss", timeout: .seconds(60)) {
            $0.contains("does not answer: nothing came within the keep-alive")
        }
        broker.thaw()
        let after = try MQTTProbe(broker, "timer/lectern/mode")
        try after.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(120))
    }

    @Test("keeps its seconds while connections hang, one in TCP and one without an answer to CONNECT")
    func hanging() throws {
        let broker = try MosquittoBroker()
        let (swallowing, silent) = (try TCPListener(isFull: true), try TCPListener())
        let hanging = [swallowing, silent].map { "mqtt://127.0.0.1:\($0.port)" }
        let node = try SpawnedNode(
            "28s", warning: "26s", final: "13s", brokers: ([broker.url] + hanging).joined(separator: ", "))
        _ = try start(broker)
        try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
        try broker.kill()
        try follow(node, [("yellow", 2), ("red", 15), ("red + buzzer", 28)])
        for url in hanging {
            try node.process.waitForLine("the end of patience", timeout: .seconds(60)) {
                $0.contains("no connection to \(url): no CONNACK within 10 s")
            }
        }
        try broker.restart()
        let after = try MQTTProbe(broker, "timer/lectern/mode")
        try after.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(180))
    }

    /// A payload that no command has: how a shell makes it, and the code it is refused with.
    struct Payload: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var verb = "start"
        let shell: String
        /// Nil where the broker keeps it to itself.
        let code: String?

        /// A command line that publishes it.
        func publishing(to broker: MosquittoBroker) -> String {
            "(\(shell)) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -s -t timer/lectern/command/\(verb)"
        }
    }

    /// The codes of all responses, in order.
    static func codes(_ messages: [MQTTProbe.Message]) -> [String] {
        messages.filter { $0.topic == "timer/lectern/response" }
            .compactMap { $0.payload.firstMatch(of: /"code":"([a-z_]*)"/).map { String($0.1) } }
    }

    static let payloads = [
        Payload(testDescription: "of 1 MB", shell: "head -c 1000000 /dev/zero", code: nil),
        Payload(testDescription: "of 100 KB", shell: "head -c 100000 /dev/zero", code: "payload_too_large"),
        Payload(
            testDescription: "of 5 KB of JSON", shell: "printf '{\"id\":\"%05000d\"}' 1", code: "payload_too_large"),
        Payload(testDescription: "with a NUL", shell: "printf '1/1\\000'", code: "invalid_payload"),
        Payload(
            testDescription: "with a NUL in JSON", shell: "printf '{\"timer\":\"\\000\"}'", code: "invalid_payload"),
        Payload(testDescription: "of invalid UTF-8", shell: "printf '\\377\\376'", code: "invalid_payload"),
        Payload(
            testDescription: "nested 300 deep", shell: #"printf '{"timer":%.0s' $(seq 300); printf '}%.0s' $(seq 300)"#,
            code: "invalid_payload"),
        Payload(
            testDescription: "nested 10,000 deep", verb: "timers",
            shell: #"printf '{"groups":'; printf '[%.0s' $(seq 10000); printf ']%.0s' $(seq 10000); printf '}'"#,
            code: "invalid_payload"),
        Payload(testDescription: "of half an object", shell: "printf '{\"timer\":'", code: "invalid_payload"),
    ]

    @Test("refuses payloads that no command has, each once, and goes on to the second")
    func payloads() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("5s", brokers: broker.url)
        let probe = try start(broker)
        for payload in Self.payloads {
            let process = try ChildProcess("sh", ["-c", payload.publishing(to: broker)])
            try #require(try process.waitForExit() == .exited(0), "\(payload.testDescription)")
        }
        try probe.wait(for: "the alarm") { $0.contains { $0.payload == "alarm" } }
        #expect(ticks(probe) == Array((0...5).reversed()))
        try askHealth(broker, probe)
        #expect(Self.codes(probe.messages) == Self.payloads.compactMap(\.code))
        #expect(try #require(health(probe, "max_tick_lateness_ms")) < 3000)
        #expect(health(probe, "reconnects") == 0)
        #expect(node.lamps.contains("red + buzzer"))
    }

    @Test("keeps its seconds in a flood of 1,000 commands a second for 10 s, and can be stopped in it")
    func flood() throws {
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try start(broker)
        try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
        let flood = "for i in $(seq 100); do seq 100; sleep 0.1; done"
        let publisher = try ChildProcess(
            "sh", ["-c", "(\(flood)) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -l -t timer/lectern/command/beep"])
        try waitUntil("nine seconds", timeout: .seconds(60)) { ticks(probe).contains(51) }
        try MQTTProbe.publish(broker, "timer/lectern/command/pause", #"{"id":"pause"}"#)
        try probe.wait(for: "the pause") { $0.contains { $0.payload.contains(#""id":"pause","command""#) } }
        let paused = probe.messages.last { $0.payload.contains(#""id":"pause","command""#) }?.payload
        #expect(paused?.contains(#""status":"ok","mode":"paused""#) == true)
        #expect(ticks(probe).starts(with: (51...60).reversed()))
        #expect(try publisher.waitForExit(timeout: .seconds(60)) == .exited(0))

        // All ten thousand were taken, and most were refused.
        try waitUntil("the whole flood", timeout: .seconds(60)) {
            sleep(1)
            try askHealth(broker, probe)
            return (health(probe, "ok") ?? 0) + (health(probe, "error") ?? 0) >= 10_000
        }
        #expect(try #require(health(probe, "max_tick_lateness_ms")) < 3000)
        let answers = probe.messages.filter { $0.payload.contains("rate_limited") }.count
        #expect((1...60).contains(answers), "\(answers) refusals were answered, one a second is")
    }

    @Test("does once what is delivered twice")
    func duplicates() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try start(broker)
        for _ in 0..<3 { try MQTTProbe.publish(broker, "timer/lectern/command/toggle", #"{"id":"once"}"#) }
        let answers = try probe.wait(for: "three answers") {
            $0.filter { $0.payload.contains(#""id":"once""#) && $0.topic.hasSuffix("/response") }.count == 3
        }.filter { $0.topic.hasSuffix("/response") && $0.payload.contains("once") }
        #expect(answers.map { $0.payload.contains(#""duplicate":true"#) } == [false, true, true])
        #expect(probe.messages.last { $0.topic == "timer/lectern/mode" }?.payload == "paused")
        #expect(try node.process.terminate() == .exited(0))
    }
}
