import Foundation
import Testing
import TimerEngine

/// The unit as `make install` installs it, run by the machine's own systemd.
final class InstalledService {
    static let configuration = "/etc/timer-node/timer-node.yaml"
    static let state = "/var/lib/timer-node/state.json"
    static let name = "timer-node"

    private let chip: SimulatedChip

    /// Installs the service, unless it is already installed, without starting it.
    init(_ chip: SimulatedChip, _ yaml: String) throws {
        self.chip = chip
        try Self.installation.get()
        // A udev rule would do this, but the guest runs no udev.
        try Self.sh("chgrp gpio /dev/\(chip.name) && chmod 660 /dev/\(chip.name)")
        let credential = "/etc/credstore/timer-node.mqtt-password"
        try Self.sh("install -D -m 600 /dev/null \(credential)")
        try "\(TestSecrets.password(of: "lectern"))\n".write(toFile: credential, atomically: false, encoding: .utf8)
        try write(yaml)
    }

    /// The installation, done once per guest. Its changes are lost when the guest ends.
    private static let installation = Result {
        let clone = #filePath.replacing("/Tests/IntegrationTests/Guest/InstalledService.swift", with: "")
        try sh("make -C '\(clone)' install PREFIX=/usr PROGRAM='\(SpawnedNode.program)'")
        // A debug build needs Swift's libraries, which may be in a home directory that the unit hides.
        try sh("ldd /usr/bin/timer-node | awk '/swift/ { print $3 }' | xargs -r cp -n -t /usr/local/lib; ldconfig")
        try sh("getent group gpio || groupadd --system gpio")
        try sh("systemctl daemon-reload")
    }

    deinit {
        // Reading the journal also checks it for secrets.
        _ = try? journal()
        _ = try? Shell.run("systemctl stop timer-node; systemctl reset-failed timer-node; rm -f \(Self.state)")
    }

    /// Changes the configuration.
    func write(_ yaml: String) throws { try yaml.write(toFile: Self.configuration, atomically: true, encoding: .utf8) }

    /// Starts the service and waits until it is active.
    func start() throws {
        guard try systemctl("start") == Shell.Result(output: "", status: 0) else {
            throw TestFailure("\(Self.name) does not start: \(try journal())")
        }
    }

    /// Runs a systemctl verb on the service; returns its status and output.
    func systemctl(_ verb: String) throws -> Shell.Result { try Shell.run("systemctl --no-pager \(verb) timer-node") }

    /// Returns a property of the service, as `systemctl show` prints it.
    func property(_ name: String) throws -> String {
        try Self.sh("systemctl show -P \(name) timer-node").replacing("\n", with: "")
    }

    /// The node's process.
    var process: pid_t { get throws { try #require(try pid_t(property("MainPID"))) } }

    /// The service's journal, limited to a minimum priority.
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

    /// Runs a command line, and throws if it fails.
    @discardableResult
    static func sh(_ commandLine: String) throws -> String {
        let result = try Shell.run(commandLine)
        guard result.status == 0 else { throw TestFailure("\(commandLine): \(result.output)") }
        return result.output
    }
}
