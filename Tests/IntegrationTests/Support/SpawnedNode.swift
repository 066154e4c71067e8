import Foundation

/// The built program, run as a user would run it, with the test's configuration.
final class SpawnedNode {
    /// The process.
    private(set) var process: ChildProcess
    private let folder: URL
    private let environment: [String: String]
    private let id: String
    private let wrapper: [String]

    /// The path of the program, which is built next to the tests.
    static var program: String { get throws { try builtProgram("timer-node") } }

    /// The path of another program in the package.
    static func builtProgram(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }

    /// Starts `timer-node run` and waits until it logs that it has started.
    ///
    /// - Parameters:
    ///   - yaml: the configuration; `FOLDER` in it stands for the folder that contains it.
    ///   - id: the node's id in the configuration.
    ///   - files: further files in the folder, by name.
    ///   - environment: variables in addition to the test's own; `FOLDER` as above.
    ///   - wrapper: another program, with its arguments, that executes the node; none by default.
    init(
        _ yaml: String, id: String = "lectern", files: [String: String] = [:], environment: [String: String] = [:],
        under wrapper: [String] = []
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        self.folder = folder
        self.id = id
        self.wrapper = wrapper
        self.environment = environment.mapValues { $0.replacing("FOLDER", with: folder.path) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        let file = folder.appending(path: "timer-node.yaml")
        try yaml.replacing("FOLDER", with: folder.path).write(to: file, atomically: true, encoding: .utf8)
        process = try Self.start(file, id, environment: self.environment, under: wrapper)
    }

    /// Changes the configuration and makes the node read it again.
    func reload(_ yaml: String) throws {
        try yaml.replacing("FOLDER", with: folder.path)
            .write(to: folder.appending(path: "timer-node.yaml"), atomically: true, encoding: .utf8)
        process.signal(SIGHUP)
    }

    /// Starts a node called `lectern` with simulated lamps, one timer, and its state in a separate folder.
    convenience init(
        _ start: String, warning: String = "0", final: String = "0", brokers: String, mqtt: String = ""
    ) throws {
        try self.init(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(brokers)]\(mqtt)}
            timers: {groups: [{timers: [{name: Talk, start: \(start), warning: \(warning), final: \(final)}]}]}
            storage: {directory: FOLDER/state}
            """)
    }

    deinit {
        process.signal(SIGKILL)
        TestSecrets.check(savedState)
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lamps that the stoplight has shown so far, one line for each change.
    var lamps: [String] {
        process.read()
        return process.output.compactMap { $0.components(separatedBy: "  (").first }
    }

    /// The state that the node saved last, if its configuration names the folder `FOLDER/state`; empty before the first
    /// save.
    var savedState: String {
        let file = try? String(contentsOf: folder.appending(path: "state/state.json"), encoding: .utf8)
        // The last document may not be complete yet.
        let documents = (file ?? "").components(separatedBy: "\ntimer-node-state ")
        guard let last = documents.last(where: { $0.hasSuffix("}") }) else { return "" }
        return last.hasPrefix("timer-node-state ") ? last : "timer-node-state \(last)"
    }

    /// Whether the saved state has a current run; the run that `undo` would continue does not count. Nil before the
    /// first save.
    private var hasSavedRun: Bool? {
        let json = savedState.drop { $0 != "\n" }
        let state = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return state.map { $0["started_at"] != nil }
    }

    /// Waits until a run is saved, so it survives a kill. The node publishes the mode a moment before it saves the run.
    func waitForSavedRun() throws { try waitUntil("the saved run") { hasSavedRun == true } }

    /// Waits until the end of a run is saved.
    func waitForSavedStop() throws { try waitUntil("the saved stop") { hasSavedRun == false } }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file in the folder.
    func write(_ text: String, to name: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    /// Restarts the node after it has exited, as before or under another program.
    func restart(under other: [String]? = nil) throws {
        process = try Self.start(
            folder.appending(path: "timer-node.yaml"), id, environment: environment, under: other ?? wrapper)
    }

    /// Waits until the node logs that it is connected to a broker.
    func waitForConnection() throws { try process.waitForLine("the connection") { $0.contains("connected to") } }

    /// The number of times that the node has gone to sleep so far.
    var contextSwitches: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
    }

    /// Runs the program to its end.
    static func run(_ arguments: String...) throws -> (
        status: ChildProcess.ExitStatus, output: [String], errors: [String]
    ) {
        let process = try ChildProcess(program, arguments)
        let status = try process.waitForExit()
        return (status, process.output, process.errors)
    }

    private static func start(
        _ file: URL, _ id: String, environment: [String: String], under wrapper: [String] = []
    ) throws -> ChildProcess {
        let words = wrapper + [try program, "run", "--config", file.path]
        // Otherwise Swift's backtracer would handle fatal signals first, and take a long time.
        let process = try ChildProcess(
            words[0], Array(words.dropFirst()),
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
        try process.waitForLine("the node's start") { $0.contains("node \(id) started") }
        return process
    }
}

extension MosquittoBroker {
    /// The URL for a node's configuration.
    var url: String { "mqtt://127.0.0.1:\(port)" }
}
