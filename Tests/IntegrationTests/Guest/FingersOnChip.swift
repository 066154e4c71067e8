import Foundation
import Testing

extension InSimulatedTime {
    /// The buzzer shows which gesture was detected: each one is bound to a different pattern.
    @Suite("Fingers on the buttons of a spawned node that has no broker")
    struct FingersOnChip {
        let chip: SimulatedChip

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            for line in ["BUTTON", "6"] { try chip.setPull(.up, of: line) }
        }

        private func node(debounce: String = "50ms") throws -> SpawnedNode {
            try SpawnedNode(
                """
                node: {id: lectern}
                gpio:
                  outputs: {green: {line: GREEN}, buzzer: {line: BUZZER}}
                  buttons:
                    - {line: BUTTON, active_low: true, debounce: \(debounce), press: beep, double: beep double,
                       hold: beep long, double_within: 500ms}
                    - {line: 6, active_low: true, press: start}
                timers: {groups: [{timers: [{start: 10:00}]}]}
                """)
        }

        /// A command line that presses or releases a button whose contact first bounces for 80 ms.
        ///
        /// The simulator delivers its interrupts at the guest's next tick, so edges within 10 ms would become one.
        private func move(_ line: String = "BUTTON", down isDown: Bool) throws -> String {
            let file = try chip.file("pull", of: line)
            let (before, after) = isDown ? ("pull-up", "pull-down") : ("pull-down", "pull-up")
            let bounce = "echo \(after) >\(file); sleep 0.02; echo \(before) >\(file); sleep 0.02; "
            return bounce + bounce + "echo \(after) >\(file); "
        }

        /// Records the outputs while fingers move, from the first second of the recording on.
        private func record(_ commands: String...) throws -> ChipRecording {
            let fingers = try ChildProcess("sh", ["-c", "sleep 1; " + commands.joined()])
            let recording = try ChipRecording(chip, seconds: 5)
            #expect(try fingers.waitForExit() == .exited(0), "\(fingers.errors)")
            return recording
        }

        /// The lengths of the buzzer's sounds, in milliseconds.
        private func sounds(_ recording: ChipRecording) -> [Int] {
            zip(recording.rises(of: "BUZZER"), recording.falls(of: "BUZZER")).map { Int((($1 - $0) * 1000).rounded()) }
        }

        @Test("a press with a bouncing contact is one press")
        func press() throws {
            let node = try node()
            let recording = try record(move(down: true), "sleep 0.2; ", move(down: false))
            #expect(sounds(recording) == [150])
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("without debouncing, the same contact is more than one press")
        func bounces() throws {
            let node = try node(debounce: "0")
            let recording = try record(move(down: true), "sleep 0.2; ", move(down: false))
            #expect(sounds(recording) != [150])
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("two presses with bouncing contacts are a double press, but not also a single one")
        func double() throws {
            let node = try node()
            let recording = try record(
                move(down: true), "sleep 0.08; ", move(down: false), "sleep 0.08; ", move(down: true), "sleep 0.08; ",
                move(down: false))
            #expect(sounds(recording) == [150, 150])
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("a button that is held down acts while it is down, 0.8 s after its contact settled")
        func hold() throws {
            let node = try node()
            let recording = try record(move(down: true), "sleep 2; ", move(down: false))
            #expect(sounds(recording) == [1000])
            let after = try #require(recording.rises(of: "BUZZER").first)
            #expect((1.9..<2.0).contains(after), "\(after) s")
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("two buttons pressed at once each have their own effect")
        func together() throws {
            let node = try node()
            let recording = try record(
                move(down: true), move("6", down: true), "sleep 0.2; ", move("6", down: false), move(down: false))
            #expect(sounds(recording) == [150])
            #expect(recording.rises(of: "GREEN").count == 1)
            #expect(recording.falls(of: "GREEN").isEmpty)
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("a button that is down when the node starts does nothing until it is released")
        func heldAtStart() throws {
            try chip.setPull(.down, of: "BUTTON")
            let node = try node()
            #expect(sounds(try record("sleep 1; ", move(down: false), "sleep 0.5; ")).isEmpty)
            #expect(sounds(try record(move(down: true), "sleep 0.2; ", move(down: false))) == [150])
            #expect(try node.process.terminate() == .exited(0))
        }
    }
}
