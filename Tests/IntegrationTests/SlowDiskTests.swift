import Foundation
import Testing
import TimerEngine

/// With 0.3 s for each fsync, of which a save has two. What is exact is tried in simulated time.
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

    @Test("pauses at once behind 100 edits, keeps the newest state, and is kept by no write from stopping")
    func burst() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try probe.wait(for: "countdown", on: "timer/lectern/mode")
        // From one client, in order.
        let began = ContinuousClock.now
        let edits = try ChildProcess(
            shell: """
                for i in $(seq 100); do echo "{\\"name\\":\\"Talk $i\\"}"; done | \
                mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -l -t timer/lectern/command/edit && \
                exec mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -m "" -t timer/lectern/command/pause
                """)
        #expect(try edits.waitForExit() == .exited(0))
        try probe.wait(for: "paused", on: "timer/lectern/mode", timeout: .seconds(90))
        // With the disk in the way it would be a minute.
        #expect(ContinuousClock.now - began < .seconds(40))
        try waitUntil("the newest state") { node.savedState.contains(#""name":"Talk 100""#) }

        try MQTTProbe.publish(broker, "timer/lectern/command/edit", #"{"name":"Last"}"#)
        let asked = ContinuousClock.now
        #expect(try node.process.terminate() == .exited(0))
        #expect(ContinuousClock.now - asked < .seconds(30))
        // One write was under way and took 0.6 s, which leaves no time for the last one: either is a state.
        #expect(node.savedState.hasPrefix("timer-node-state 1 "))
    }

    /// The last save after a start is about what Home Assistant was told.
    private func waitUntilNothingIsSaved() throws {
        try waitUntil("the last state") { node.savedState.contains(#""announced":"#) }
    }

    @Test("leaves without its last state, and says so, where the disk takes forever")
    func stopInVain() throws {
        try waitUntilNothingIsSaved()
        try disk.delay(microseconds: 60_000_000)
        let before = node.savedState
        let asked = ContinuousClock.now
        #expect(try node.process.terminate() == .exited(0))
        #expect(ContinuousClock.now - asked < .seconds(10))
        #expect(node.process.errors.last?.contains("the disk took longer than 900 ms") == true)
        #expect(node.savedState == before)
    }
}
