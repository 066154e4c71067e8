import Foundation
import Testing

@Suite("A saved state that a spawned node finds")
struct SavedStateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    private func yaml(_ start: String = "1:30", mqtt: String = "") -> String {
        """
        node: {id: lectern}
        \(mqtt)
        timers: {groups: [{timers: [{name: Talk, start: \(start)}]}]}
        storage: {directory: \(folder.path)}
        """
    }

    private func files(_ beginning: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(beginning) }.sorted()
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    @Test(
        "but cannot use is set aside unchanged, with one warning, and never overwritten",
        arguments: [
            ("timer-node-state 1 cbf43926\n{\"boot\":\"a", "damaged"), ("timer-node-state 2 x\nnews", "version 2"),
            ("# a diary\n", "not written by timer-node"), ("", "not written by timer-node"),
        ])
    func unusable(content: String, reason: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for round in 1...2 {
            try content.write(to: folder.appending(path: "state.json"), atomically: true, encoding: .utf8)
            let node = try SpawnedNode(yaml())
            try waitUntil("the new state") { (try? text("state.json"))?.hasPrefix("timer-node-state 1 ") == true }
            #expect(try node.process.terminate() == .exited(0))
            #expect(node.process.errors.count { $0.contains("warning") } == 1, "\(node.process.errors)")
            let outcome = "kept the old file as \(folder.path)/"
            #expect(node.process.errors.contains { $0.contains(reason) && $0.contains(outcome) })
            let kept = try files("state.json.set-aside-")
            #expect(kept.count == round)
            #expect(try kept.allSatisfy { try text($0) == content })
        }
    }

    @Test("with edits gives way to the file's timers once they change; the edits are kept and can be sent again")
    func edits() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let broker = try MosquittoBroker()
        let mqtt = "mqtt: {brokers: [\(broker.url)]}"
        let start = { (probe: MQTTProbe) in
            let state = probe.messages.last { $0.topic == "timer/lectern/state" }?.payload
            return state?.firstMatch(of: /"start":(\d+)/).flatMap { Int($0.1) }
        }
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        let node = try SpawnedNode(yaml(mqtt: mqtt))
        try node.waitForConnection()
        try MQTTProbe.publish(broker, "timer/lectern/command/edit", #"{"start":30}"#)
        try waitUntil("the edit") { start(probe) == 30 && (try? text("state.json"))?.contains(#""start":30"#) == true }
        node.process.signal(SIGKILL)
        try node.process.waitForExit()
        let states = { probe.messages.count { $0.topic == "timer/lectern/state" } }
        let before = states()
        try node.restart()
        try waitUntil("a state of the next node") { states() > before }
        #expect(start(probe) == 30, "the edits are kept")
        #expect(try node.process.terminate() == .exited(0))

        try node.write(yaml("2:00", mqtt: mqtt), to: "timer-node.yaml")
        try node.restart()
        try waitUntil("the file's timers") { start(probe) == 120 }
        try node.process.waitForLine("the warning") {
            $0.contains("kept the edits as \(folder.path)/timers.")
        }
        let kept = try files("timers.set-aside-")
        #expect(kept.count == 1)
        try MQTTProbe.publish(broker, "timer/lectern/command/timers", try text(try #require(kept.first)))
        try waitUntil("the edits again") { start(probe) == 30 }
        #expect(try node.process.terminate() == .exited(0))
    }
}
