import Foundation
import Testing

extension InSimulatedTime {
    @Suite("A spawned node on the chip")
    struct NodeOnChip {
        let chip: SimulatedChip
        let broker: MosquittoBroker
        let node: SpawnedNode

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            broker = try MosquittoBroker()
            node = try SpawnedNode(Self.configuration(broker))
        }

        private static func configuration(_ broker: MosquittoBroker) -> String {
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
            signals: {patterns: {chirp: [80ms, 40ms, 80ms]}}
            timers: {groups: [{timers: [{name: Talk, start: 6s, warning: 4s, final: 2s}]}]}
            """
        }

        private func send(_ verb: String) throws {
            try MQTTProbe.publish(broker, "timer/lectern/command/\(verb)", "")
        }

        private func start() throws {
            let probe = try MQTTProbe(broker, "timer/#")
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try send("start")
        }

        @Test("shows each mode on its second, and flashes in step with the buzzer")
        func talk() throws {
            try start()
            let recording = try ChipRecording(chip, seconds: 20)
            let colours = recording.changes.prefix(4)
            #expect(colours.map(\.high) == [["GREEN"], ["YELLOW"], ["RED"], ["RED", "BUZZER"]])

            // The talk began a moment before the recording, so the times are relative to the warning.
            let warning = try #require(recording.changes.dropFirst().first?.at)
            for (change, due) in zip(recording.changes.dropFirst(), [0, 2, 4, 4.425, 4.85, 5.275]) {
                #expect(abs(change.at - warning - due) < 0.001, "\(change) is due \(due) s after the warning")
            }
            let alarm = warning + 4
            let red = recording.rises(of: "RED").filter { $0 > alarm + 0.1 }
            let buzzer = recording.rises(of: "BUZZER")
            #expect(buzzer.count == 12, "ten seconds in steps of 0.85 s, starting with the alarm")
            #expect(red.count == Int((20 - alarm) / 0.85), "and red continues")
            for (index, rise) in red.enumerated() {
                #expect(abs(rise - alarm - 0.85 * Double(index + 1)) < 0.001)
            }
        }

        @Test(
            "plays each pattern with its edges within a millisecond of their due times",
            arguments: [
                ("beep", [150]), ("double", [150, 150, 150]), ("triple", [150, 150, 150, 150, 150]), ("long", [1000]),
                ("alarm", [425]), ("chirp", [80, 40, 80]),
            ])
        func patterns(name: String, steps: [Int]) throws {
            // The command runs in the background, so the recording has begun before it.
            let command = try ChildProcess(
                "sh",
                ["-c", "sleep 1; mosquitto_pub -p \(broker.port) -t timer/lectern/command/beep -m \(name)"])
            let recording = try ChipRecording(chip, seconds: 4)
            #expect(try command.waitForExit() == .exited(0))
            let first = try #require(recording.rises(of: "BUZZER").first)
            let edges = recording.changes.map(\.at).drop { $0 < first }
            let due = steps.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + Double($1) / 1000) }
            #expect(edges.count == due.count)
            for (edge, due) in zip(edges, due) { #expect(abs(edge - first - due) < 0.001, "\(name), \(due) s") }
        }

        @Test("blinks the lamp while a mode is paused, and is dark when stopped")
        func pause() throws {
            try start()
            usleep(2_500_000)
            try send("pause")
            let recording = try ChipRecording(chip, seconds: 10)
            #expect(Set(recording.changes.map(\.high)) == [["YELLOW"], []])
            let (rises, falls) = (recording.rises(of: "YELLOW"), recording.falls(of: "YELLOW"))
            #expect(rises.count == 5 + 1)
            // The first blink began with the pause, before the recording.
            for (off, on) in zip(falls, rises.dropFirst()) { #expect(abs(on - off - 1.5) < 0.001) }
            for (on, off) in zip(rises, falls).dropFirst() { #expect(abs(off - on - 0.5) < 0.001) }
            try send("stop")
            try waitUntil("darkness") { try chip.highLines().isEmpty }
        }

        @Test(
            "sets the safe values before it releases the lines, whatever ends it",
            arguments: [SIGTERM, SIGINT, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGQUIT])
        func safeValues(signal: Int32) throws {
            #expect(try node.process.terminate() == .exited(0))
            // With a pull-up, a line that no process drives reads high, so a line that is low is driven.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let file = "/dev/shm/calls-\(signal)"
            // strace traces the node from a separate process, so the spawned process id is that of the node.
            try node.restart(under: ["strace", "-D", "-qq", "-v", "-e", "trace=ioctl", "-e", "signal=none", "-o", file])
            try start()
            try waitUntil("only green") { try chip.highLines() == ["GREEN", "BUTTON"] }
            node.process.signal(signal)
            let ending = try node.process.waitForExit()
            let isClean = [SIGTERM, SIGINT].contains(signal)
            #expect(ending == (isClean ? .exited(0) : .signalled(signal)))
            #expect(try chip.highLines() == Set(SimulatedChip.lineNames), "no process drives the lines any more")
            let trace = LineTrace(try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n"))
            // libgpiod 1 sets all lines again and libgpiod 2 only those that change, so check the calls for each line.
            #expect(trace.writes.compactMap { $0[0] } == [true, false], "green went on, then off")
            #expect(trace.lit.isEmpty)
        }

        @Test("sets its outputs first, then publishes mode, state and event, and responds last")
        func order() throws {
            #expect(try node.process.terminate() == .exited(0))
            let file = "/dev/shm/order"
            try node.restart(
                under: [
                    "strace", "-D", "-qq", "-s", "64", "-e", "trace=ioctl,write,sendto", "-e", "signal=none", "-o",
                    file,
                ])
            let probe = try MQTTProbe(broker, "timer/#")
            try probe.wait(for: "stopped", on: "timer/lectern/mode")
            try send("start")
            try probe.wait(for: "the response") { $0.contains { $0.topic == "timer/lectern/response" } }
            #expect(try node.process.terminate() == .exited(0))

            let calls = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let steps = calls.compactMap { call in
                call.contains("SET_LINE_VALUES_IOCTL") || call.contains("LINE_SET_VALUES_IOCTL")
                    ? "outputs" : call.firstMatch(of: /timer\/lectern\/([a-z]+)/).map { String($0.1) }
            }
            #expect(
                steps.drop { $0 != "outputs" }.prefix(6) == ["outputs", "mode", "tick", "state", "event", "response"])
            let topics = probe.messages.map(\.topic).drop { !$0.hasSuffix("/command/start") }.dropFirst()
            #expect(
                topics.prefix(5).elementsEqual(
                    ["mode", "tick", "state", "event", "response"].map { "timer/lectern/\($0)" }))
        }

        @Test("is not disturbed when the broker is gone")
        func withoutBroker() throws {
            try start()
            try broker.kill()
            let recording = try ChipRecording(chip, seconds: 8)
            #expect(recording.changes.prefix(4).map(\.high) == [["GREEN"], ["YELLOW"], ["RED"], ["RED", "BUZZER"]])
            let warning = try #require(recording.changes.dropFirst().first?.at)
            #expect(abs(recording.changes[3].at - warning - 4) < 0.001)
        }
    }
}
