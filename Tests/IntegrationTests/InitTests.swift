import Foundation
import Testing

@Suite("The command init")
final class InitTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "timer-node.yaml").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// All options except the broker.
    private let options = ["--profile=toastmasters", "--chip=simulated", "--id=lectern"]

    /// Runs the command to its end without a terminal.
    private func run(_ arguments: [String]) throws -> (
        status: ChildProcess.ExitStatus, output: [String], errors: [String]
    ) {
        let process = try ChildProcess(SpawnedNode.program, ["init", file] + arguments)
        let status = try process.waitForExit()
        return (status, process.output, process.errors)
    }

    /// The names of the existing files.
    private var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) }
    }

    private func text(_ name: String = "timer-node.yaml") throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test("writes a valid file without a terminal, and prints how to start the node")
    func scripted() throws {
        let broker = try MosquittoBroker()
        let result = try run(options + ["--broker", broker.url])
        #expect(result.errors == [])
        #expect(result.status == .exited(0))
        #expect(
            result.output.suffix(6) == [
                "\(file): valid", "To start it:", "  timer-node run --config \(file)",
                "Then, to see it and to start the timer:", "  timer-node watch lectern",
                "  timer-node send lectern start",
            ])
        #expect(broker.log.contains { $0.contains("as timer-client-") })
        #expect(try Shell.run("stat -c %a \(file)").output == "644\n")
        let check = try SpawnedNode.run("check", file)
        #expect(check == (.exited(0), ["\(file): valid"], []))
        #expect(try files == ["timer-node.yaml"])
    }

    @Test("reports that it has chosen simulated lamps because no chip has the usual lines")
    func simulatedByDefault() throws {
        let result = try run(["--yes", "--profile=toastmasters", "--broker=none", "--id=desk"])
        #expect(result.status == .exited(0))
        let isSimulated = try text().contains("chip: simulated")
        #expect(result.output.contains { $0.hasPrefix("the lamps are simulated") } == isSimulated)
    }

    @Test("reports why the requested lamp test is impossible, and still prints how to start the node")
    func noLamps() throws {
        let result = try run(options + ["--broker=none", "--lamp-test"])
        #expect(result.status == .exited(69))
        #expect(result.errors == ["chip: simulated has no lines"])
        #expect(result.output == ["\(file): valid", "To start it:", "  timer-node run --config \(file)"])
    }

    @Test("creates a missing folder, world-readable like the file, whatever the umask")
    func missingFolder() throws {
        let file = folder.appending(path: "timer-node/node.yaml").path
        let result = try Shell.run(
            "umask 077; \(SpawnedNode.program) init \(file) --yes --broker=none --chip=simulated")
        #expect(result.status == 0, "\(result.output)")
        #expect(try Shell.run("stat -c %a \(folder.path)/timer-node \(file)").output == "755\n644\n")
    }

    @Test("lists all missing options at once, and does nothing without them")
    func missing() throws {
        let result = try run(["--profile=podium", "--red=1"])
        #expect(result.status == .exited(64))
        #expect(
            result.errors == [
                "cannot ask questions without a terminal: give --chip, --green, --yellow, --buzzer, --broker, --id, or --yes"
            ])
        #expect(try run(["--chip=simulated", "--red=1"]).status == .exited(64))
        #expect(try run(["--yes", "--profile=disco"]).status == .exited(64))
        #expect(try files.isEmpty)
    }

    @Test("leaves an existing file unchanged without --force, and backs it up with --force")
    func existing() throws {
        try "mine: 1\n".write(toFile: file, atomically: true, encoding: .utf8)
        let refused = try run(options + ["--broker=none"])
        #expect(refused.status == .exited(64))
        #expect(refused.errors == ["\(file) exists: --force replaces it"])
        #expect(try text() == "mine: 1\n")
        let forced = try run(options + ["--broker=none", "--force"])
        #expect(forced.status == .exited(0))
        #expect(forced.output.contains("the old file is kept as \(file).bak"))
        #expect(try text("timer-node.yaml.bak") == "mine: 1\n")
        #expect(try text().contains("profile: toastmasters"))
        #expect(try files == ["timer-node.yaml", "timer-node.yaml.bak"])
    }

    @Test("reports why a broker is unreachable, and accepts it without a test on request")
    func noBroker() throws {
        let broker = "--broker=mqtt://127.0.0.1:\(try freePort())"
        let result = try run(options + [broker])
        #expect(result.status == .exited(69))
        #expect(result.errors.first?.contains("Connection refused; if no broker is installed here: sudo apt") == true)
        #expect(try files.isEmpty)
        #expect(try run(options + [broker, "--no-try"]).status == .exited(0))
        #expect(try files == ["timer-node.yaml"])
    }

    @Test("gives up on a broker that does not respond")
    func silentBroker() throws {
        let listener = try TCPListener()
        let result = try run(options + ["--broker=mqtt://127.0.0.1:\(listener.port)"])
        #expect(result.status == .exited(69))
        #expect(result.errors.first?.contains("did not answer within 10 s") == true, "\(result.errors)")
    }

    @Test("also tries the older MQTT version, as the node does")
    func olderBroker() throws {
        let listener = try TCPListener()
        let process = try ChildProcess(
            SpawnedNode.program, ["init", file] + options + ["--broker=mqtt://127.0.0.1:\(listener.port)"])
        let first = try ScriptedBroker(listener)
        #expect(try first.connectLevel() == 5)
        // CONNACK: unacceptable protocol version.
        first.send([0x20, 2, 0, 1])
        first.close()
        let second = try ScriptedBroker(listener)
        #expect(try second.connectLevel() == 4)
        second.send([0x20, 2, 0, 0])
        #expect(try process.waitForExit() == .exited(0), "\(process.errors)")
    }

    @Test("tries the password, and writes its path, not the password itself")
    func password() throws {
        let broker = try MosquittoBroker(users: ["lectern"])
        let secret = folder.appending(path: "secret").path
        let all = options + ["--broker", broker.url, "--username=lectern", "--password-file", secret]
        try TestSecrets.wrongPassword.write(toFile: secret, atomically: true, encoding: .utf8)
        let refused = try run(all)
        #expect(refused.status == .exited(69))
        #expect(refused.errors.first?.contains("are the user name and the password right?") == true)
        #expect(try files == ["secret"])

        try TestSecrets.password(of: "lectern").write(toFile: secret, atomically: true, encoding: .utf8)
        #expect(try run(all).status == .exited(0))
        #expect(try text().contains("password_file: \"\(secret)\""))
        #expect(try !text().contains(TestSecrets.mark))

        // A password from the environment is also tried.
        try FileManager.default.removeItem(atPath: file)
        let process = try ChildProcess(
            SpawnedNode.program,
            ["init", file] + options + ["--broker", broker.url, "--username=lectern", "--password-file=none"],
            environment: ["TIMER_NODE_MQTT_PASSWORD": TestSecrets.password(of: "lectern")])
        #expect(try process.waitForExit() == .exited(0), "\(process.errors)")
        #expect(try !text().contains(TestSecrets.mark))
    }

    @Test("asks no questions if it may not write, and suggests a remedy")
    func permission() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let result = try Shell.run("\(user)\(SpawnedNode.program) init \(file) --yes --broker=none")
        #expect(result.status == 74)
        #expect(result.output == "cannot write \(file): Permission denied; run it with sudo\n")
        #expect(try Shell.run("\(SpawnedNode.program) init /dev/null --yes --broker=none").status == 74)
    }
}
