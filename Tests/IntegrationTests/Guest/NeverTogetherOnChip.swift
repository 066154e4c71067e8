import Foundation
import Testing

extension InSimulatedTime {
    @Suite("Two lamps")
    struct NeverTogetherOnChip {
        @Test("are never on together over 1000 changes, by the calls that the kernel got")
        func neverTogether() throws {
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
            // Each of these changes the lamp, in each direction and by one colour or two.
            let remaining = [500, 300, 100, 300, 500, 100]
            let commands = (0..<1000).map { #"{"command":"set","remaining":\#(remaining[$0 % remaining.count])}"# }
            let answers = try ChildProcess(
                "mosquitto_sub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "timer/lectern/response", "-q", "1", "-C", "1001"])
            try broker.waitForLog("timer/lectern/response (QoS 1)")
            let text = ([#"{"command":"start"}"#] + commands).joined(separator: "\n") + "\n"
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            try text.write(to: file, atomically: true, encoding: .utf8)
            // Commands that arrive at once set the lamps once, so each comes by itself, the first when the publisher is
            // connected.
            let pace = "(sleep 1; exec perl -ne '$| = 1; print; select undef, undef, undef, 0.01' \(file.path))"
            let publisher = try ChildProcess(
                "sh", ["-c", "\(pace) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -q 1 -t timer/lectern/command -l"])
            try waitUntil("the answers", timeout: .seconds(300)) {
                // A broker whose log nobody reads stands still after a megabyte of it.
                _ = broker.log
                return answers.exitStatus() == .exited(0)
            }
            answers.read()
            #expect(answers.output.count == commands.count + 1)
            #expect(answers.output.allSatisfy { $0.contains(#""status":"ok""#) })
            try publisher.waitForExit()
            #expect(try node.process.terminate() == .exited(0))

            let trace = LineTrace(try String(contentsOfFile: calls, encoding: .utf8).components(separatedBy: "\n"))
            // Two calls for each change: one line goes off, then one on.
            #expect(trace.writes.filter { !$0.isEmpty }.count >= 2000)
            // The kernel sets the lines of one call one after another: whatever is on before or after it may be on
            // during it.
            #expect(trace.mostLitTogether == 1)
        }
    }
}
