import Foundation
import Testing
import TimerEngine

extension InSystemd {
    @Suite("The installed service")
    struct ServiceOnChip {
        let chip: SimulatedChip
        let broker: MosquittoBroker
        let user = MQTTProbe.User(name: "lectern")
        let service: InstalledService

        init() throws {
            chip = try #require(SimulatedChip.current)
            // A line that no process drives is high, so a process must hold the line of a dark lamp.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            broker = try MosquittoBroker(users: [user.name])
            service = try InstalledService(chip, Self.configuration(broker))
        }

        private static func configuration(_ broker: MosquittoBroker) -> String {
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], username: lectern}
            gpio:
              chip: auto
              outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
            timers: {groups: [{timers: [{name: Talk, start: 20s, warning: 6s, final: 2s}]}]}
            storage: {directory: /var/lib/timer-node}
            """
        }

        /// The outputs that are lit, or that no process holds.
        private func lit() throws -> Set<String> { try chip.highLines().subtracting(["BUTTON"]) }
        private let unheld: Set<String> = ["GREEN", "YELLOW", "RED", "BUZZER"]

        /// Starts the service and a run, and returns the time at which the run began.
        private func startTalk() throws -> Instant {
            try service.start()
            let probe = try MQTTProbe(broker, "timer/lectern/#", as: user)
            try probe.wait(for: "online", on: "timer/lectern/availability")
            let began = bootTime()
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: user)
            try waitUntil("green") { try lit() == ["GREEN"] }
            return began
        }

        /// Checks that a run continues to its end.
        private func apply(_ began: Instant) throws {
            for (seconds, lamps) in [(13.9, ["GREEN"]), (14.1, ["YELLOW"]), (17.9, ["YELLOW"]), (18.1, ["RED"])] {
                usleep(UInt32(max(0, bootTime().duration(to: began + .seconds(seconds)).inSeconds * 1_000_000)))
                #expect(try lit() == Set(lamps), "after \(seconds) s")
            }
            let status = try service.property("StatusText")
            #expect(status == "final, 2 left of Talk")
        }

        @Test("is active once it holds the lines, reports its status, and reads the password from its credential")
        func active() throws {
            _ = try startTalk()
            let status = try service.systemctl("status").output
            #expect(status.contains("Active: active (running)"))
            #expect(status.contains(/Status: "countdown, (20|19) left of Talk"/), "\(status)")
            #expect(try service.journal().contains { $0.contains("connected to \(broker.url)") })
            #expect(try !service.journal("warning").contains { $0.contains("connected") }, "each line has its priority")
            #expect(try InstalledService.sh("cat /var/lib/timer-node/state.json").contains(#""started_at""#))
        }

        @Test("holds the lines as soon as it is active, as an unprivileged user in a sandbox")
        func sandbox() throws {
            #expect(try lit() == unheld)
            try service.start()
            #expect(try lit() == [])
            let process = try String(contentsOfFile: "/proc/\(service.process)/status", encoding: .utf8)
            let user = try #require(process.firstMatch(of: /Uid:\t(\d+)/).flatMap { Int($0.1) })
            #expect((61184...65519).contains(user), "a dynamic user")
            #expect(process.contains(/CapPrm:\t0+\nCapEff:\t0+\nCapBnd:\t0+\n/))
            #expect(process.contains("NoNewPrivs:\t1\n") && process.contains("Seccomp:\t2\n"))

            // Within the service, even root can access the chip and the boot id, but not the following:
            #expect(
                try service.runInside("exec 3</dev/\(chip.name) && cat /proc/sys/kernel/random/boot_id").status == 0)
            let refused = [
                "exec 3</dev/hwrng": "Operation not permitted", "touch /usr/x": "Read-only file system",
                "touch /etc/timer-node/x": "Read-only file system",
            ]
            for (command, reason) in refused {
                #expect(try Shell.run(command).status == 0, "outside, the command works")
                let inside = try service.runInside(command)
                #expect(inside.status != 0 && inside.output.contains(reason), "\(command): \(inside)")
            }
        }

        @Test("reads its certificate's key from a credential, as does the lamps-off that follows it")
        func certificate() throws {
            let authority = try CertificateAuthority()
            let broker = try MosquittoBroker(
                authority.issue("broker"), settings: ["cafile \(authority.certificate)", "require_certificate true"])
            // The service does not see folders in /tmp.
            let own = try authority.issue("lectern")
            try InstalledService.sh("install -m 644 \(authority.certificate) \(own.certificate) /etc/timer-node")
            let key = "/etc/credstore/timer-node.mqtt-key"
            try InstalledService.sh("install -D -m 600 \(own.key) \(key)")
            // A password without a user name would be an error.
            try InstalledService.sh("rm /etc/credstore/timer-node.mqtt-password")
            defer { _ = try? Shell.run("rm \(key)") }
            try service.write(
                """
                node: {id: lectern}
                mqtt: {brokers: ["mqtts://127.0.0.1:\(broker.port)"], tls: {ca: ca.pem, certificate: lectern.pem}}
                gpio: {outputs: {green: {line: GREEN}}}
                """)
            try service.start()
            try broker.waitForLog("as timer-node-lectern")
            #expect(try kill(service.process, SIGKILL) == 0)
            try waitForLampsOff()
        }

        /// Waits until systemd has turned off the lamps of the killed service.
        private func waitForLampsOff() throws {
            // In the middle of the half second before the restart.
            usleep(250_000)
            try waitUntil("the pause before the restart") { try service.property("SubState") == "auto-restart" }
            let last = try service.property("ExecStopPost")
            #expect(last.contains("argv[]=/usr/bin/timer-node lamps-off --config"))
            #expect(last.contains("code=exited ; status=0"), "\(last)")
            #expect(try lit() == unheld)
        }

        @Test("when killed, has its lamps turned off, is restarted, and continues in the same second")
        func killed() throws {
            let began = try startTalk()
            let first = try service.process
            usleep(4_000_000)
            #expect(kill(first, SIGKILL) == 0)
            try waitForLampsOff()
            usleep(500_000)
            try waitUntil("the restart") { try service.property("SubState") == "running" }
            #expect(try service.process != first)
            #expect(try service.property("NRestarts") == "1")
            #expect(try lit() == ["GREEN"])
            #expect(began.duration(to: bootTime()) < .seconds(6))
            try apply(began)
        }

        @Test("when frozen, is killed by the watchdog, is restarted, and continues")
        func watchdog() throws {
            let began = try startTalk()
            let first = try service.process
            #expect(kill(first, SIGSTOP) == 0)
            // The watchdog was last fed at most five seconds ago.
            sleep(4)
            #expect(try service.process == first)
            sleep(7)
            #expect(try service.process != first)
            #expect(try service.journal().contains { $0.contains("Watchdog timeout (limit 10s)") })
            try waitUntil("the restart") { try service.property("SubState") == "running" }
            try apply(began)
        }

        @Test("rereads its configuration on reload, keeps the old one if the new one is invalid, and keeps counting")
        func reload() throws {
            let began = try startTalk()
            let good = Self.configuration(broker)
            try service.write(good + "\nlog: {level: loud}")
            try #require(try service.systemctl("reload").status == 0)
            try waitUntil("the refusal", timeout: .seconds(1)) {
                try service.journal("err").contains { $0.contains("the old one stays") }
            }
            #expect(try service.journal("err").contains { $0.contains(#"found "loud""#) })
            try service.write(good + "\nsignals: {countdown: {green: on, buzzer: on}}")
            try #require(try service.systemctl("reload").status == 0)
            try waitUntil("the buzzer") { try lit() == ["GREEN", "BUZZER"] }
            try service.write(good)
            try #require(try service.systemctl("reload").status == 0)
            try apply(began)
            #expect(try service.property("NRestarts") == "0")
        }

        @Test("stops within a second, publishes that it is offline, and saves the run")
        func stop() throws {
            let began = try startTalk()
            let probe = try MQTTProbe(broker, "timer/lectern/#", as: user)
            usleep(4_000_000)
            let asked = bootTime()
            #expect(try service.systemctl("stop") == Shell.Result(output: "", status: 0))
            #expect(asked.duration(to: bootTime()) < .seconds(1))
            #expect(try service.property("Result") == "success")
            #expect(try lit() == unheld)
            try probe.wait(for: "offline", on: "timer/lectern/availability")
            try service.start()
            try apply(began)
        }

        @Test("is not restarted while its configuration has errors")
        func faulty() throws {
            try service.write("node: {id: A}")
            #expect(try service.systemctl("start").status == 1)
            sleep(5)
            #expect(try service.property("ActiveState") == "failed")
            #expect(try service.property("ExecMainStatus") == "78")
            #expect(try service.property("NRestarts") == "0")
            #expect(try service.journal("err").contains { $0.contains("node.id: found") })
        }
    }
}
