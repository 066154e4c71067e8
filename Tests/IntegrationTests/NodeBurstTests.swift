import Foundation
import Testing

/// How a spawned node handles many commands at once.
@Suite("A spawned node in a burst")
struct NodeBurstTests {
    /// The maximum number of groups, with four timers each and long names: 50 kB of JSON.
    private static let title = String(repeating: "x", count: 90)
    private static let timers =
        "["
        + (1...64).map { group in
            "{name: Group \(group), timers: ["
                + (1...4).map { "{name: Talk \($0) \(title), start: 20:00, warning: 5:00, final: 1:00}" }
                .joined(separator: ", ") + "]}"
        }.joined(separator: ", ") + "]"

    // A debug build on a busy machine takes longer for 2,000 edits than the default keep-alive.
    @Test(
        "responds to every one of many edits of a 50 kB model, and keeps its connection",
        arguments: [(100, ""), (2000, ", command_rate: 0, keepalive: 1h")])
    func edits(count: Int, mqtt: String) throws {
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]\(mqtt)}
            timers: {groups: \(Self.timers)}
            """)
        try node.waitForConnection()
        let probe = try MQTTProbe(broker, "timer/lectern/response", "timer/lectern/health")
        // All edits are waiting for the node when it continues.
        node.process.signal(SIGSTOP)
        let edits = (1...count).map { #"{"id":"\#($0)","timer":"50/1","name":"Name \#($0)"}"# }
        try node.write(edits.joined(separator: "\n"), to: "edits")
        let publisher = try ChildProcess(
            shell:
                "exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -t timer/lectern/command/edit -l <\(node.path("edits"))"
        )
        #expect(try publisher.waitForExit() == .exited(0))
        node.process.signal(SIGCONT)

        func responses() -> [String] {
            probe.messages.filter { $0.topic == "timer/lectern/response" }.map(\.payload)
        }
        try waitUntil("\(count) responses", timeout: .seconds(180)) {
            usleep(200_000)
            return responses().count >= count
        }
        let ok = responses().compactMap { $0.firstMatch(of: /^{"id":"(\d+)","command":"edit","status":"ok"/)?.1 }
        let isWhole = ok.map(String.init) == (1...count).map(String.init)
        #expect(isWhole, "\(ok.count) of \(responses().count) are ok")
        node.process.read()
        #expect(!node.process.errors.contains { $0.contains("no connection") }, "\(node.process.errors.suffix(5))")

        let model = try MQTTProbe(broker, "timer/lectern/timers")
        try model.wait(for: "the last edit") { $0.last?.payload.contains(#""name":"Name \#(count)""#) == true }
        #expect(model.messages.last?.payload.utf8.count ?? 0 > 50_000)
    }
}
