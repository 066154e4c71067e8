import Foundation
import Testing

@Suite("A spawned node that records a tape")
struct RecordedNodeTests {
    private let user = MQTTProbe.User(name: "lectern")
    private let environment = ["TIMER_NODE_MQTT_PASSWORD": TestSecrets.password(of: "lectern")]

    private func yaml(_ broker: MosquittoBroker) -> String {
        """
        node: {id: lectern}
        mqtt: {brokers: [\(broker.url)], username: lectern}
        timers: {groups: [{timers: [{name: Panel, start: 60}]}]}
        storage: {directory: FOLDER/state}
        tape: {directory: FOLDER/tape}
        """
    }

    @Test(
        "can be replayed without a difference, with a kill in it; neither the password nor, if wished, names are on it")
    func replay() throws {
        let broker = try MosquittoBroker(users: ["lectern"])
        let node = try SpawnedNode(yaml(broker), environment: environment)
        let probe = try MQTTProbe(broker, "timer/lectern/#", as: user)
        try node.waitForConnection()
        try MQTTProbe.publish(broker, "timer/lectern/command/speaker", #"{"name":"Ada Lovelace"}"#, as: user)
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: user)
        try node.waitForSavedRun()
        // What a crash loses are the turns since the tape was written last, once a second.
        let ticks = { probe.messages.count { $0.topic == "timer/lectern/tick" } }
        try waitUntil("some seconds on the tape") { ticks() > 3 }
        node.process.signal(SIGKILL)
        try node.process.waitForExit()
        try node.restart()
        try node.waitForConnection()
        try MQTTProbe.publish(broker, "timer/lectern/command/stop", "", as: user)
        try node.waitForSavedStop()
        #expect(try node.process.terminate() == .exited(0))

        let whole = try SpawnedNode.run("replay", node.path("tape"))
        #expect(whole.status == .exited(0), "\(whole.output.suffix(20)) \(whole.errors)")
        #expect(whole.output.contains { $0.contains("Ada Lovelace") })
        #expect(whole.output.contains { $0.contains("green on") })
        for file in try FileManager.default.contentsOfDirectory(atPath: node.path("tape")) {
            let bytes = try Data(contentsOf: URL(filePath: node.path("tape/\(file)")))
            #expect(bytes.range(of: Data(TestSecrets.mark.utf8)) == nil, "the password is in \(file)")
            #expect(bytes.range(of: Data("Ada Lovelace".utf8)) != nil)
        }

        let sent = node.path("evening.tape")
        let saved = try SpawnedNode.run("replay", node.path("tape"), "--anonymous", "--save", sent)
        #expect(saved.status == .exited(0), "\(saved.output.suffix(20))")
        let bytes = try Data(contentsOf: URL(filePath: sent))
        for name in ["Ada", "Lovelace", "Panel", "lectern"] {
            #expect(bytes.range(of: Data(name.utf8)) == nil, "\(name) is on the tape")
        }
        #expect(try SpawnedNode.run("replay", sent).status == .exited(0))
    }

    @Test("can be replayed if systemd passed a folder of credentials, but no password")
    func withoutCredential() throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode(
            "node: {id: lectern}\nmqtt: {brokers: [\(broker.url)]}\ntape: {directory: FOLDER/tape}",
            environment: ["CREDENTIALS_DIRECTORY": "/nowhere"])
        try node.waitForConnection()
        #expect(try node.process.terminate() == .exited(0))
        let replay = try SpawnedNode.run("replay", node.path("tape"))
        #expect(replay.status == .exited(0), "\(replay.errors)")
    }

    @Test("runs without a tape where it cannot write one, and says so once")
    func unwritable() throws {
        let broker = try MosquittoBroker(users: ["lectern"])
        // A file stands where the folder should be.
        let node = try SpawnedNode(
            yaml(broker), files: ["tape": "a diary"], environment: environment)
        try node.waitForConnection()
        for _ in 1...2 {
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: user)
            try node.waitForSavedRun()
            try MQTTProbe.publish(broker, "timer/lectern/command/stop", "", as: user)
            try node.waitForSavedStop()
        }
        try node.process.waitForLine("the warning") { $0.contains(node.path("tape")) }
        #expect(try node.process.terminate() == .exited(0))
        #expect(node.process.errors.count { $0.contains("warning") } == 1, "\(node.process.errors)")
        #expect(try String(contentsOfFile: node.path("tape"), encoding: .utf8) == "a diary")
    }

    @Test("is refused with a sentence if it is no tape", arguments: [("", 65), ("a diary", 65), (nil, 74)])
    func foreign(text: String?, status: Int32) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        try text?.write(to: file, atomically: true, encoding: .utf8)
        let replay = try SpawnedNode.run("replay", file.path)
        #expect(replay.status == .exited(status) && replay.output.isEmpty && replay.errors.count == 1)
        #expect(replay.errors.contains { $0.contains(file.path) })
    }
}
