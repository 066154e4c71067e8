import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    /// Each fsync takes 0.3 s. A save has one, or two if it begins a new file. In simulated time nothing else takes any
    /// time.
    @Suite("A node with a slow disk, on the chip")
    struct SlowDiskInSimulatedTime {
        private let chip: SimulatedChip
        private let broker: MosquittoBroker
        private let disk: FaultyDisk
        private let node: SpawnedNode

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            broker = try MosquittoBroker()
            disk = try FaultyDisk()
            node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], command_rate: 1000}
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                timers: {groups: [{timers: [{name: Talk, start: 9s, warning: 6s, final: 3s}]}]}
                storage: {directory: FOLDER/state}
                """, environment: disk.environment)
            try node.waitForConnection()
            try disk.delay(microseconds: 300_000)
        }

        /// One client that sends a number of `edit` commands, and then one last command.
        private func edits(_ count: Int, every seconds: Double, then last: String) throws -> ChildProcess {
            try ChildProcess(
                shell: """
                    for i in $(seq \(count)); do echo "{\\"name\\":\\"Talk $i\\"}"; [ \(seconds) = 0.0 ] || sleep \(seconds); done | \
                    mosquitto_pub -p \(broker.port) -q 1 -l -t timer/lectern/command/edit
                    exec mosquitto_pub -p \(broker.port) -q 1 -m '' -t timer/lectern/command/\(last)
                    """)
        }

        @Test("lights each lamp and publishes each mode on time, while every edit is saved")
        func onTime() throws {
            let log = try MessageLog(broker, node: "lectern")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }
            let edits = try edits(80, every: 0.1, then: "silence")
            let recording = try ChipRecording(chip, seconds: 11)
            #expect(try edits.waitForExit() == .exited(0))
            #expect(recording.changes.prefix(4).map(\.high) == [["GREEN"], ["YELLOW"], ["RED"], ["RED", "BUZZER"]])
            let warning = try #require(recording.rises(of: "YELLOW").first)
            for (line, after) in [("RED", 3.0), ("BUZZER", 6)] {
                #expect(abs(try #require(recording.rises(of: line).first) - warning - after) < 0.002, "\(line)")
            }
            let modes = try log.messages().filter { $0.topic == "mode" }
            #expect(modes.map(\.payload).suffix(4) == ["countdown", "warning", "final", "alarm"])
            let began = try #require(modes.last { $0.payload == "countdown" }).time
            for (mode, after) in [("warning", 3.0), ("final", 6), ("alarm", 9)] {
                #expect(abs(try #require(modes.last { $0.payload == mode }).time - began - after) < 0.002, "\(mode)")
            }
            // The disk was busy the whole time, but has the newest state in the end.
            try waitUntil("the newest state") { node.savedState.contains(#""name":"Talk 80""#) }
        }

        @Test("executes a pause queued behind 100 edits within 5 ms")
        func command() throws {
            let log = try MessageLog(broker, node: "lectern")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }
            #expect(try edits(100, every: 0, then: "pause").waitForExit() == .exited(0))
            try waitUntil("the pause") { try log.messages().contains { $0.topic == "mode" && $0.payload == "paused" } }
            let messages = try log.messages()
            let asked = try #require(messages.last { $0.topic == "pause" }).time
            let done = try #require(messages.last { $0.topic == "mode" }).time
            #expect(done - asked < 0.005, "after \(done - asked) s")
            try waitUntil("the newest state") { node.savedState.contains(#""name":"Talk 100""#) }
        }

        @Test("stops within a second, dark at once, whatever is being written", arguments: [0, 100, 350, 590])
        func stop(milliseconds: UInt32) throws {
            try waitUntil("the first state") { node.savedState.hasPrefix("timer-node-state 1 ") }
            sleep(1)
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }
            usleep(milliseconds * 1000)
            let asked = bootTime()
            node.process.signal(SIGTERM)
            // Polls more often than by default, because of the limit of 20 ms.
            try waitUntil("darkness", pause: { usleep(5_000) }) { try chip.highLines().isEmpty }
            #expect(asked.duration(to: bootTime()) < .milliseconds(20))
            #expect(try node.process.waitForExit() == .exited(0))
            #expect(asked.duration(to: bootTime()) < .seconds(1))
            // Even if the start is still on its way to the disk, there is time to save the last state after it.
            #expect(!node.process.errors.contains { $0.contains("the last state was not saved") })
            #expect(node.savedState.contains(#""started_at""#))
        }
    }
}
