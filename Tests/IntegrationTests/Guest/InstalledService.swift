import Foundation
import Testing
import TimerEngine

/// The unit as `make install` puts it on a machine, driven by that machine's own systemd.
final class InstalledService {
    static let configuration = "/etc/timer-node/timer-node.yaml"
    static let state = "/var/lib/timer-node/state.json"
    static let name = "timer-node"

    private let chip: SimulatedChip

    /// Installs it where it is not yet, and starts nothing.
    init(_ chip: SimulatedChip, _ yaml: String) throws {
        self.chip = chip
        try Self.installation.get()
        // No udev runs here, whose rule does it.
        try Self.sh("chgrp gpio /dev/\(chip.name) && chmod 660 /dev/\(chip.name)")
        let credential = "/etc/credstore/timer-node.mqtt-password"
        try Self.sh("install -D -m 600 /dev/null \(credential)")
        try "\(TestSecrets.password(of: "lectern"))\n".write(toFile: credential, atomically: false, encoding: .utf8)
        try write(yaml)
    }

    /// Done once; what a guest changes is forgotten with it.
    private static let installation = Result {
        let clone = #filePath.replacing("/Tests/IntegrationTests/Guest/InstalledService.swift", with: "")
        try sh("make -C '\(clone)' install PREFIX=/usr PROGRAM='\(SpawnedNode.program)'")
        // A program that was built for debugging needs Swift's libraries, which may be in a home, and homes are hidden.
        try sh("ldd /usr/bin/timer-node | awk '/swift/ { print $3 }' | xargs -r cp -n -t /usr/local/lib; ldconfig")
        try sh("getent group gpio || groupadd --system gpio")
        try sh("systemctl daemon-reload")
    }

    deinit {
        // Read, it is looked through for secrets.
        _ = try? journal()
        _ = try? Shell.run("systemctl stop timer-node; systemctl reset-failed timer-node; rm -f \(Self.state)")
    }

    /// Changes the configuration.
    func write(_ yaml: String) throws { try yaml.write(toFile: Self.configuration, atomically: true, encoding: .utf8) }

    /// Starts it; returns when it is active.
    func start() throws {
        guard try systemctl("start") == Shell.Result(output: "", status: 0) else {
            throw TestFailure("\(Self.name) does not start: \(try journal())")
        }
    }

    /// Has systemd do something with it; returns the status and what was said.
    func systemctl(_ verb: String) throws -> Shell.Result { try Shell.run("systemctl --no-pager \(verb) timer-node") }

    /// One of its properties, as `systemctl show` has it.
    func property(_ name: String) throws -> String {
        try Self.sh("systemctl show -P \(name) timer-node").replacing("\n", with: "")
    }

    /// The node's process.
    var process: pid_t { get throws { try #require(try pid_t(property("MainPID"))) } }

    /// What the journal has of it from a priority up.
    func journal(_ priority: String = "debug") throws -> [String] {
        try Self.sh("journalctl --sync; journalctl -u timer-node -o cat -p \(priority)").split(separator: "\n").map(
            String.init)
    }

    /// Runs a command line among the service's processes, as root.
    func runInside(_ commandLine: String) throws -> Shell.Result {
        let group = try "/sys/fs/cgroup" + property("ControlGroup")
        let script =
            "echo $$ >\(group)/cgroup.procs && exec nsenter -t \(try process) -m sh -c \(Shell.quote(commandLine))"
        return try Shell.run(script)
    }

    /// Runs a command line, which has to do what it is for.
    @discardableResult
    static func sh(_ commandLine: String) throws -> String {
        let result = try Shell.run(commandLine)
        guard result.status == 0 else { throw TestFailure("\(commandLine): \(result.output)") }
        return result.output
    }
}
