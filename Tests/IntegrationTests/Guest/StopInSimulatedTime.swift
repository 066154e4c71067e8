import Foundation
import TestSupport
import Testing
import TimerEngine

extension InSimulatedTime {
    /// Nothing that a node is doing or waiting for delays a stop.
    @Suite("A node that is asked to stop")
    struct StopInSimulatedTime {
        private let chip: SimulatedChip

        init() throws {
            chip = try #require(SimulatedChip.current)
            // A line that no process drives is high.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
        }

        private func node(_ mqtt: String) throws -> SpawnedNode {
            try SpawnedNode(
                """
                node: {id: lectern}
                \(mqtt)
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                  buttons: [{line: BUTTON, active_low: true, press: start, hold: lamp_test}]
                timers: {groups: [{timers: [{name: Talk, start: 9s, warning: 6s, final: 3s}]}]}
                storage: {directory: FOLDER/state}
                """, files: ["mqtt.password": TestSecrets.wrongPassword])
        }

        /// Stops a node, which must stop in less than a second, hold no line afterwards, and have saved its last state.
        private func stop(_ node: SpawnedNode, by signal: Int32 = SIGTERM) throws {
            let asked = bootTime()
            #expect(try node.process.terminate(by: signal) == .exited(0))
            #expect(asked.duration(to: bootTime()) < .seconds(1))
            #expect(try chip.highLines() == Set(SimulatedChip.lineNames))
            #expect(node.savedState.hasPrefix("timer-node-state 1 "))
        }

        static let troubles: [Trouble.Kind] = [
            .noBroker, .killed, .frozen, .unknownName, .silentResolver, .hangingConnect, .silentServer,
            .hangingEverywhere, .wrongPassword, .flood,
        ]

        @Test("does so within a second, whatever is wrong with its broker", arguments: troubles)
        func trouble(kind: Trouble.Kind) throws {
            let trouble = try Trouble(kind)
            let node = try node("mqtt: {brokers: [\(trouble.brokers)], keepalive: 5s\(trouble.settings)}")
            if trouble.isConnectedAtStart { try node.waitForConnection() }
            try trouble.begin()
            // This is in the middle of an attempt, which ends ten seconds after its beginning, or between two attempts.
            var random = SeededGenerator(printedFor: "StopInSimulatedTime.trouble")
            usleep(.random(in: 0..<12_000_000, using: &random))
            try stop(node)
        }

        @Test("does so within a second, in the middle of a TLS handshake that goes nowhere")
        func handshake() throws {
            let server = try TCPListener()
            let authority = try CertificateAuthority()
            let node = try node(
                "mqtt: {brokers: [\"mqtts://127.0.0.1:\(server.port)\"], tls: {ca: \(authority.certificate)}}")
            let hello = try server.acceptConnection()
            var first: UInt8 = 0
            try waitUntil("the client's hello") { unsafe recv(hello, &first, 1, Int32(MSG_DONTWAIT)) == 1 }
            #expect(first == 0x16, "it is a handshake record")
            try stop(node)
        }

        @Test(
            "does so within a second in each mode, with its lamps off, and later continues from there",
            arguments: [(0.5, ["GREEN"]), (4, ["YELLOW"]), (7, ["RED"]), (9.1, ["RED", "BUZZER"])]
                as [(Double, Set<String>)], [SIGTERM, SIGINT])
        func modes(mode: (after: Double, lit: Set<String>), signal: Int32) throws {
            let node = try node("")
            try stop(node, by: signal)
            try node.restart()
            try chip.setPull(.down, of: "BUTTON")
            usleep(100_000)
            try chip.setPull(.up, of: "BUTTON")
            try waitUntil("green") { try chip.highLines().subtracting(["BUTTON"]) == ["GREEN"] }
            usleep(UInt32(mode.after * 1_000_000))
            #expect(try chip.highLines().subtracting(["BUTTON"]) == mode.lit)
            try stop(node, by: signal)
            try node.restart()
            #expect(try chip.highLines().subtracting(["BUTTON"]) == mode.lit)
        }

        @Test("does so within a second during a lamp test")
        func lampTest() throws {
            let node = try node("")
            // Pressing the button starts the timer, which lights green; holding it down tests each lamp.
            let pressed = bootTime()
            try chip.setPull(.down, of: "BUTTON")
            try waitUntil("yellow") { try chip.highLines() == ["YELLOW"] }
            #expect(pressed.duration(to: bootTime()) < .milliseconds(2500), "before the timer's own yellow")
            try chip.setPull(.up, of: "BUTTON")
            try stop(node)
        }
    }
}
