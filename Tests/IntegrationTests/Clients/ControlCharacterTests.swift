import Foundation
import Testing

/// The output of clients of a hostile node, whose strings contain characters that control a terminal.
@Suite("Control characters of a hostile node")
struct ControlCharacterTests {
    private static let commands = [
        ["timers", "export", "lectern", "-"], ["timers", "export", "lectern", "-", "--json"],
        ["agenda", "export", "lectern", "-"], ["agenda", "export", "lectern", "-", "--json"],
        ["nodes", "--json"], ["nodes"], ["report", "lectern", "--json"], ["report", "lectern"],
        ["report", "lectern", "--csv"], ["send", "lectern", "runs", "--json"], ["send", "lectern", "runs"],
    ]

    /// The topics that the commands read.
    private static let topics = ["state", "timers", "agenda", "health", "message"]

    private let broker: MosquittoBroker
    /// The last payloads of a real node, by topic, with XX and S1 as placeholders for the hostile strings.
    private let published: [String: String]

    init() throws {
        let broker = try MosquittoBroker()
        self.broker = broker
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: XX, timers: [{name: XX, start: 20:00, event: XX}]}]}
            agenda: {zone: Europe/Berlin, meetings: [{name: XX, day: tue, at: "19:00", for: 2h, note: XX}]}
            storage: {directory: FOLDER}
            """, files: ["runs.json": try PastRuns.file(1)])
        try node.waitForConnection()
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        for (verb, argument) in [("message", #"{"text":"XX"}"#), ("speaker", #"{"speaker":"XX"}"#), ("runs", "{}")] {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", argument)
        }
        try probe.wait(for: "the runs") { $0.contains { $0.topic.hasSuffix("/response") && $0.payload.contains("S1") } }
        // The node publishes its agenda only once it has read the time zone.
        try probe.wait(for: "all topics") { messages in
            Self.topics.allSatisfy { topic in
                messages.contains {
                    $0.topic == "timer/lectern/\(topic)" && (topic == "health" || $0.payload.contains("XX"))
                }
            }
        }
        #expect(try node.process.terminate() == .exited(0))
        var payloads: [String: String] = [:]
        for message in probe.messages where !message.topic.contains("/command/") && !message.payload.isEmpty {
            payloads[message.topic] = message.payload
        }
        published = payloads
    }

    /// Publishes the node's payloads with hostile strings, and runs a command that reads them.
    ///
    /// - Returns: the exit status of the command, and its output.
    private func run(
        _ arguments: [String], hearing evil: String
    ) throws -> (status: ChildProcess.ExitStatus, text: String) {
        let payloads = published.mapValues { $0.replacing("XX", with: evil).replacing("S1", with: evil) }
        for topic in Self.topics {
            try MQTTProbe.publish(
                broker, "timer/lectern/\(topic)", try #require(payloads["timer/lectern/\(topic)"]), retain: true)
        }
        try MQTTProbe.publish(broker, "timer/lectern/availability", "online", retain: true)
        let questions = try MQTTProbe(broker, "timer/lectern/command/runs")
        let process = try ChildProcess(
            try SpawnedNode.program, arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
        var answered = false
        try process.wait(for: "the end of \(arguments)") {
            if !answered, let question = questions.messages.first {
                let id = try #require(question.payload.firstMatch(of: /"id":"([^"]*)"/)).1
                let answer = try #require(payloads["timer/lectern/response"])
                try MQTTProbe.publish(
                    broker, "timer/lectern/response",
                    answer.replacing(#/"id":null/#, with: #""id":"\#(id)""#, maxReplacements: 1))
                answered = true
            }
            return process.exitStatus() != nil
        }
        let status = try process.waitForExit()
        let text = (process.output + process.errors).joined(separator: "\n")
        let driving = text.unicodeScalars.filter {
            let isControl = $0.properties.generalCategory == .control && !"\r\n".unicodeScalars.contains($0)
            return isControl || $0.properties.isBidiControl
        }
        #expect(driving.isEmpty, "\(text.debugDescription)")
        return (status, text)
    }

    @Test("never reach a terminal, because a message that contains one is rejected", arguments: commands)
    func controls(arguments: [String]) throws {
        #expect(try !run(arguments, hearing: "\u{9B}31mX\u{7F}\u{80}\u{9F}").text.contains("31mX"))
    }

    @Test("that change the direction of text are escaped", arguments: commands)
    func directions(arguments: [String]) throws {
        let (status, text) = try run(arguments, hearing: "X\u{202E}Y\u{2066}Z\u{200F}")
        #expect(status == .exited(0))
        let isForPrograms = arguments.contains("--json") || arguments.contains("export")
        let escaped = isForPrograms ? #"X\u202eY\u2066Z\u200f"# : #"X\u{202E}Y\u{2066}Z\u{200F}"#
        #expect(text.contains(arguments.contains("--csv") ? "X Y Z" : escaped), "\(text)")
    }
}
