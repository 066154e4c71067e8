import Foundation
import Testing

/// A node started in a real terminal.
@Suite("A node in a terminal")
final class TerminalTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private let terminal: PseudoTerminal
    private let command: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appending(path: "timer-node.yaml").path
        try "node: {id: lectern}\n".write(toFile: configuration, atomically: true, encoding: .utf8)
        terminal = try PseudoTerminal()
        command =
            try "\(SpawnedNode.program) run --config \(configuration) >\(folder.path)/lamps 2>\(folder.path)/log"
    }

    deinit {
        for id in nodes { kill(id, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The node's processes, found by its configuration.
    private var nodes: [pid_t] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return ids.filter { id in
            let words = String(
                decoding: FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data(), as: UTF8.self)
            return words.contains("timer-node\0run\0") && words.contains(folder.path)
        }
    }

    private func text(_ file: String) -> String {
        (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
    }

    private func waitForLog(_ what: String) throws {
        try waitUntil("\(what) in \(text("log"))") { text("log").contains(what) }
    }

    private func expectCleanEnd() throws {
        try waitUntil("the node's end; its log: \(text("log"))") { nodes.isEmpty }
        #expect(text("lamps").hasSuffix("\ndark\n"))
        #expect(text("log").contains("stopping"))
        #expect(!text("log").contains("configuration reloaded"))
    }

    @Test("ends with its lamps off, as session leader, when its terminal closes, as with ssh -t HOST timer-node run")
    func leader() throws {
        let node = try terminal.start(["sh", "-c", "exec \(command)"])
        try waitForLog("started")
        terminal.close()
        #expect(try node.waitForExit() == .exited(0))
        try expectCleanEnd()
    }

    @Test(
        "ends with its lamps off when its shell's terminal closes, in the foreground and in the background",
        arguments: ["", " &"])
    func shellsTerminal(suffix: String) throws {
        let shell = try terminal.startShell()
        terminal.type(command + suffix + "\n")
        try waitForLog("started")
        terminal.close()
        try expectCleanEnd()
        try shell.waitForExit()
    }

    @Test("ends with its lamps off in the background of a login shell that hangs up its jobs on exit")
    func logout() throws {
        let shell = try terminal.startShell(arguments: ["--login"])
        terminal.type("shopt -s huponexit; \(command) &\n")
        try waitForLog("started")
        terminal.type("exit\n")
        try shell.waitForExit()
        try expectCleanEnd()
    }

    @Test("survives the close of its terminal if started with nohup, and still reloads")
    func nohup() throws {
        let shell = try terminal.startShell()
        terminal.type("nohup \(command) &\n")
        try waitForLog("started")
        terminal.close()
        try shell.waitForExit()
        // Any SIGHUP, whether it comes from the shell or not, is a reload.
        try #require(nodes.count == 1)
        for id in nodes { kill(id, SIGHUP) }
        try waitForLog("configuration reloaded")
        for id in nodes { kill(id, SIGTERM) }
        try waitUntil("the node's end") { nodes.isEmpty }
    }

    @Test("reloads on request, from elsewhere or from the same shell")
    func reload() throws {
        let shell = try terminal.startShell()
        terminal.type("\(command) &\n")
        try waitForLog("started")
        for id in nodes { kill(id, SIGHUP) }
        try waitForLog("configuration reloaded")
        terminal.type("kill -HUP %1\n")
        try waitUntil("the second reload") {
            text("log").components(separatedBy: "configuration reloaded").count == 3
        }
        terminal.type("kill %1; wait; exit\n")
        try shell.waitForExit()
        #expect(nodes.isEmpty)
    }
}
