import Foundation
import Testing

/// What a node makes of system calls that fail; strace has them fail.
@Suite("A spawned node that the system refuses something")
struct SystemCallFaultTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    /// Starts a node with a timer of 2 s, under another program.
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

    /// Starts it with a call that fails.
    private func start(failing fault: String, environment: [String: String] = [:]) throws -> ChildProcess {
        let call = fault.prefix { $0 != ":" }
        // Beside the node, which keeps the id that was spawned.
        return try start(
            under: ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)"],
            environment: environment)
    }

    @Test(
        "ends with a clear error where it could not be stopped, or could not keep its state",
        arguments: ["signalfd4", "eventfd2", "socket"])
    func ends(call: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // A socket is for the service manager, who would kill a node that it does not hear of.
        let manager = try NotifySocket()
        let node = try start(failing: "\(call):error=EMFILE", environment: ["NOTIFY_SOCKET": manager.name])
        #expect(try node.waitForExit() == .exited(70))
        let name = call.prefix { $0.isLetter }
        #expect(node.errors == ["\(name): Too many open files"])
    }

    @Test(
        "goes on, and can be stopped, where it can do without",
        arguments: [
            "timerfd_create:error=EMFILE", "timerfd_settime:error=EINVAL", "poll:error=ENOMEM", "poll:error=EINVAL",
        ])
    func goesOn(fault: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // What an earlier node left: a run that is about to end, so that there is something to wake for.
        try Self.leaveRun(in: folder)
        let manager = try NotifySocket()
        let node = try start(failing: fault, environment: ["NOTIFY_SOCKET": manager.name])
        try manager.wait(for: "STATUS=alarm, 0 left of Talk; lamps simulated: no gpio.outputs")
        let before = try Self.processorTime(node.pid)
        sleep(1)
        #expect(try Self.processorTime(node.pid) - before < 50, "it does not spin")
        #expect(try node.terminate() == .exited(0))
        if fault.hasPrefix("timerfd") {
            #expect(node.errors.contains { $0.contains("changes of the system's clock will go unnoticed: timerfd_") })
        }
    }

    @Test("does its work, or says why not, with few descriptors", arguments: 4...16)
    func descriptors(limit: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let node = try start(under: ["sh", "-c", #"ulimit -n "$0" && exec "$@""#, "\(limit)"])
        try waitUntil("a start or an end") {
            node.read()
            return node.exitStatus() != nil || node.errors.contains { $0.contains("node lectern started") }
        }
        let ending = try node.terminate()
        #expect([.exited(0), .exited(70), .exited(74)].contains(ending))
        #expect(
            (ending == .exited(0))
                != node.errors.contains { $0.contains("Too many open files") && !$0.contains("warning") })
    }

    /// A node that is killed in the first second of a run of 2 s.
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

    /// The hundredths of a second that a process has computed.
    private static func processorTime(_ pid: pid_t) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8).split(separator: " ")
        return fields[13...14].compactMap { Int($0) }.reduce(0, +)
    }
}
