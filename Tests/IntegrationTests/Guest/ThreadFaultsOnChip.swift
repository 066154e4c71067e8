import Foundation
import Testing

extension InSimulatedTime {
    /// A fault in a thread other than the one that drives the lamps: in the C library, OpenSSL or libmosquitto.
    @Suite("A node on the chip with a fault in a helper thread")
    struct ThreadFaultsOnChip {
        @Test("sets the safe values before the fault ends it", arguments: FaultyDisk.Fault.allCases)
        func dark(fault: FaultyDisk.Fault) throws {
            let chip = try #require(SimulatedChip.current)
            // With a pull-up, a line that no process drives reads high, so a line that is low is driven.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let broker = try MosquittoBroker()
            let disk = try FaultyDisk()
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)]}
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                timers: {groups: [{timers: [{name: Talk, start: 1:00}]}]}
                storage: {directory: FOLDER/state}
                """, environment: disk.environment)
            #expect(try node.process.terminate() == .exited(0))
            let file = "/dev/shm/calls-\(fault)"
            defer { try? FileManager.default.removeItem(atPath: file) }
            try node.restart(
                under: ["strace", "-D", "-f", "-qq", "-v", "-e", "trace=ioctl", "-e", "signal=none", "-o", file])
            try node.waitForConnection()
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("only green") { try chip.highLines() == ["GREEN", "BUTTON"] }
            try node.waitForSavedRun()
            try disk.fault(fault)
            // The next save is written by a separate thread.
            try MQTTProbe.publish(broker, "timer/lectern/command/edit", #"{"name":"Another"}"#)
            #expect(try node.process.waitForExit() == .signalled(fault.signal))
            let trace = LineTrace(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n"))
            #expect(trace.writes.compactMap { $0[0] } == [true, false], "green went on, then off")
            #expect(trace.lit.isEmpty)
        }
    }
}
