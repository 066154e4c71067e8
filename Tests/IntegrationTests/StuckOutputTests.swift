import Foundation
import Testing

/// A spawned node whose standard error accepts no more output.
@Suite("A spawned node whose log is not read")
struct StuckOutputTests {
    enum Output: CaseIterable {
        /// A full pipe.
        case pipe
        /// A terminal in which a user typed Ctrl-S.
        case stoppedTerminal
        /// A terminal that no longer reads its output.
        case stuckTerminal
    }

    @Test("keeps time, executes commands, stops, and reports the lines that it dropped", arguments: Output.allCases)
    func stuck(output: Output) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let broker = try MosquittoBroker(settings: ["max_queued_messages 0"], log: "information")
        try """
        node: {id: lectern}
        mqtt: {brokers: [\(broker.url)]}
        log: {level: debug}
        remotes: [{topic: noise, map: {go: start}}]
        timers: {groups: [{timers: [{start: 12s, warning: 9s, final: 6s}]}]}
        """.write(to: folder.appending(path: "node.yaml"), atomically: true, encoding: .utf8)

        // Opened before the node starts, so the node does not wait for a reader.
        let terminal = output == .pipe ? nil : try PseudoTerminal()
        let path = terminal?.path ?? folder.appending(path: "log").path
        var pipe: LineReader?
        if output == .pipe {
            try #require(unsafe mkfifo(path, 0o600) == 0)
            pipe = LineReader(descriptor: unsafe open(path, O_RDONLY | O_NONBLOCK))
        }
        let log = {
            pipe?.read()
            return pipe?.lines ?? terminal?.lines ?? []
        }
        let node = try ChildProcess(
            "sh", ["-c", "exec \(SpawnedNode.program) run --config \(folder.path)/node.yaml 2>\(path)"],
            environment: ["SWIFT_BACKTRACE": "enable=no"])
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try waitUntil("the connection in the log") { log().contains { $0.contains("connected to") } }

        if output == .stoppedTerminal { terminal?.type("\u{13}") }
        let count = output == .stoppedTerminal ? 50 : 2000
        let noise = {
            let publisher = try ChildProcess(
                "sh", ["-c", "seq \(count) | mosquitto_pub -h 127.0.0.1 -p \(broker.port) -t noise -l -q 1"])
            #expect(try publisher.waitForExit() == .exited(0))
        }
        try noise()
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        for lamp in ["green", "yellow", "red"] {
            try node.waitForLine(lamp) { $0.hasPrefix("\(lamp)  ") }
        }
        let before = probe.messages.count
        try MQTTProbe.publish(broker, "timer/lectern/command/pause", #"{"id":"p"}"#)
        try probe.wait(for: "the response") { $0.count > before && $0.contains { $0.payload.contains(#""id":"p""#) } }

        // Once the log is read again, the node reports the dropped lines even if it has nothing else to log. On a slow
        // machine, where the messages arrive with pauses, the log may have been read in between, and the node then
        // reports them in several lines.
        if output == .stoppedTerminal { terminal?.type("\u{11}") }
        var (seen, leftOut) = (0, 0)
        try waitUntil("the number of dropped lines") {
            let lines = log()
            seen = lines.count { $0.contains("noise") }
            leftOut = lines.reduce(0) { sum, line in
                let found = line.firstMatch(of: /warning: (\d+) log lines? (was|were) dropped: standard error was/)
                return sum + (found.flatMap { Int($0.1) } ?? 0)
            }
            return leftOut > 0 && seen + leftOut >= count
        }
        #expect(seen + leftOut < count + 20)

        // The node can also be stopped while its output is stuck.
        if output == .stoppedTerminal { terminal?.type("\u{13}") }
        try noise()
        #expect(try node.terminate() == .exited(0))
        #expect(node.output.last == "dark")
        try probe.wait(for: "offline") { $0.last { $0.topic == "timer/lectern/availability" }?.payload == "offline" }
    }
}
