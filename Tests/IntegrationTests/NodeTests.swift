import Foundation
import Testing

@Suite("A spawned node on a real broker")
struct NodeTests {
    @Test("runs a talk: commands in, topics out")
    func talk() throws {
        let modes = try Self.playTalk().filter { $0.topic == "timer/lectern/mode" }.map(\.payload)
        #expect(modes == ["stopped", "countdown", "warning", "alarm"])
    }

    /// Plays a talk of three seconds, checks everything that does not depend on the machine's load, and returns all
    /// messages.
    static func playTalk() throws -> [MQTTProbe.Message] {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("3s", warning: "2s", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "stopped", on: "timer/lectern/mode")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", #"{"id":"a"}"#)
        let messages = try probe.wait(for: "the alarm") { $0.contains { $0.payload == "alarm" } }
        try node.process.waitForLine("the alarm") { $0.hasPrefix("red + buzzer") }

        let progress = messages.filter { ["timer/lectern/tick", "timer/lectern/mode"].contains($0.topic) }
        #expect(progress.filter { $0.topic.hasSuffix("tick") }.allSatisfy { !$0.retained && $0.qos == 0 })
        #expect(progress.filter { $0.topic.hasSuffix("mode") }.allSatisfy { $0.retained && $0.qos == 1 })
        let response = try #require(messages.first { $0.topic == "timer/lectern/response" })
        #expect(response.payload == #"{"id":"a","command":"start","status":"ok","mode":"countdown","remaining":3}"#)
        #expect(Array(node.lamps.prefix(4)) == ["dark", "green", "yellow", "red + buzzer"])
        try MQTTProbe.publish(broker, "timer/lectern/command/stop", "")
        try probe.wait(for: "the stop") { $0.last { $0.topic == "timer/lectern/mode" }?.payload == "stopped" }
        return messages
    }

    @Test("pauses, resumes and toggles, and responds on the MQTT 5 response topic")
    func pauses() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/#", "me/#")
        for (number, (verb, mode)) in [
            ("toggle", "countdown"), ("pause", "paused"), ("resume", "countdown"), ("toggle", "paused"),
        ].enumerated() {
            try MQTTProbe.publish(
                broker, "timer/lectern/command/\(verb)", "", responseTopic: "me/\(number)", correlationData: verb)
            let messages = try probe.wait(for: "a response to \(verb)") { $0.contains { $0.topic == "me/\(number)" } }
            let answer = messages.first { $0.topic == "me/\(number)" }
            #expect(answer?.payload.contains(#""mode":"\#(mode)""#) == true)
            #expect(answer?.correlationData == verb)
        }
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("is reported offline by its will when it is killed", arguments: [3, 5])
    func will(version: Int) throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode(
            "1:00", brokers: broker.url, mqtt: ", protocol: \(version == 3 ? "3.1.1" : "5")")
        let probe = try MQTTProbe(broker, "timer/lectern/availability")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        node.process.signal(SIGKILL)
        #expect(try probe.wait(for: "offline", on: "timer/lectern/availability").retained)
    }

    @Test("publishes offline and goes dark on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
    func stop(signal: Int32) throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try node.process.waitForLine("green") { $0.hasPrefix("green") }
        node.process.signal(signal)
        #expect(try node.process.waitForExit() == .exited(0))
        #expect(node.lamps.last == "dark")
        try probe.wait(for: "offline", on: "timer/lectern/availability")
    }

    @Test("keeps counting while the broker is gone, and then publishes the current state")
    func brokerKilled() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("3s", warning: "2s", brokers: broker.url)
        let before = try MQTTProbe(broker, "timer/#")
        try before.wait(for: "stopped", on: "timer/lectern/mode")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try node.process.waitForLine("green") { $0.hasPrefix("green") }
        try broker.kill()
        try node.process.waitForLine("yellow") { $0.hasPrefix("yellow") }
        try node.process.waitForLine("the alarm") { $0.hasPrefix("red + buzzer") }
        // Without persistence, the broker has forgotten everything.
        try broker.restart()
        let after = try MQTTProbe(broker, "timer/#")
        try after.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(120))
        try after.wait(for: "online", on: "timer/lectern/availability")
        try after.wait(for: "the state") {
            $0.contains { $0.topic == "timer/lectern/state" && $0.payload.contains(#""mode":"alarm""#) }
        }
        #expect(!after.messages.contains { $0.topic == "timer/lectern/tick" })
        // The node executes commands again, so it has subscribed.
        try MQTTProbe.publish(broker, "timer/lectern/command/stop", "")
        try after.wait(for: "stopped", on: "timer/lectern/mode")
    }

    @Test("finds a broker that starts later, listed after one with an unknown name and one that refuses")
    func lateBroker() throws {
        let broker = try MosquittoBroker()
        try broker.stop()
        let refusing = "mqtt://127.0.0.1:\(try freePort())"
        let node = try SpawnedNode(
            "1:00", brokers: "mqtt://no-such-host.invalid, \(refusing), \(broker.url)")
        try node.process.waitForLine("the unknown host") { $0.contains("no-such-host.invalid") }
        try broker.restart()
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability", timeout: .seconds(120))
    }

    @Test("refuses retained commands in 3.1.1 as well, although they arrive when the node subscribes")
    func retainedInOlderProtocol() throws {
        let broker = try MosquittoBroker()
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "{}", retain: true)
        let probe = try MQTTProbe(broker, "timer/#")
        let node = try SpawnedNode("1:00", brokers: broker.url, mqtt: ", protocol: 3.1.1")
        try probe.wait(for: "the refusal") { $0.contains { $0.payload.contains(#""code":"retained""#) } }
        #expect(probe.messages.filter { $0.topic.hasSuffix("/mode") }.map(\.payload) == ["stopped"])
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try probe.wait(for: "countdown", on: "timer/lectern/mode")
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("does not execute commands that were sent while it was away", arguments: ["5", "3.1.1"])
    func away(version: String) throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url, mqtt: ", protocol: \(version)")
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        node.process.signal(SIGKILL)
        try node.process.waitForExit()
        try probe.wait(for: "offline", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", #"{"id":"late"}"#)
        try node.restart()
        try probe.wait(for: "the second connection") { $0.count { $0.payload == "online" } == 2 }
        try MQTTProbe.publish(broker, "timer/lectern/command/state", #"{"id":"now"}"#)
        let messages = try probe.wait(for: "a response") { $0.contains { $0.payload.contains(#""command":"state""#) } }
        #expect(!messages.contains { $0.topic == "timer/lectern/response" && $0.payload.contains("late") })
        #expect(messages.last { $0.topic == "timer/lectern/mode" }?.payload == "stopped")
    }

    @Test("refuses a command that was sent with the retain flag, and does nothing at the next start")
    func retainedCommand() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("1:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "", retain: false)
        try MQTTProbe.publish(broker, "timer/lectern/command/stop", "{}", retain: true)
        try probe.wait(for: "the refusal") { $0.contains { $0.payload.contains(#""code":"retained""#) } }
        #expect(try node.process.terminate() == .exited(0))
        try node.restart()
        try probe.wait(for: "the second connection") { $0.count { $0.payload == "online" } == 2 }
        try MQTTProbe.publish(broker, "timer/lectern/command/state", "")
        try probe.wait(for: "the response") { $0.contains { $0.payload.contains(#""command":"state""#) } }
        #expect(probe.messages.last { $0.topic == "timer/lectern/mode" }?.payload == "countdown")
    }

    @Test("continues as if nothing had happened when it is killed and restarted")
    func crash() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode("20:00", warning: "5:00", brokers: broker.url)
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        let state = try probe.wait(for: "the state") { $0.contains { $0.payload.contains(#""mode":"countdown""#) } }
        let endsAt = { (message: String) in
            message.firstMatch(of: /"ends_at":"([^"]*)"/).map { String($0.1) }
        }
        let promised = try #require(state.compactMap { endsAt($0.payload) }.first)
        try node.waitForSavedRun()
        node.process.signal(SIGKILL)
        try node.process.waitForExit()
        try node.restart()
        try node.process.waitForLine("green at once") { $0.hasPrefix("green") }
        try probe.wait(for: "a state of the next node") { messages in
            let again = messages.lastIndex { $0.topic == "timer/lectern/availability" && $0.payload == "online" } ?? 0
            return messages.count { $0.payload == "online" } == 2
                && messages[again...].contains { endsAt($0.payload) != nil }
        }
        let ends = Set(probe.messages.compactMap { endsAt($0.payload) })
        #expect(ends.allSatisfy { abs(milliseconds($0) - milliseconds(promised)) <= 2 }, "\(ends)")
    }

    @Test("warns of a time zone that this system does not have, though another system may")
    func zones() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let meeting = #"{name: a, day: tue, at: "19:00", for: 2h"#
        try "agenda: {zone: Europe/Berlin, meetings: [\(meeting)}, \(meeting), zone: Europe/Berlni}]}"
            .write(to: file, atomically: true, encoding: .utf8)
        let check = try SpawnedNode.run("check", file.path)
        #expect(check.status == .exited(0))
        #expect(check.output == ["\(file.path): valid"])
        #expect(check.errors.count == 1)
        #expect(check.errors.first?.contains(#"warning: agenda: this system has no time zone "Europe/Berlni""#) == true)
    }

    @Test(
        "does not start if its configuration is invalid, and reports each error's line", arguments: ["run", "check"])
    func faultyConfiguration(verb: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "node: {id: Lectern}\nmqtt:\n  brokers: [mqtt://a]\n  keepalive: soon\n".write(
            to: file, atomically: true, encoding: .utf8)
        let result = try SpawnedNode.run(verb, verb == "run" ? "--config=\(file.path)" : file.path)
        #expect(result.status == .exited(78))
        #expect(result.errors.count == 2)
        #expect(result.errors.first?.contains(".yaml:1: node.id: found \"Lectern\"") == true)
        #expect(result.errors.last?.contains(".yaml:4: mqtt.keepalive: found \"soon\"") == true)
        #expect(try SpawnedNode.run("check", "/no/such/file").status == .exited(74))
    }

    private func milliseconds(_ date: String) -> Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return ((try? style.parse(date))?.timeIntervalSince1970 ?? 0) * 1000
    }
}
