import Foundation
import Testing

extension InSimulatedTime {
    @Suite("Two lamps")
    struct NeverTogetherOnChip {
        @Test("are never on together during 1000 changes, according to the calls that the kernel received")
        func neverTogether() throws {
            // Each command changes the lamp; together, they cover both directions and steps of one or two colours.
            let remaining = [500, 300, 100, 300, 500, 100]
            let commands = (0..<1000).map { #"{"command":"set","remaining":\#(remaining[$0 % remaining.count])}"# }
            let trace = try trace([#"{"command":"start"}"#] + commands, every: "0.01")
            // Two calls for each change: one line goes off, then one goes on.
            #expect(trace.writes.filter { !$0.isEmpty }.count >= 2000)
            // The kernel sets the lines in a call one after another, so a line that is on before or after the call may
            // be on during it.
            #expect(trace.mostLitTogether == 1)
        }

        @Test("are never on together while messages call for attention, in each mode and during mode changes")
        func attention() throws {
            let message = #"{"command":"message","text":"Please wrap up","attention":true}"#
            let modes = [500, 300, 100].map { #"{"command":"set","remaining":\#($0)}"# }
            let changes = modes + [#"{"command":"end"}"#, #"{"command":"stop"}"#, #"{"command":"start"}"#]
            // There are messages between the changes, so a change cuts off some of the messages before it.
            let commands = (0..<10).flatMap { _ in changes.flatMap { [message, message, $0, message, $0] } }
            let trace = try trace([#"{"command":"start"}"#] + commands, every: "0.35")
            // In 0.35 s, most messages turn a lamp off and on again at least once.
            #expect(trace.writes.filter { !$0.isEmpty }.count >= commands.count)
            #expect(trace.mostLitTogether == 1)
            #expect(trace.lit.isEmpty)
        }

        /// Traces the calls to the kernel while a node executes commands that are sent to it one after another.
        ///
        /// - Parameter pause: seconds between two commands.
        private func trace(_ commands: [String], every pause: String) throws -> LineTrace {
            let chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            let broker = try MosquittoBroker(settings: ["max_queued_messages 0"])
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], command_rate: 0}
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}}
                timers: {groups: [{timers: [{name: Talk, start: 600s, warning: 400s, final: 200s}]}]}
                """)
            #expect(try node.process.terminate() == .exited(0))
            let calls = "/dev/shm/calls"
            try node.restart(under: [
                "strace", "-D", "-qq", "-v", "-e", "trace=ioctl", "-e", "signal=none", "-o", calls,
            ])
            let probe = try MQTTProbe(broker, "timer/lectern/availability")
            try probe.wait(for: "online", on: "timer/lectern/availability")
            let answers = try ChildProcess(
                "mosquitto_sub",
                [
                    "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "timer/lectern/response", "-q", "1", "-C",
                    "\(commands.count)",
                ])
            try broker.waitForLog("timer/lectern/response (QoS 1)")
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            try (commands.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
            // Commands that arrive together set the lamps only once, so each is sent separately, the first once the
            // publisher is connected.
            let perl = "perl -ne '$| = 1; print; select undef, undef, undef, \(pause)' \(file.path)"
            let publisher = try ChildProcess(
                "sh",
                [
                    "-c",
                    "(sleep 1; exec \(perl)) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -t timer/lectern/command -l",
                ])
            try waitUntil("the responses", timeout: .seconds(300)) {
                // A broker whose log is not read blocks after a megabyte of it.
                _ = broker.log
                return answers.exitStatus() == .exited(0)
            }
            answers.read()
            #expect(answers.output.count == commands.count)
            #expect(answers.output.allSatisfy { $0.contains(#""status":"ok""#) })
            try publisher.waitForExit()
            #expect(try node.process.terminate() == .exited(0))
            return LineTrace(try String(contentsOfFile: calls, encoding: .utf8).components(separatedBy: "\n"))
        }
    }
}
