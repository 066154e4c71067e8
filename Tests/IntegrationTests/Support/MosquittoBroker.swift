import Foundation

/// A real mosquitto of a test's own, on a free port of the loopback, that ends with the test.
final class MosquittoBroker {
    /// Where it listens, at 127.0.0.1.
    let port: Int
    /// The same with the host.
    var address: BrokerAddress { BrokerAddress(host: "127.0.0.1", port: port) }
    private let folder: URL
    private var process: ChildProcess

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - users: who is let in, each with their password of ``TestSecrets``; with none, anybody is.
    ///   - settings: further lines of `mosquitto.conf`; `PASSWORDS` in them is the file with the users, `FOLDER` the
    ///     broker's folder.
    ///   - files: what else there is in the folder, by name.
    ///   - asInstalled: whether it holds small packets back, as mosquitto does unless it is told otherwise.
    /// - Throws: ``TestFailure`` where mosquitto does not start.
    init(
        users: [String] = [], settings: [String] = [], files: [String: String] = [:],
        log logType: String = "all", asInstalled: Bool = false
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let passwords = folder.appending(path: "passwords")
        if !users.isEmpty {
            try users.map { "\($0):\(TestSecrets.password(of: $0))\n" }.joined().write(
                to: passwords, atomically: true, encoding: .utf8)
            try ChildProcess("mosquitto_passwd", ["-U", passwords.path]).waitForExit()
        }

        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }

        // A port that is free now may be taken in the next moment, by a test beside this one.
        for attempt in 1... {
            let port = try freePort()
            let lines =
                [
                    // Started by root, mosquitto becomes another user, who may not read the folder.
                    "user root",
                    // Without it what the broker passes on may wait 40 ms for the acknowledgement of what it sent before.
                    "set_tcp_nodelay \(!asInstalled)",
                    "listener \(port) 127.0.0.1", "persistence false", "log_dest stderr", "log_type \(logType)",
                ]
                + (settings.contains { $0.hasPrefix("password_file ") }
                    ? [] : [users.isEmpty ? "allow_anonymous true" : "password_file PASSWORDS"])
                + settings
            try lines.joined(separator: "\n").replacing("PASSWORDS", with: passwords.path)
                .replacing("FOLDER", with: folder.path).write(
                    to: folder.appending(path: "mosquitto.conf"), atomically: true, encoding: .utf8)
            do {
                process = try Self.start(in: folder)
                self.port = port
                return
            } catch  where attempt < 5 {}
        }
        throw TestFailure("unreachable")
    }

    deinit {
        // A stopped process is killed too, by the process's own end.
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it has logged.
    var log: [String] {
        process.read()
        return process.errors
    }

    /// A file in its folder, as text where it is one; nil where there is none.
    func file(_ name: String) -> String? {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for a line of its log.
    func waitForLog(_ text: String) throws { try process.waitForLine(text) { $0.contains(text) } }

    /// Ends it as an operator does; clients are told in MQTT 5.
    func stop() throws { try process.terminate() }

    /// Ends it as a power cut does.
    func kill() throws {
        process.signal(SIGKILL)
        try process.waitForExit()
    }

    /// Starts it again after ``stop()`` or ``kill()``, on the same port.
    func restart() throws { process = try Self.start(in: folder) }

    /// Keeps it from running: connections stay open and nobody answers.
    func freeze() { process.signal(SIGSTOP) }

    /// Lets it run again after ``freeze()``.
    func thaw() { process.signal(SIGCONT) }

    private static func start(in folder: URL) throws -> ChildProcess {
        let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        let process = try ChildProcess(program ?? "mosquitto", ["-c", folder.appending(path: "mosquitto.conf").path])
        try process.waitForLine("mosquitto's start") { $0.hasSuffix(" running") }
        // It says so a moment before it obeys a signal: one that comes between is lost.
        usleep(20_000)
        return process
    }
}
