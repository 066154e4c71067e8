import Foundation
import Testing

extension InGuest {
    @Suite("The command init, with a chip")
    struct InitOnChip {
        let chip: SimulatedChip
        // The guest's memory, which disappears with the guest.
        let file = "/dev/shm/\(UUID().uuidString).yaml"
        let options = ["--profile=podium", "--broker=none", "--id=lectern", "--name=none", "--no-active-low"]

        init() throws {
            chip = try #require(SimulatedChip.current)
            try chip.setPresent(false)
            try chip.setPresent(true)
        }

        @Test("rejects a missing line, or a busy line with its holder, and asks for another; then tests the lamps")
        func dialogue() throws {
            let holder = try ChildProcess(shell: chip.holding(line: 2))
            defer { _ = try? holder.terminate(by: SIGKILL) }
            try waitUntil("the holder") { try chip.value(of: "RED") }
            let name = try chip.name
            let scripted = try SpawnedNode.run(
                "init", file, "--yes", "--broker=none", "--chip=auto", "--green=GREEN", "--yellow=YELLOW", "--red=RED")
            #expect(scripted.status == .exited(69))
            #expect(scripted.errors == [#"--red: line RED on \#(name) is busy: held by "gpioset""#])

            let dialogue = try InitDialogue(
                file, "--profile=podium", "--broker=none", "--id=lectern", "--name=none", "--no-active-low")
            try dialogue.expect("\(name) \"stoplight\", 16 lines")
            try dialogue.expect("free: GREEN, YELLOW, BUZZER, BUTTON, 5, 6")
            try dialogue.expect("in use: RED (gpioset)")
            try dialogue.answer("Chip", "traffic")
            try dialogue.expect(#"there is no GPIO chip with the path, name or label "traffic""#)
            try dialogue.answer("[\(name)]", "")
            try dialogue.answer("Line of green", "")
            try dialogue.expect(#"there is no line GPIO17 on \#(name) "stoplight" (16 lines)"#)
            try dialogue.answer("Line of green", "GREEN")
            try dialogue.answer("Line of yellow", "1")
            try dialogue.answer("Line of red", "RED")
            try dialogue.expect(#"line RED on \#(name) is busy: held by "gpioset""#)
            try dialogue.answer("Line of red", "YELLOW")
            try dialogue.expect("line YELLOW is 1, which is already used for yellow")
            try dialogue.answer("Line of red", "BUTTON")
            try dialogue.answer("Line of buzzer, or none", "none")
            try dialogue.answer("Switch on each lamp for a second?", "")
            try dialogue.expect("red: line BUTTON")
            try waitUntil("red") { try chip.value(of: "BUTTON") }
            #expect(try dialogue.waitForExit() == .exited(0))
            #expect(dialogue.text.contains("green: line GREEN\nyellow: line 1\nred: line BUTTON\nTo start it:\n"))
            #expect(try !chip.value(of: "BUTTON"))
            let written = try String(contentsOfFile: file, encoding: .utf8)
            #expect(written.contains(#"red: {line: "BUTTON", active_low: false, safe: off}"#))
            #expect(!written.contains("buzzer: {"))
        }

        @Test("accepts lines that a running node holds, and then skips the lamp test")
        func running() throws {
            let lines = ["green": "GREEN", "yellow": "YELLOW", "red": "RED", "buzzer": "BUZZER"]
            let outputs = lines.map { "\($0): {line: \($1)}" }.joined(separator: ", ")
            let node = try SpawnedNode("node: {id: lectern}\ngpio: {outputs: {\(outputs)}}")
            let given = options + ["--chip=auto"] + lines.map { "--\($0)=\($1)" }
            func run(_ more: String...) throws -> ChildProcess {
                let process = try ChildProcess(SpawnedNode.program, ["init", file] + given + more)
                try process.waitForExit()
                return process
            }
            let plain = try run()
            #expect(plain.exitStatus() == .exited(0), "\(plain.errors)")
            #expect(plain.output.first == "  a running node holds GREEN, YELLOW, RED, BUZZER now, which is fine")
            #expect(plain.output.contains { $0.contains("sudo systemctl stop timer-node, then timer-node lamp-test") })
            let wanted = try run("--force", "--lamp-test")
            #expect(wanted.exitStatus() == .exited(69))
            #expect(wanted.errors.first?.contains("so the lamp test was skipped") == true)
            #expect(wanted.output.contains("  timer-node run --config \(file)"), "the file is still written")

            #expect(try node.process.terminate() == .exited(0))
            let free = try run("--force", "--lamp-test")
            #expect(free.exitStatus() == .exited(0))
            let tested = free.output.filter { $0.contains(": line ") }
            #expect(tested == ["green: line GREEN", "yellow: line YELLOW", "red: line RED", "buzzer: line BUZZER"])
        }
    }
}
