import Foundation
import Testing
import TimerEngine

/// Each fsync takes 0.3 s. Exact times are tested in simulated time.
@Suite("A spawned node with a slow disk")
struct SlowDiskTests {
    private let broker: MosquittoBroker
    private let disk: FaultyDisk
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker()
        disk = try FaultyDisk()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], command_rate: 1000}
            timers: {groups: [{timers: [{name: Talk, start: 1:00}]}]}
            storage: {directory: FOLDER/state}
            """, environment: disk.environment)
        try node.waitForConnection()
        try disk.delay(microseconds: 300_000)
    }

    @Test("pauses at once after 100 edits, keeps the newest state, and stops despite a write in progress")
    func burst() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try probe.wait(for: "countdown", on: "timer/lectern/mode")
        // A single client sends the commands, so they arrive in order.
        let began = ContinuousClock.now
        let edits = try ChildProcess(
            shell: """
                for i in $(seq 100); do echo "{\\"name\\":\\"Talk $i\\"}"; done | \
                mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -l -t timer/lectern/command/edit && \
                exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -m "" -t timer/lectern/command/pause
                """)
        #expect(try edits.waitForExit() == .exited(0))
        try probe.wait(for: "paused", on: "timer/lectern/mode", timeout: .seconds(90))
        // If each edit waited for the disk, this would take a minute.
        #expect(ContinuousClock.now - began < .seconds(40))
        try waitUntil("the newest state") { node.savedState.contains(#""name":"Talk 100""#) }

        try MQTTProbe.publish(broker, "timer/lectern/command/edit", #"{"name":"Last"}"#)
        let asked = ContinuousClock.now
        #expect(try node.process.terminate() == .exited(0))
        #expect(ContinuousClock.now - asked < .seconds(30))
        // A write was in progress, and may have left no time for the last one, so either state is valid.
        #expect(node.savedState.hasPrefix("timer-node-state 1 "))
    }

    /// Waits for the last save after a start, which records what has been announced to Home Assistant.
    private func waitUntilNothingIsSaved() throws {
        try waitUntil("the last state") { node.savedState.contains(#""announced":"#) }
    }

    @Test("exits without saving its last state, and logs that, if the disk takes forever")
    func stopWithHangingDisk() throws {
        try waitUntilNothingIsSaved()
        try disk.delay(microseconds: 60_000_000)
        let before = node.savedState
        let asked = ContinuousClock.now
        #expect(try node.process.terminate() == .exited(0))
        #expect(ContinuousClock.now - asked < .seconds(10))
        #expect(node.process.errors.last?.contains("the disk took longer than 900 ms") == true)
        // The last state follows it, but nothing says that the last state is on the disk.
        #expect(try String(contentsOfFile: node.path("state/state.json"), encoding: .utf8).contains(before))
    }
}
