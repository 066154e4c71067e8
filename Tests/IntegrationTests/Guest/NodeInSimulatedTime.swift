import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    /// Checks each second exactly, with a well-behaved real broker and with faulty brokers and messages.
    @Suite("A spawned node counts")
    struct NodeInSimulatedTime {
        /// Waits for the lamps of a run that has just been started. Each lamp must light on its second.
        private func apply(_ node: SpawnedNode, _ lamps: [(lit: String, after: Double)]) throws {
            try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
            let began = bootTime()
            for (lit, after) in lamps {
                try node.process.waitForLine(lit, timeout: .seconds(60)) { $0.hasPrefix("\(lit)  ") }
                let seen = began.duration(to: bootTime()).inSeconds
                #expect(abs(seen - after) < 0.02, "\(lit) came after \(seen) s, expected \(after)")
            }
        }

        @Test("each second of a talk, and each mode on its second")
        func talk() throws {
            let progress = try NodeTests.playTalk().filter { ["tick", "mode"].contains($0.topic.dropFirst(14)) }
            #expect(progress.map(\.payload) == ["stopped", "countdown", "3", "2", "warning", "1", "0", "alarm"])
        }

        @Test("with a broker that hangs, which the keep-alive detects")
        func frozen() throws {
            let broker = try MosquittoBroker()
            let node = try SpawnedNode(
                "14s", warning: "11s", final: "5s", brokers: broker.url, mqtt: ", keepalive: 5s")
            _ = try MQTTProbe.starting(broker)
            try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
            broker.freeze()
            defer { broker.thaw() }
            try apply(node, [("yellow", 3), ("red", 9), ("red + buzzer", 14)])
            try node.process.waitForLine("the loss", timeout: .seconds(60)) {
                $0.contains("is not responding: nothing arrived within the keep-alive")
            }
            broker.thaw()
            let after = try MQTTProbe(broker, "timer/lectern/mode")
            try after.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(120))
        }

        @Test("while connections hang, one in TCP and one waiting for CONNACK")
        func hanging() throws {
            let broker = try MosquittoBroker()
            let (swallowing, silent) = (try TCPListener(isFull: true), try TCPListener())
            let hanging = [swallowing, silent].map { "mqtt://127.0.0.1:\($0.port)" }
            let node = try SpawnedNode(
                "28s", warning: "26s", final: "13s", brokers: ([broker.url] + hanging).joined(separator: ", "))
            _ = try MQTTProbe.starting(broker)
            try node.process.waitForLine("green") { $0.hasPrefix("green  ") }
            try broker.kill()
            try apply(node, [("yellow", 2), ("red", 15), ("red + buzzer", 28)])
            for url in hanging {
                try node.process.waitForLine("the timeout", timeout: .seconds(60)) {
                    $0.contains("no connection to \(url): no CONNACK within 10 s")
                }
            }
            try broker.restart()
            let after = try MQTTProbe(broker, "timer/lectern/mode")
            try after.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(180))
        }

        @Test("through invalid payloads, refusing each once")
        func payloads() throws {
            let broker = try MosquittoBroker()
            let node = try SpawnedNode("5s", brokers: broker.url)
            let probe = try MQTTProbe.starting(broker)
            for payload in NodeFaultTests.payloads {
                let process = try ChildProcess("sh", ["-c", payload.publishing(to: broker)])
                try #require(try process.waitForExit() == .exited(0), "\(payload.testDescription)")
            }
            try probe.wait(for: "the alarm") { $0.contains { $0.payload == "alarm" } }
            #expect(probe.ticks == Array((0...5).reversed()))
            try probe.askHealth(broker)
            #expect(NodeFaultTests.codes(probe.messages) == NodeFaultTests.payloads.compactMap(\.code))
            #expect(try #require(probe.health("max_tick_lateness_ms")) <= 2)
            #expect(probe.health("reconnects") == 0)
            #expect(node.lamps.contains("red + buzzer"))
        }
    }
}
