import Foundation
import TestSupport
import Testing
import TimerEngine

extension InSimulatedTime {
    /// These tests use no broker, since mosquitto would wake ten times a second. Buttons drive the node, and the tests
    /// check the lamps.
    @Suite("A node on the chip that is killed")
    struct CrashOnChip {
        let chip: SimulatedChip
        let node: SpawnedNode

        init() throws {
            chip = try #require(SimulatedChip.current)
            // A line that no process drives is high, so the node must hold the line of a dark lamp.
            for line in SimulatedChip.lineNames + ["6"] { try chip.setPull(.up, of: line) }
            node = try SpawnedNode(Self.configuration())
        }

        private static func configuration(afterReboot: String = "pause") -> String {
            """
            node: {id: lectern}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
              buttons:
                - {line: BUTTON, active_low: true, debounce: 0s, press: start 1/1}
                - {line: "6", active_low: true, debounce: 0s, press: stop}
            timers: {groups: [{timers: [{name: Talk, start: 10s, warning: 6s, final: 3s}]}]}
            storage: {directory: FOLDER/state, after_reboot: \(afterReboot)}
            """
        }

        /// The outputs that are lit.
        private func lit() throws -> Set<String> { try chip.highLines().subtracting(["BUTTON"]) }

        /// Holds a button down until exactly these lamps are lit, and returns the time at which they lit.
        private func press(_ line: String, until lamps: Set<String>) throws -> Instant {
            try chip.setPull(.down, of: line)
            // The kernel's simulator reports an edge at its next tick, up to 10 ms later.
            let limit = bootTime() + .seconds(1)
            while try lit() != lamps, bootTime() < limit { usleep(500) }
            let instant = bootTime()
            try chip.setPull(.up, of: line)
            try #require(try lit() == lamps)
            return instant
        }

        /// Starts a run and returns the time at which it began.
        private func start() throws -> Instant {
            let began = try press("BUTTON", until: ["GREEN"])
            try node.waitForSavedRun()
            return began
        }

        private func kill() throws {
            node.process.signal(SIGKILL)
            try node.process.waitForExit()
            #expect(try lit() == ["GREEN", "YELLOW", "RED", "BUZZER"], "no process holds the lines")
        }

        private func stop() throws {
            _ = try press("6", until: [])
            try node.waitForSavedStop()
        }

        @Test(
            "100 times at random during a run, and restarted at once, shows the right lamp and each alarm on time"
        )
        func kills() throws {
            var random = SeededGenerator(printedFor: "CrashOnChip.kills")
            for round in 0..<100 {
                let began = try start()
                // A random moment between the start, when the run has been saved, and just before the alarm.
                usleep(.random(in: 0..<9_900_000, using: &random))
                try kill()
                try node.restart()
                let left = 10 - began.duration(to: bootTime()).inSeconds
                // The test may have seen the beginning up to half a millisecond late.
                let due = [left, left - 0.000_5].map { $0 > 6 ? "GREEN" : $0 > 3 ? "YELLOW" : "RED" }
                #expect(due.map { [$0] }.contains(try lit()), "round \(round), \(left) s left")
                sleep(until: began + .milliseconds(9980))
                #expect(try lit() == ["RED"], "round \(round), before the alarm")
                sleep(until: began + .milliseconds(10020))
                #expect(try lit() == ["RED", "BUZZER"], "round \(round), after the alarm")
                try stop()
            }
        }

        @Test(
            "lights the right lamp in the same call that acquires the lines",
            arguments: [(1.0, [0]), (5, [1]), (8, [2]), (10.9, [2, 3])] as [(Double, Set<UInt32>)])
        func firstLevels(after seconds: Double, lit lines: Set<UInt32>) throws {
            let began = try start()
            sleep(until: began + .seconds(seconds))
            try kill()
            let calls = "/dev/shm/calls-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: calls) }
            try node.restart(
                under: ["strace", "-D", "-qq", "-v", "-e", "trace=ioctl", "-e", "signal=none", "-o", calls])
            #expect(try node.process.terminate() == .exited(0))
            let trace = LineTrace(try String(contentsOfFile: calls, encoding: .utf8).components(separatedBy: "\n"))
            #expect(trace.first == Dictionary(uniqueKeysWithValues: (0...3).map { ($0, lines.contains($0)) }))
        }

        @Test(
            "and still down at the deadline catches up with an alarm up to a minute old, but is stopped after that",
            arguments: [(15, ["RED", "BUZZER"]), (40, ["RED"]), (69, ["RED"]), (71, [])] as [(Int, Set<String>)])
        func down(until seconds: Int, lit lamps: Set<String>) throws {
            let began = try start()
            sleep(until: began + .seconds(5))
            try kill()
            sleep(until: began + .seconds(seconds))
            try node.restart()
            // The alarm flashes; its sound ends ten seconds after the deadline, even if the node was down for part of
            // that time.
            let changes = try ChipRecording(chip, seconds: 2).changes.map { $0.high.subtracting(["BUTTON"]) }
            #expect(Set(changes) == [lamps, []])
            #expect(
                node.process.errors.contains { $0.contains("the run ended while the node was down") } == lamps.isEmpty)
        }

        @Test(
            "and restarted after a reboot of the machine follows after_reboot",
            arguments: [("pause", ["YELLOW"]), ("resume", ["RED"]), ("stop", [])] as [(String, Set<String>)])
        func reboot(policy: String, lit lamps: Set<String>) throws {
            let began = try start()
            sleep(until: began + .seconds(6))
            // The node may be killed before or after it has read this file, but the next process reads it anyway.
            try node.reload(Self.configuration(afterReboot: policy))
            try kill()
            let file = "/run/boot_id"
            try UUID().uuidString.lowercased().write(toFile: file, atomically: false, encoding: .utf8)
            try #require(Shell.run("mount --bind \(file) /proc/sys/kernel/random/boot_id").status == 0)
            defer { _ = try? Shell.run("umount /proc/sys/kernel/random/boot_id") }
            sleep(until: began + .milliseconds(7500))
            try node.restart()
            // The lamp of a paused run is dark for 1.5 s of every 2 s; that of a resumed run is lit continuously.
            let changes = try ChipRecording(chip, seconds: 2.2).changes.map { $0.high.subtracting(["BUTTON"]) }
            #expect(Set(changes) == (policy == "resume" ? [lamps] : [lamps, []]))
        }
    }
}
