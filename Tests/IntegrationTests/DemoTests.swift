import Foundation
import Testing

/// What `make demo` leaves behind: nothing, however it ends.
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

    /// What the demo started: all of it has the same folder for temporary files.
    private var started: [pid_t] { processes(withEnvironment: "TMPDIR=\(folder.path)") }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func waitForTheEnd() throws {
        // The shell's leash, a node's second and a broker's. While a process becomes another program, for a moment the
        // kernel shows no environment of it, so that the last one, which removes the files, may not be seen.
        try waitUntil("the end of all that the demo started, and of its files") {
            started.isEmpty && files.isEmpty
        }
    }

    @Test(
        "ends its broker, its node and its web when it is ended by a signal, also by SIGKILL",
        arguments: [SIGHUP, SIGINT, SIGTERM, SIGKILL])
    func signalled(number: Int32) throws {
        let demo = try ChildProcess(script, programs, environment: ["TMPDIR": folder.path])
        try demo.waitForLine("green") { $0.hasSuffix("  green") }
        #expect(started.count >= 5, "the script, the broker, the node, the web, the view")
        try demo.terminate(by: number)
        try waitForTheEnd()
    }

    @Test("ends its broker, its node and its web with the terminal that it was started in, or with its script there")
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
