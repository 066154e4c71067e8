import Foundation
import Testing

@Suite("A spawned node whose broker accepts only small packets")
struct TooLargeTests {
    @Test("logs a message that it cannot publish once, counts it in its health, and keeps running")
    func tooLarge() throws {
        let broker = try MosquittoBroker(settings: ["max_packet_size 1500"])
        let timers = (1...12).map { "{timers: [{name: Talk \($0), start: 5:00}]}" }.joined(separator: ", ")
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [\(timers)]}
            """)
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        // Each edit would publish the model again.
        for number in 1...3 {
            try MQTTProbe.publish(broker, "timer/lectern/command/edit", #"{"id":"\#(number)","name":"N \#(number)"}"#)
        }
        try probe.wait(for: "three responses") { $0.filter { $0.topic == "timer/lectern/response" }.count == 3 }
        let state = probe.messages.last { $0.topic == "timer/lectern/state" }
        #expect(state?.payload.contains(#""name":"N 3""#) == true, "messages within the limit are published")
        // One on connecting, one for each of three edits, and one for each request, which the next health reports.
        try waitUntil("the count") {
            try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
            usleep(100_000)
            let health = probe.messages.last { $0.topic == "timer/lectern/health" }?.payload
            let dropped = health?.firstMatch(of: /"dropped":(\d+)/).flatMap { Int($0.1) } ?? 0
            return dropped >= 5
        }
        #expect(!probe.messages.contains { $0.topic == "timer/lectern/timers" })
        node.process.read()
        let said = node.process.errors.filter { $0.contains("timer/lectern/timers") }
        #expect(said.count == 1, "\(said)")
        let words = /warning: not published: timer\/lectern\/timers is \d{4} bytes, .* at most 1500 bytes/
        #expect(said.first?.contains(words) == true, "\(said)")
        #expect(!node.process.errors.contains { $0.contains("no connection") })
    }

    @Test("uses no more memory for a larger message than its unit allows, and reconnects")
    func limit() throws {
        let unit = try String(contentsOfFile: "config/timer-node.service", encoding: .utf8)
        let megabytes = try #require(unit.firstMatch(of: /LimitDATA=(\d+)M/).flatMap { Int($0.1) })
        let broker = try MosquittoBroker()
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], protocol: 3.1.1}
            """, under: ["prlimit", "--data=\(megabytes << 20)"])
        try node.waitForConnection()
        let file = node.path("large")
        #expect(FileManager.default.createFile(atPath: file, contents: Data(count: 200 << 20)))
        let arguments = ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "timer/lectern/command/start", "-f", file]
        #expect(try ChildProcess("mosquitto_pub", arguments).waitForExit() == .exited(0))
        try node.process.waitForLine("the end of the connection") { $0.contains("no connection to") }
        let probe = try MQTTProbe(broker, "timer/lectern/response")
        try waitUntil("a response") {
            try MQTTProbe.publish(broker, "timer/lectern/command/stop", "")
            return !probe.messages.isEmpty
        }
        let status = try String(contentsOfFile: "/proc/\(node.process.pid)/status", encoding: .utf8)
        let most = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
        #expect(most < (megabytes + 32) << 10, "\(most) kB")
    }
}
