import Foundation

/// A real mosquitto for one test, on a free loopback port, that ends with the test.
final class MosquittoBroker {
    /// The port that it listens on, at 127.0.0.1.
    let port: Int
    /// The port with the host.
    var address: BrokerAddress { BrokerAddress(host: "127.0.0.1", port: port) }
    private let folder: URL
    private var process: ChildProcess

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - users: the users who may connect, each with their password of ``TestSecrets``; if empty, any client may.
    ///   - settings: further lines of `mosquitto.conf`; `PASSWORDS` in them is the file with the users, `FOLDER` the
    ///     broker's folder.
    ///   - files: further files in the folder, by name.
    ///   - asInstalled: whether it holds small packets back, as mosquitto does by default.
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
                    // Started by root, mosquitto would become another user, who may not read the folder.
                    "user root",
                    // Otherwise, what the broker forwards may wait 40 ms for the acknowledgement of what it sent
                    // before.
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
        // The broker is killed when `process` is deleted, even while it is frozen.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines that it has logged.
    var log: [String] {
        process.read()
        return process.errors
    }

    /// A file in its folder, as text; nil if it does not exist.
    func file(_ name: String) -> String? {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for a line in its log.
    func waitForLog(_ text: String) throws { try process.waitForLine(text) { $0.contains(text) } }

    /// Ends it as an operator does; in MQTT 5 the clients are notified.
    func stop() throws { try process.terminate() }

    /// Ends it abruptly, as a power cut does.
    func kill() throws {
        process.signal(SIGKILL)
        try process.waitForExit()
    }

    /// Starts it again after ``stop()`` or ``kill()``, on the same port.
    func restart() throws { process = try Self.start(in: folder) }

    /// Suspends it: connections stay open without any answer.
    func freeze() { process.signal(SIGSTOP) }

    /// Lets it run again after ``freeze()``.
    func thaw() { process.signal(SIGCONT) }

    private static func start(in folder: URL) throws -> ChildProcess {
        let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        let process = try ChildProcess(program ?? "mosquitto", ["-c", folder.appending(path: "mosquitto.conf").path])
        try process.waitForLine("mosquitto's start") { $0.hasSuffix(" running") }
        // mosquitto logs this a moment before it handles signals: one that arrives in between is lost.
        usleep(20_000)
        return process
    }
}
