import Foundation
import Testing

@Suite("make install")
struct InstallTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    private func make(_ goal: String, prefix: String) throws {
        let clone = #filePath.replacing("/Tests/IntegrationTests/InstallTests.swift", with: "")
        let process = try ChildProcess(
            "make", ["-C", clone, goal, "DESTDIR=\(root.path)", "PREFIX=\(prefix)", "PROGRAM=\(SpawnedNode.program)"])
        try #require(try process.waitForExit() == .exited(0), "\(process.errors)")
    }

    /// The files, by their paths in a real installation.
    private func files() throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        var isFolder: ObjCBool = false
        return Set(
            paths.filter { path in
                unsafe FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }.map { "/\($0)" })
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test(
        "puts everything where systemd, udev and the unit look for it, and uninstall keeps the configuration",
        arguments: ["/usr", "/usr/local"])
    func installs(prefix: String) throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let configuration = "/etc/timer-node/timer-node.yaml"
        try make("install", prefix: prefix)
        let installed = try files()
        let unit = "\(prefix)/lib/systemd/system/timer-node.service"
        #expect(
            installed.isSuperset(of: [
                unit, configuration, "\(prefix)/bin/timer-node", "\(prefix)/lib/udev/rules.d/60-timer-node-gpio.rules",
                "\(prefix)/share/doc/timer-node/examples/toastmasters.yaml", "\(prefix)/lib/sysusers.d/timer-node.conf",
                "\(prefix)/share/doc/timer-node/examples/openhab/timer-node.things",
                "\(prefix)/share/doc/timer-node/examples/node-red/timer-node.json",
                "\(prefix)/share/doc/timer-node/examples/home-assistant/dashboard.yaml",
                "\(prefix)/share/doc/timer-node/examples/home-assistant/blueprints/automation/timer-node/"
                    + "announce_the_alarm.yaml",
                "\(prefix)/share/bash-completion/completions/timer-node",
                "\(prefix)/share/fish/vendor_completions.d/timer-node.fish",
            ]))
        // Each command has its section in the manual page.
        let manual = try text("\(prefix)/share/man/man1/timer-node.1")
        for command in ["RUN", "CHECK", "LINES", #"LAMP\-TEST"#, #"LAMPS\-OFF"#] {
            #expect(manual.contains(#".SH "TIMER\-NODE \#(command)""#))
        }
        #expect(manual.contains(#"\#(prefix)/share/doc/timer\-node/operating.md"#))
        // Everything that the unit names exists.
        let named = try text(unit).matches(
            of: /^(?:Exec\w+|Documentation)=(?:file:\/\/)?(\S*timer-node\S*).*$/.anchorsMatchLineEndings())
        #expect(
            Set(named.map { String($0.1) }) == [
                "\(prefix)/bin/timer-node", "\(prefix)/share/doc/timer-node/operating.md",
            ])
        #expect(installed.isSuperset(of: named.map { String($0.1) }))
        #expect(try text(unit).contains("--config \(configuration)\n"))
        #expect(try SpawnedNode.run("check", root.path + configuration).status == .exited(0))

        // An operator's own configuration is left unchanged.
        try "node: {id: mine}".write(to: root.appending(path: configuration), atomically: true, encoding: .utf8)
        try make("install", prefix: prefix)
        #expect(try files() == installed)
        try make("uninstall", prefix: prefix)
        #expect(try files() == [configuration])
        #expect(try text(configuration) == "node: {id: mine}")
    }

    @Test("installs timer-web where it finds its pages, and uninstall removes everything except the configuration")
    func installsWeb() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let configurations: Set = ["/etc/timer-web/timer-web.yaml"]
        try make("install-web", prefix: "/usr")
        let installed = try files()
        #expect(
            installed.isSuperset(of: [
                "/usr/bin/timer-web", "/usr/lib/systemd/system/timer-web.service", "/usr/share/timer-web/index.html",
                "/usr/share/timer-web/assets/texts/de.js", "/usr/share/man/man1/timer-web.1",
                "/usr/share/man/man5/timer-web.yaml.5", "/usr/share/doc/timer-web/web.md",
                "/usr/share/doc/timer-web/examples/nginx.conf", "/etc/avahi/services/timer-web.service",
                "/usr/share/bash-completion/completions/timer-web",
            ]))
        let program = root.path + "/usr/bin/timer-web"
        let check = try ChildProcess(program, ["check", root.path + "/etc/timer-web/timer-web.yaml"])
        #expect(try check.waitForExit() == .exited(0), "\(check.errors)")
        // It finds its pages relative to its own location.
        let port = try freePort()
        let server = try ChildProcess(
            program, ["run"],
            environment: ["TIMER_WEB_LISTEN": "127.0.0.1:\(port)", "STATE_DIRECTORY": root.path + "/state"])
        try waitUntil("the page of the rooms") {
            (try? Shell.run("curl -sf http://127.0.0.1:\(port)/").output.contains("<html")) == true
        }
        #expect(try server.terminate() == .exited(0))
        try FileManager.default.removeItem(atPath: root.path + "/state")
        try make("uninstall-web", prefix: "/usr")
        #expect(try files() == configurations)
    }
}
