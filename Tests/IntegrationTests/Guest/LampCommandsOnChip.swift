import Foundation
import Testing

extension InSimulatedTime {
    @Suite("The commands lamps-off and lamp-test")
    struct LampCommandsOnChip {
        let chip: SimulatedChip
        // The guest's memory, which disappears with the guest.
        let file = URL(filePath: "/dev/shm/\(UUID().uuidString).yaml")
        let yaml = """
            node: {id: lectern}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
            timers: {groups: [{timers: [{name: Talk, start: 600s, warning: 40s, final: 5s}]}]}
            """
        var option: String { "--config=\(file.path)" }

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            try yaml.write(to: file, atomically: true, encoding: .utf8)
        }

        /// Runs the program to its end under strace, with a signal after a while; returns the calls that set the lines.
        private func trace(_ command: String, signal: (number: Int32, after: useconds_t)? = nil) throws -> LineTrace {
            let calls = "/dev/shm/calls-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: calls) }
            let process = try ChildProcess(
                "strace",
                [
                    "-D", "-qq", "-v", "-e", "trace=ioctl", "-e", "signal=none", "-o", calls, SpawnedNode.program,
                    command,
                    option,
                ])
            if let signal {
                usleep(signal.after)
                process.signal(signal.number)
            }
            #expect(try process.waitForExit() == .exited(0), "\(process.errors)")
            return LineTrace(try String(contentsOfFile: calls, encoding: .utf8).components(separatedBy: "\n"))
        }

        @Test("lamps-off drives the lines of a node that was killed to their safe values")
        func lampsOff() throws {
            let broker = try MosquittoBroker()
            let node = try SpawnedNode(yaml + "\nmqtt: {brokers: [\(broker.url)]}\n")
            let probe = try MQTTProbe(broker, "timer/#")
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try waitUntil("green") { try chip.highLines() == ["GREEN"] }

            let busy = try SpawnedNode.run("lamps-off", option)
            #expect(busy.status == .exited(69))
            #expect(
                try busy.errors.first?.hasPrefix(
                    #"line BUZZER (output buzzer) on \#(chip.name) is busy: held by "timer-node""#) == true)
            #expect(try chip.highLines() == ["GREEN"], "a running node is not disturbed")

            node.process.signal(SIGKILL)
            try node.process.waitForExit()
            // A line that no process drives is high, so a line that is low in the trace was driven low.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let trace = try trace("lamps-off")
            #expect(trace.first == [0: false, 1: false, 2: false, 3: false])
            #expect(trace.writes.allSatisfy { !$0.values.contains(true) })
        }

        @Test("lamps-off turns the lamps off even if other sections of the file are invalid")
        func lampsOffWithFaults() throws {
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let faults = "\nmqtt: {brokers: [nowhere], password_file: /no/such/file}\nlogs: {}\n"
            try (yaml + faults).write(to: file, atomically: true, encoding: .utf8)
            #expect(try trace("lamps-off").first == [0: false, 1: false, 2: false, 3: false])
            #expect(try SpawnedNode.run("check", file.path).status == .exited(78))
        }

        @Test("each command reports that the chip is missing", arguments: ["lamps-off", "lamp-test", "lines"])
        func missing(command: String) throws {
            try chip.setPresent(false)
            defer { try? chip.setPresent(true) }
            let result = try command == "lines" ? SpawnedNode.run(command) : SpawnedNode.run(command, option)
            #expect(result.status == .exited(69))
            #expect(
                result.errors == [
                    command == "lines"
                        ? "there is no GPIO chip: /dev has no gpiochip"
                        : "no GPIO chip has all the lines BUZZER, GREEN, RED, YELLOW; present: none"
                ])
        }

        @Test("lamps-off and lamp-test exit with the right status if the file has no outputs, is invalid or is missing")
        func otherwise() throws {
            try "node: {id: a}".write(to: file, atomically: true, encoding: .utf8)
            #expect(try SpawnedNode.run("lamps-off", option).status == .exited(0))
            #expect(try SpawnedNode.run("lamp-test", option).status == .exited(69))
            try "gpio: {chips: auto}".write(to: file, atomically: true, encoding: .utf8)
            for command in ["lamps-off", "lamp-test"] {
                #expect(try SpawnedNode.run(command, option).status == .exited(78))
            }
            #expect(try SpawnedNode.run("lamps-off", "--config=/no/such/file").status == .exited(74))
        }

        @Test("lamp-test lights one output at a time for a second, and prints its name")
        func lampTest() throws {
            let process = try ChildProcess(SpawnedNode.program, ["lamp-test", option])
            let recording = try ChipRecording(chip, seconds: 6)
            #expect(try process.waitForExit() == .exited(0))
            #expect(
                process.output == [
                    "green: line GREEN", "yellow: line YELLOW", "red: line RED", "buzzer: line BUZZER",
                ])
            let lit = recording.changes.filter { !$0.high.isEmpty }
            #expect(lit.map(\.high) == [["GREEN"], ["YELLOW"], ["RED"], ["BUZZER"]])
            for (one, next) in zip(lit, lit.dropFirst()) { #expect(abs(next.at - one.at - 1) < 0.01) }
            #expect(recording.changes.last?.high == [])
        }

        @Test("lamp-test turns the lamps off on Ctrl-C")
        func interrupted() throws {
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let trace = try trace("lamp-test", signal: (SIGINT, after: 1_500_000))
            #expect(trace.writes.filter { !$0.isEmpty }.prefix(4) == [[0: true], [0: false], [1: true], [1: false]])
            #expect(trace.lit.isEmpty)
        }

        @Test("lamp-test does not touch the lines of a running node, and reports which process holds them")
        func busy() throws {
            let node = try SpawnedNode(yaml)
            let result = try SpawnedNode.run("lamp-test", option)
            #expect(result.status == .exited(69))
            #expect(result.errors.first?.contains(#"is busy: held by "timer-node""#) == true, "\(result.errors)")
            #expect(try node.process.terminate() == .exited(0))
        }
    }
}
