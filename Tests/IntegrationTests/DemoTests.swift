import Foundation
import Testing

/// Checks that `make demo` leaves nothing behind, no matter how it ends.
@Suite("The demo")
final class DemoTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../scripts/demo")
        .standardized.path

    private var programs: [String] {
        get throws { try ["timer-node", "timer-web"].map(SpawnedNode.builtProgram) }
    }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit {
        for id in started { kill(id, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The processes that the demo started. All of them have the same folder for temporary files.
    private var started: [pid_t] { processes(withEnvironment: "TMPDIR=\(folder.path)") }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func waitForTheEnd() throws {
        // The script's keeper must notice that the script has ended, and the node and the broker may each take a second
        // to stop. While a process executes another program, the kernel briefly shows no environment for it, so the
        // last process, which removes the files, may be missed.
        try waitUntil("the end of every process that the demo started, and the removal of its files") {
            started.isEmpty && files.isEmpty
        }
    }

    @Test(
        "ends its broker, its node and its web when a signal ends it, even SIGKILL",
        arguments: [SIGHUP, SIGINT, SIGTERM, SIGKILL])
    func signalled(number: Int32) throws {
        let demo = try ChildProcess(script, programs, environment: ["TMPDIR": folder.path])
        try demo.waitForLine("green") { $0.hasSuffix("  green") }
        #expect(started.count >= 5, "the script, the broker, the node, the web, the view")
        try demo.terminate(by: number)
        try waitForTheEnd()
    }

    @Test("has a broker of its own, even if another demo starts at the same time")
    func together() throws {
        let demos = try (1...3).map { _ in
            try ChildProcess(script, [try SpawnedNode.program], environment: ["TMPDIR": folder.path])
        }
        let brokers = try demos.map { demo in
            try demo.waitForLine("the broker's address") { $0.contains("watch --broker") }
        }
        #expect(Set(brokers).count == demos.count, "\(brokers)")
        for demo in demos { try demo.terminate() }
        try waitForTheEnd()
    }

    @Test("ends its broker, its node and its web when its terminal closes or its script ends there")
    func terminal() throws {
        for ending in ["close", "SIGTERM", "SIGKILL", "Ctrl-C", "q"] {
            let terminal = try PseudoTerminal()
            let demo = try terminal.start([script] + programs, environment: ["TMPDIR": folder.path])
            try waitUntil("the demo's question") { terminal.text.contains("Press Enter") }
            terminal.type("\r")
            try waitUntil("the run") { terminal.text.contains("Running") }
            switch ending {
            case "close": terminal.close()
            case "SIGTERM": demo.signal(SIGTERM)
            case "SIGKILL": demo.signal(SIGKILL)
            case "q": terminal.type("q")
            default: terminal.type("\u{03}")
            }
            try demo.waitForExit()
            try waitForTheEnd()
        }
    }
}
