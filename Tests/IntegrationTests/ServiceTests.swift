import Foundation
import Testing
import TimerEngine

@Suite("A node under a service manager")
struct ServiceTests {
    private static let yaml = """
        node: {id: lectern}
        timers: {groups: [{timers: [{name: Talk, start: 1:30}]}]}
        """

    /// Starts a node whose service manager may require a watchdog message at a given interval.
    private func node(
        _ manager: NotifySocket, watchdog: Duration? = nil, yaml: String = yaml, process: String? = nil
    ) throws -> SpawnedNode {
        var environment = ["NOTIFY_SOCKET": manager.name]
        if let watchdog { environment["WATCHDOG_USEC"] = String(watchdog / .microseconds(1)).replacing(".0", with: "") }
        environment["WATCHDOG_PID"] = process
        return try SpawnedNode(yaml, environment: environment)
    }

    @Test("reports that it is ready, its status, and that it is stopping", arguments: [false, true])
    func tells(isAbstract: Bool) throws {
        let broker = try MosquittoBroker()
        let manager = try NotifySocket(isAbstract: isAbstract)
        let node = try node(manager, yaml: Self.yaml + "\nmqtt: {brokers: [\(broker.url)]}")
        try manager.wait(for: "READY=1")
        try manager.wait(for: "STATUS=stopped, 1:30 left of Talk; lamps simulated: no gpio.outputs")
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try manager.wait(for: "STATUS=countdown, 1:29 left of Talk; lamps simulated: no gpio.outputs")
        #expect(try node.process.terminate() == .exited(0))
        #expect(manager.texts.last == "STOPPING=1")
        #expect(manager.texts.count { $0 == "READY=1" } == 1)
        #expect(!manager.texts.contains("WATCHDOG=1"), "it was not requested")
    }

    @Test("reports why the lamps are simulated, until the configuration has outputs")
    func reportsSimulation() throws {
        let manager = try NotifySocket()
        let node = try node(manager)
        try manager.wait(for: "STATUS=stopped, 1:30 left of Talk; lamps simulated: no gpio.outputs")
        try node.reload(Self.yaml + "\ngpio: {chip: simulated, outputs: {green: {line: GREEN}}}")
        try manager.wait(for: "STATUS=stopped, 1:30 left of Talk; lamps simulated: gpio.chip is simulated")
        try node.reload(Self.yaml + "\ngpio: {chip: /dev/no-such-chip, outputs: {green: {line: GREEN}}}")
        try manager.wait(for: "STATUS=stopped, 1:30 left of Talk")
        #expect(try node.process.terminate() == .exited(0))
    }

    @Test("is ready without its broker, and without its lines once it has logged the reason")
    func readyWithFault() throws {
        let manager = try NotifySocket()
        let node = try node(
            manager,
            yaml: Self.yaml + """

                mqtt: {brokers: ["mqtt://no-such-host.invalid"]}
                gpio: {chip: /dev/no-such-chip, outputs: {green: {line: GREEN}}}
                """)
        try manager.wait(for: "READY=1")
        node.process.read()
        #expect(node.process.errors.contains { $0.contains("outputs: ") })
    }

    @Test("feeds the watchdog twice as often as required, but not while the process is stopped")
    func watchdog() throws {
        let manager = try NotifySocket()
        let node = try node(manager, watchdog: .milliseconds(400))
        let fed = { manager.texts.count { $0 == "WATCHDOG=1" } }
        try waitUntil("a watchdog message") { fed() > 0 }
        let (began, first) = (ContinuousClock.now, fed())
        try waitUntil("nine more") { fed() >= first + 9 }
        let (took, more) = (ContinuousClock.now - began, fed() - first)
        // The node may feed the watchdog neither more often than expected, apart from one message that may be in
        // flight, nor less often overall.
        #expect(.milliseconds(200) * (more - 1) <= took && took < .seconds(9), "\(more) in \(took)")

        node.process.signal(SIGSTOP)
        try waitUntil("the stop") {
            try String(contentsOfFile: "/proc/\(node.process.pid)/stat", encoding: .utf8).contains(") T ")
        }
        let before = fed()
        usleep(1_000_000)
        #expect(fed() == before, "the watchdog would act")
        node.process.signal(SIGCONT)
        try waitUntil("another watchdog message") { fed() > before }
    }

    @Test("does not feed a watchdog meant for another process")
    func otherProcess() throws {
        let manager = try NotifySocket()
        let node = try node(manager, watchdog: .milliseconds(20), process: "1")
        try manager.wait(for: "READY=1")
        usleep(300_000)
        #expect(!manager.texts.contains("WATCHDOG=1"))
        #expect(try node.process.terminate() == .exited(0))
    }

    private static let hasAnalyze = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

    @Test(
        "has units that systemd accepts, with a low exposure level", .enabled(if: hasAnalyze),
        arguments: ["timer-node", "timer-web"])
    func unit(_ name: String) throws {
        let shipped = #filePath.replacing("Tests/IntegrationTests/ServiceTests.swift", with: "config/\(name).service")
        let folder = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let unit = folder.appending(path: "\(name).service").path
        try String(contentsOfFile: shipped, encoding: .utf8)
            .replacing("/usr/bin/\(name)", with: SpawnedNode.program)
            .write(toFile: unit, atomically: true, encoding: .utf8)
        // Man pages, and units that the unit is ordered after, may be missing here; neither is an error in the unit.
        let verified = try Shell.run("systemd-analyze --man=no --recursive-errors=no verify \(unit)")
        #expect(verified == Shell.Result(output: "", status: 0))
        let exposed = try Shell.run(
            "systemd-analyze --no-pager --offline=true --threshold=15 security \(unit) | cat; exit 0")
        let level = exposed.output.firstMatch(of: /Overall exposure level for \S+\.service: ([0-9.]+)/)
        #expect(level.flatMap { Double($0.1) }.map { $0 <= 1.5 } == true, "\(exposed.output)")
    }
}

extension ServiceTests {
    @Test("reads its configuration again on SIGHUP while it counts, and keeps the old one if the new one has errors")
    func reload() throws {
        let broker = try MosquittoBroker()
        let yaml = { (rest: String) in
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{timers: [{name: Talk, start: 1:30}]}]}
            \(rest)
            """
        }
        let node = try SpawnedNode(yaml(""))
        let probe = try MQTTProbe(broker, "timer/lectern/#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try node.process.waitForLine("green") { $0.hasPrefix("green") }

        try node.reload(yaml("signals: {countdown: {yellow: on}}\nlog: {level: loud}"))
        try node.process.waitForLine("the error") { $0.contains(#"timer-node.yaml:5: log.level: found "loud""#) }
        try node.process.waitForLine("the refusal") { $0.contains("the old one stays") }
        #expect(node.lamps.last == "green")

        try node.reload(yaml("signals: {countdown: {yellow: on}}\nlog: {level: debug}"))
        try node.process.waitForLine("yellow") { $0.hasPrefix("yellow") }
        // Another simulated chip, so the node releases the lines and acquires them again.
        try node.reload(yaml("gpio: {outputs: {green: {line: A}}, chip: simulated}"))
        try waitUntil("green again") { node.lamps.last == "green" }
        #expect(!probe.messages.contains { $0.topic.hasSuffix("mode") && $0.payload == "stopped" && !$0.retained })
        try MQTTProbe.publish(broker, "timer/lectern/command/pause", "")
        try probe.wait(for: "paused", on: "timer/lectern/mode")
        #expect(try node.process.terminate() == .exited(0))
    }
}

extension ServiceTests {
    @Test("never logs a password, whether the broker refuses it or not", arguments: ["text", "json"])
    func password(format: String) throws {
        let password = TestSecrets.password(of: "me")
        let broker = try MosquittoBroker()
        let yaml = """
            node: {id: lectern}
            mqtt: {brokers: ["mqtt://127.0.0.1:1", \(broker.url)], username: me}
            timers: {groups: [{timers: [{name: Talk, start: 1:30}]}]}
            log: {level: debug, format: \(format)}
            """
        let node = try SpawnedNode(yaml, environment: ["TIMER_NODE_MQTT_PASSWORD": password])
        let probe = try MQTTProbe(broker, "#")
        try probe.wait(for: "online", on: "timer/lectern/availability")
        // A password in the configuration is an error, but the message does not show it.
        try node.reload(yaml.replacing("username: me", with: "username: me, password: \(password)x"))
        try node.reload(yaml.replacing("username: me", with: "username: [\(password)]"))
        try node.process.waitForLine("the refusal") { $0.contains("the old one stays") }
        #expect(try node.process.terminate() == .exited(0))
        #expect(!(node.process.errors + node.process.output).contains { $0.contains(password) })
        #expect(!probe.messages.contains { $0.payload.contains(password) })
        if format == "json" { #expect(node.process.errors.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }) }
    }
}
