import Foundation
import Testing
import TimerEngine

extension InSimulatedTime {
    /// A talk of 30 s on the chip, started by a button, with trouble from the beginning, or from the 6th second, until
    /// the 23rd.
    @Suite("A node in trouble, on the chip")
    struct FaultsInSimulatedTime {
        private let chip: SimulatedChip
        private let manager: NotifySocket

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            manager = try NotifySocket()
        }

        private func node(_ trouble: Trouble) throws -> SpawnedNode {
            try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(trouble.brokers)], keepalive: 5s\(trouble.settings)}
                gpio:
                  chip: auto
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                  buttons: [{line: BUTTON, press: start}]
                timers: {groups: [{timers: [{name: Talk, start: 30s, warning: 20s, final: 10s}]}]}
                """, files: ["mqtt.password": TestSecrets.wrongPassword], environment: ["NOTIFY_SOCKET": manager.name])
        }

        /// The statuses that the node has sent to its manager, in order, such as `warning, 20 left of Talk`.
        private var statuses: [(at: Instant, text: String)] {
            manager.read()
            return manager.messages.filter { $0.text.hasPrefix("STATUS=") }.map {
                ($0.at, String($0.text.dropFirst(7)))
            }
        }

        /// The number of threads of a process.
        private func threads(_ node: SpawnedNode) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(node.process.pid)/task").count
        }

        private func number(_ key: String, in health: String) -> Int? {
            Int((health.components(separatedBy: "\"\(key)\":").dropFirst().first ?? "").prefix { $0.isNumber })
        }

        @Test("lights each lamp and counts each second when it is due", arguments: Trouble.Kind.allCases)
        func onTheSecond(kind: Trouble.Kind) throws {
            let trouble = try Trouble(kind)
            let node = try node(trouble)
            var received: [MQTTProbe.Message] = []
            var probe: MQTTProbe?
            if trouble.isConnectedAtStart {
                try node.waitForConnection()
                probe = try MQTTProbe(trouble.broker, "timer/#", as: trouble.user)
            }

            // Each second with the time at which the test received it.
            var seconds: [(at: Double, text: String)] = []
            var threads = 0
            let steps: [(at: Double, do: () throws -> Void)] = [
                (0.5, { try chip.setPull(.up, of: "BUTTON") }), (0.7, { try chip.setPull(.down, of: "BUTTON") }),
                (
                    6,
                    {
                        if [.killed, .killedWithPersistence].contains(kind) {
                            received += probe?.messages ?? []
                            probe = nil
                        }
                        try trouble.begin()
                    }
                ),
                (
                    23,
                    {
                        threads = try self.threads(node)
                        try trouble.end(node)
                        if probe == nil { probe = try MQTTProbe(trouble.broker, "timer/#", as: trouble.user) }
                    }
                ),
            ]
            let before = statuses.count
            let recording = try ChipRecording(chip, seconds: 32) { start in
                for step in steps {
                    manager.listen(until: start + .seconds(step.at))
                    try step.do()
                }
                manager.listen(until: start + .seconds(32))
                seconds = statuses.dropFirst(before).map { (start.duration(to: $0.at).inSeconds, $0.text) }
            }

            let lamps = recording.changes.drop { $0.high.subtracting(["BUTTON"]).isEmpty }
                .reduce(into: [ChipRecording.Change]()) { changes, change in
                    let high = change.high.subtracting(["BUTTON"])
                    if high != changes.last?.high { changes.append(.init(at: change.at, high: high)) }
                }
            #expect(lamps.prefix(4).map(\.high) == [["GREEN"], ["YELLOW"], ["RED"], ["RED", "BUZZER"]])
            let began = try #require(lamps.first).at
            for (lamp, due) in zip(lamps, [0.0, 10, 20, 30]) { #expect(abs(lamp.at - began - due) < 0.004, "\(lamp)") }

            let modes = ["countdown", "warning", "final"]
            let due = (1...30).reversed().map { "\(modes[(30 - $0) / 10]), \($0) left of Talk" }
            #expect(seconds.map(\.text) == due + ["alarm, 0 left of Talk"], "each second exactly once")
            for (place, second) in seconds.enumerated() {
                #expect(abs(second.at - began - Double(place)) < 0.004, "\(second)")
            }

            try afterwards(trouble, node, received, try #require(probe))
            #expect(threads <= 4)
        }

        /// In the end, the node is connected, has published its correct state, and has counted the lost messages.
        private func afterwards(
            _ trouble: Trouble, _ node: SpawnedNode, _ received: [MQTTProbe.Message], _ probe: MQTTProbe
        ) throws {
            try probe.wait(for: "alarm", on: "timer/lectern/mode", timeout: .seconds(1800))
            try waitUntil("a response to this request", timeout: .seconds(600)) {
                try MQTTProbe.publish(
                    trouble.broker, "timer/lectern/command/state", #"{"id":"asked"}"#, as: trouble.user)
                usleep(500_000)
                return probe.messages.contains { $0.topic.hasSuffix("/response") && $0.payload.contains("asked") }
            }
            let messages = received + probe.messages
            let ticks = messages.filter { $0.topic == "timer/lectern/tick" }.compactMap { Int($0.payload) }
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy(>), "no duplicates, none late: \(ticks)")
            let health = messages.last { $0.topic == "timer/lectern/health" }?.payload ?? ""
            #expect(number("late_ticks", in: health) == 0)
            #expect(try #require(number("max_tick_lateness_ms", in: health)) <= 2)

            // There are 31 ticks and four mode changes, each of which was received or counted as lost.
            let events = messages.count { $0.topic.hasSuffix("/event") && !$0.payload.contains("timer_edited") }
            let dropped = try #require(number("dropped", in: health))
            if trouble.isExact { #expect(ticks.count + events + dropped == 31 + 4, "\(health)") }
            if trouble.isHarmless { #expect(dropped == 0 && number("reconnects", in: health) == 0) }

            switch trouble.kind {
            case .payloads: #expect(NodeFaultTests.codes(messages) == NodeFaultTests.payloads.compactMap(\.code))
            case .flood: #expect(try #require(number("error", in: health)) >= 10_000)
            case .repeats:
                let answers = messages.filter { $0.topic.hasSuffix("/response") && $0.payload.contains("twice") }
                #expect(answers.map { $0.payload.contains("duplicate") } == [false, true])
                #expect(messages.count { $0.payload.contains("timer_edited") } == 1)
            default: break
            }
            node.process.read()
            if let reason = trouble.reason {
                #expect(node.process.errors.count { $0.contains(reason) } == 1, "\(node.process.errors)")
            }
        }
    }
}
