import Foundation
import Testing

@testable import TimerProtocol

/// How a spawned node handles bad messages, in real time; exact times are tested in simulated time.
@Suite("A spawned node in trouble", .serialized)
struct NodeFaultTests {
    /// A payload that is not a valid command: the shell command that creates it, and the error code of the refusal.
    struct Payload: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var verb = "start"
        let shell: String
        /// The error code; nil if the broker does not forward the payload.
        let code: String?

        /// A command line that publishes the payload.
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

    @Test("counts every second during a 10 s flood of 1,000 commands per second, and can be paused meanwhile")
    func flood() throws {
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe.starting(broker)
        try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
        let flood = "for i in $(seq 100); do seq 100; sleep 0.1; done"
        let publisher = try ChildProcess(
            "sh", ["-c", "(\(flood)) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -l -t timer/lectern/command/beep"])
        try waitUntil("nine seconds") { (probe.ticks.last ?? 60) <= 51 }
        try MQTTProbe.publish(broker, "timer/lectern/command/pause", #"{"id":"pause"}"#)
        try probe.wait(for: "the pause") { $0.contains { $0.payload.contains(#""id":"pause","command""#) } }
        let paused = probe.messages.last { $0.payload.contains(#""id":"pause","command""#) }?.payload
        #expect(paused?.contains(#""status":"ok","mode":"paused""#) == true)
        #expect(zip(probe.ticks, probe.ticks.dropFirst()).allSatisfy(>), "no duplicates: \(probe.ticks)")
        #expect(try publisher.waitForExit() == .exited(0))

        // All ten thousand were received, and most were refused.
        try waitUntil("the whole flood") {
            sleep(1)
            try probe.askHealth(broker)
            return (probe.health("ok") ?? 0) + (probe.health("error") ?? 0) >= 10_000
        }
        #expect(try #require(probe.health("max_tick_lateness_ms")) < 3000)
        let answers = probe.messages.filter { $0.payload.contains("rate_limited") }.count
        #expect((1...60).contains(answers), "\(answers) refusals were answered; the limit is one a second")
    }

    @Test("executes a command that is delivered twice only once")
    func duplicates() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe.starting(broker)
        for _ in 0..<3 { try MQTTProbe.publish(broker, "timer/lectern/command/toggle", #"{"id":"once"}"#) }
        let answers = try probe.wait(for: "three responses") {
            $0.filter { $0.payload.contains(#""id":"once""#) && $0.topic.hasSuffix("/response") }.count == 3
        }.filter { $0.topic.hasSuffix("/response") && $0.payload.contains("once") }
        #expect(answers.map { $0.payload.contains(#""duplicate":true"#) } == [false, true, true])
        #expect(probe.messages.last { $0.topic == "timer/lectern/mode" }?.payload == "paused")
        #expect(try node.process.terminate() == .exited(0))
    }
}
