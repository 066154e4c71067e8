import Foundation
import Testing

/// What clients print of a node that a stranger plays, whose texts have what a terminal obeys.
@Suite("Control characters of a stranger's node")
struct ControlCharacterTests {
    private static let evil = "\u{9B}31mX\u{7F}\u{80}\u{9F}"

    private let broker: MosquittoBroker
    /// The last of what a real node has published, by its topics, with the stranger's texts.
    private let payloads: [String: String]

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
        try probe.wait(for: "the speaker") { $0.contains { $0.topic.hasSuffix("/state") && $0.payload.contains("XX") } }
        #expect(try node.process.terminate() == .exited(0))
        var payloads: [String: String] = [:]
        for message in probe.messages where !message.topic.contains("/command/") && !message.payload.isEmpty {
            payloads[message.topic] = message.payload.replacing("XX", with: Self.evil).replacing("S1", with: Self.evil)
        }
        self.payloads = payloads
        for topic in ["state", "timers", "agenda", "health", "message"] {
            try MQTTProbe.publish(
                broker, "timer/lectern/\(topic)", try #require(payloads["timer/lectern/\(topic)"]), retain: true)
        }
        try MQTTProbe.publish(broker, "timer/lectern/availability", "online", retain: true)
    }

    @Test(
        "reach no terminal, and are escaped where programs read them",
        arguments: [
            ["timers", "export", "lectern", "-"], ["timers", "export", "lectern", "-", "--json"],
            ["agenda", "export", "lectern", "-"], ["agenda", "export", "lectern", "-", "--json"],
            ["nodes", "--json"], ["nodes"], ["report", "lectern", "--json"], ["report", "lectern"],
            ["report", "lectern", "--csv"], ["send", "lectern", "runs", "--json"], ["send", "lectern", "runs"],
        ])
    func output(arguments: [String]) throws {
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
        #expect(try process.waitForExit() == .exited(0), "\(process.errors)")
        let text = (process.output + process.errors).joined(separator: "\n")
        let controls = text.unicodeScalars.filter {
            $0.properties.generalCategory == .control && !"\r\n".unicodeScalars.contains($0)
        }
        #expect(controls.isEmpty, "\(text.debugDescription)")
        let isForPrograms = arguments.contains("--json") || arguments.contains("export")
        #expect(text.contains(isForPrograms ? #"\u009b31mX\u007f\u0080\u009f"# : " 31mX"), "\(text)")
    }
}
