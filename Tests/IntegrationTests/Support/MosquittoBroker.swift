import Foundation

/// A real mosquitto broker on a free loopback port, which runs until the end of one test.
final class MosquittoBroker {
    /// The port that it listens on, at 127.0.0.1.
    let port: Int
    /// The host and port.
    var address: BrokerAddress { BrokerAddress(host: "127.0.0.1", port: port) }
    private let folder: URL
    private var process: ChildProcess

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - users: the users who may connect, each with their password from ``TestSecrets``; if empty, any client may.
    ///   - settings: further lines for `mosquitto.conf`; in them, `PASSWORDS` stands for the file with the users, and
    ///     `FOLDER` for the broker's folder.
    ///   - files: further files in the folder, by name.
    ///   - asInstalled: whether the broker delays small packets, as mosquitto does by default.
    /// - Throws: ``TestFailure`` if mosquitto does not start.
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

        // A port that is free now may be taken a moment later by a test that runs at the same time.
        for attempt in 1... {
            let port = try freePort()
            let lines =
                [
                    // Without this, mosquitto would switch to a user who may not read the folder if root starts it.
                    "user root",
                    // Otherwise, a message that the broker forwards may wait 40 ms for the acknowledgement of the
                    // previous one.
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
        // The broker is killed when `process` is deinitialised, even while it is frozen.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines that the broker has logged.
    var log: [String] {
        process.read()
        return process.errors
    }

    /// The text of a file in the broker's folder; nil if the file does not exist.
    func file(_ name: String) -> String? {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for a line in the broker's log.
    func waitForLog(_ text: String) throws { try process.waitForLine(text) { $0.contains(text) } }

    /// Stops the broker as an operator does; in MQTT 5, the clients are notified.
    func stop() throws { try process.terminate() }

    /// Kills the broker, as a power cut does.
    func kill() throws {
        process.signal(SIGKILL)
        try process.waitForExit()
    }

    /// Restarts the broker after ``stop()`` or ``kill()``, on the same port.
    func restart() throws { process = try Self.start(in: folder) }

    /// Suspends the broker: connections stay open but receive no response.
    func freeze() { process.signal(SIGSTOP) }

    /// Resumes the broker after ``freeze()``.
    func thaw() { process.signal(SIGCONT) }

    private static func start(in folder: URL) throws -> ChildProcess {
        let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        let process = try ChildProcess(program ?? "mosquitto", ["-c", folder.appending(path: "mosquitto.conf").path])
        try process.waitForLine("mosquitto's start") { $0.hasSuffix(" running") }
        // mosquitto logs this a moment before it handles signals; a signal that arrives in between is lost.
        usleep(20_000)
        return process
    }
}
