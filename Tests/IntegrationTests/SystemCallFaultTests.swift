import Foundation
import Testing

/// How a node handles failing system calls, which strace injects.
@Suite("A spawned node whose system calls fail")
struct SystemCallFaultTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    /// Starts a node with a 2 s timer under another program.
    private func start(under words: [String], environment: [String: String] = [:]) throws -> ChildProcess {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "timer-node.yaml")
        try """
        node: {id: lectern}
        timers: {groups: [{timers: [{name: Talk, start: 2s}]}]}
        storage: {directory: \(folder.path)/state}
        """.write(to: file, atomically: true, encoding: .utf8)
        let words = words + [try SpawnedNode.program, "run", "--config", file.path]
        return try ChildProcess(
            words[0], Array(words.dropFirst()),
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    }

    /// Starts the node with a system call that fails.
    private func start(failing fault: String, environment: [String: String] = [:]) throws -> ChildProcess {
        let call = fault.prefix { $0 != ":" }
        // strace traces the node from a separate process, so the spawned process id is that of the node.
        return try start(
            under: ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)"],
            environment: environment)
    }

    @Test(
        "exits with a clear error if the failure would prevent it from stopping or from keeping its state",
        arguments: ["signalfd4", "eventfd2", "socket"])
    func ends(call: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // The socket is for the service manager, which would kill a node that does not report to it.
        let manager = try NotifySocket()
        let node = try start(failing: "\(call):error=EMFILE", environment: ["NOTIFY_SOCKET": manager.name])
        #expect(try node.waitForExit() == .exited(70))
        let name = call.prefix { $0.isLetter }
        #expect(node.errors == ["\(name): Too many open files"])
    }

    @Test(
        "keeps running, and can be stopped, if the call is not essential",
        arguments: [
            "timerfd_create:error=EMFILE", "timerfd_settime:error=EINVAL", "poll:error=ENOMEM", "poll:error=EINVAL",
        ])
    func goesOn(fault: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // The state of an earlier node whose run is about to end, so there is a reason to wake.
        try Self.leaveRun(in: folder)
        let manager = try NotifySocket()
        let node = try start(failing: fault, environment: ["NOTIFY_SOCKET": manager.name])
        try manager.wait(for: "STATUS=alarm, 0 left of Talk; lamps simulated: no gpio.outputs")
        let before = try Self.processorTime(node.pid)
        sleep(1)
        #expect(try Self.processorTime(node.pid) - before < 50, "the node does not spin")
        #expect(try node.terminate() == .exited(0))
        if fault.hasPrefix("timerfd") {
            #expect(node.errors.contains { $0.contains("changes to the system clock will not be detected: timerfd_") })
        }
    }

    @Test("works, or reports why not, with few file descriptors", arguments: 4...16)
    func descriptors(limit: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let node = try start(under: ["sh", "-c", #"ulimit -n "$0" && exec "$@""#, "\(limit)"])
        try waitUntil("the start or the exit") {
            node.read()
            return node.exitStatus() != nil || node.errors.contains { $0.contains("node lectern started") }
        }
        let ending = try node.terminate()
        #expect([.exited(0), .exited(70), .exited(74)].contains(ending))
        #expect(
            (ending == .exited(0))
                != node.errors.contains { $0.contains("Too many open files") && !$0.contains("warning") })
    }

    /// Leaves behind the state of a node that was killed in the first second of a 2 s run.
    private static func leaveRun(in folder: URL) throws {
        let broker = try MosquittoBroker()
        let node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{timers: [{name: Talk, start: 2s}]}]}
            storage: {directory: \(folder.path)/state}
            """)
        try node.waitForConnection()
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try waitUntil("the saved run") {
            let state = try? String(contentsOf: folder.appending(path: "state/state.json"), encoding: .utf8)
            return state?.contains(#""started_at""#) == true
        }
        node.process.signal(SIGKILL)
        try node.process.waitForExit()
    }

    /// The processor time that a process has used, in hundredths of a second.
    private static func processorTime(_ pid: pid_t) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).split(separator: " ")
        return fields[13...14].compactMap { Int($0) }.reduce(0, +)
    }
}
