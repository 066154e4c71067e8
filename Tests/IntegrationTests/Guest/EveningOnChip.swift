import Foundation
import TestSupport
import Testing
import TimerEngine
import TimerProtocol

extension InSimulatedTime {
    /// The evenings of docs/running-order.md and docs/debates.md, with shorter times.
    @Suite("An evening that is led with the buttons at the lectern alone")
    struct EveningOnChip {
        let chip: SimulatedChip
        let broker: QuietBroker

        init() throws {
            chip = try #require(SimulatedChip.current)
            for line in SimulatedChip.lineNames { try chip.setPull(.down, of: line) }
            for line in ["BUTTON", "6", "7"] { try chip.setPull(.up, of: line) }
            broker = try QuietBroker()
        }

        /// A node whose buttons on BUTTON, 6 and 7 send these commands.
        private func node(_ buttons: String..., timers: String) throws -> SpawnedNode {
            let lines = zip(["BUTTON", "\"6\"", "\"7\""], buttons).map {
                "    - {line: \($0), active_low: true, debounce: 0s, \($1)}"
            }
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)], protocol: 3.1.1, keepalive: 1h}
                gpio:
                  outputs: {green: {line: GREEN}, yellow: {line: YELLOW}, red: {line: RED}, buzzer: {line: BUZZER}}
                  buttons:
                \(lines.joined(separator: "\n"))
                timers: {groups: [\(timers)]}
                storage: {directory: FOLDER/state}
                """)
            try broker.waitForSubscription()
            return node
        }

        /// Presses a button for a fifth of a second.
        private func press(_ line: String) throws {
            try chip.setPull(.down, of: line)
            try wait(0.2)
            try chip.setPull(.up, of: line)
            try wait(0.2)
        }

        private func hold(_ line: String) throws {
            try chip.setPull(.down, of: line)
            try wait(1.2)
            try chip.setPull(.up, of: line)
            try wait(0.2)
        }

        private func wait(_ seconds: Double) throws {
            try broker.serve(until: bootTime() + .milliseconds(Int64(seconds * 1000)))
        }

        private func lit() throws -> Set<String> {
            try chip.highLines().intersection(["GREEN", "YELLOW", "RED"])
        }

        private func runs() throws -> [RunRecord] {
            let payload = try #require(broker.messages.last { $0.topic == "runs" }).payload
            return try RunsMessage(Array(payload.utf8)).runs.reversed()
        }

        @Test("goes through the running order of a council, with a press by mistake that is undone")
        func council() throws {
            let node = try node(
                "press: entry next", "press: toggle, hold: stop, hold_from: 1s", "press: undo",
                timers: "{timers: [{name: Opening, start: 10s, warning: 4s, final: 2s}]}")
            try broker.send(
                "programme",
                """
                {"entries":[{"id":"a","title":"Opening","speaker":"Ada Lovelace","timer":"1/1"},\
                {"id":"b","title":"Motion 4","speaker":"Grace Hopper","start":"0:20","warning":"0:10","final":"0:05"},\
                {"id":"c","title":"Break"},{"id":"d","title":"Motion 5","speaker":"Alan Turing","start":"0:20"}]}
                """)
            try wait(0.5)
            let (next, toggle, undo) = ("BUTTON", "6", "7")

            try press(next)
            #expect(try lit().isEmpty)
            try press(toggle)
            #expect(try lit() == ["GREEN"])
            try wait(6.2)
            #expect(try lit() == ["YELLOW"])
            try wait(2)
            #expect(try lit() == ["RED"])
            try wait(4)

            // The second speaker is interrupted by a press that nobody meant, and speaks on meanwhile.
            try press(next)
            #expect(try lit().isEmpty)
            try press(toggle)
            try wait(4)
            try press(next)
            #expect(try lit().isEmpty)
            try wait(3)
            try press(undo)
            #expect(try lit() == ["GREEN"])
            try wait(4)
            #expect(try lit() == ["YELLOW"])
            try press(next)
            try press(next)
            try press(toggle)
            try wait(3)
            // Nothing follows, so the last one is ended.
            try hold(toggle)

            let titles = try runs().map { [$0.title, $0.speaker, $0.entry] }
            #expect(
                titles == [
                    ["Opening", "Ada Lovelace", "a"], ["Motion 4", "Grace Hopper", "b"],
                    ["Motion 5", "Alan Turing", "d"],
                ])
            // A press of toggle counts when it ends; the second speaker's time has gone on while it was away.
            for (run, expected) in zip(try runs(), [12.4, 12.0, 4.2]) {
                #expect(abs(run.used.inSeconds - expected) < 0.05, "\(run)")
            }
            let programme = try #require(broker.messages.last { $0.topic == "programme" }).payload
            let entries = try ProgrammeMessage(Array(programme.utf8)).entries
            #expect(entries.map(\.state) == [.done, .done, .done, .current])
            #expect(broker.messages.contains { $0.topic == "event" && $0.payload.contains("run_undone") })
            #expect(try node.process.terminate() == .exited(0))
        }

        @Test("debates with one button, and each side's account is exact after 60 switches and a kill in between")
        func debate() throws {
            let node = try node(
                "press: switch", "press: toggle", "press: stop",
                timers: """
                    {at_zero: alarm, budget: 15:00, timers: [{name: Pro, start: 10:00, carry: true}, \
                    {name: Contra, start: 10:00, carry: true}]}
                    """)
            var random = SeededGenerator(printedFor: "EveningOnChip.debate")
            try press("6")
            for count in 1...60 {
                try wait(.random(in: 0.1...8, using: &random))
                try press("BUTTON")
                #expect(try lit() == ["GREEN"], "\(count)")
                guard count == 30 else { continue }
                try #require(try node.process.terminate(by: SIGKILL) == .signalled(SIGKILL))
                try node.restart()
                try broker.waitForSubscription()
                #expect(try lit() == ["GREEN"])
            }
            try press("7")
            #expect(try lit().isEmpty)

            let runs = try runs()
            #expect(runs.count == RunsMessage.length, "the newest")
            // Each stretch begins when the one before it ends: nothing is lost, and nothing is counted twice.
            for (run, next) in zip(runs, runs.dropFirst()) {
                #expect(run.endedAt == next.startedAt && run.name != next.name)
            }
            let timers = try JSON(
                parsing: Array(try #require(broker.messages.last { $0.topic == "timers" }).payload.utf8))
            guard case .array(let groups)? = timers["groups"], case .array(let sides)? = groups.first?["timers"] else {
                throw TestFailure("\(timers)")
            }
            for side in sides {
                let total = try #require(runs.last { .string($0.name) == side["name"] }?.total)
                // A whole number of seconds is read as an integer.
                let left = try JSON(parsing: JSON.number((.seconds(600) - total).inSeconds).bytes)
                #expect(side["left"] == left)
            }
            #expect(try node.process.terminate() == .exited(0))
        }
    }
}
