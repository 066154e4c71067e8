import Foundation
import Testing
import TimerEngine

/// A leader and its followers on the chip, during a talk of 30 s that the follower's button starts, with trouble from
/// the 6th second until the 23rd.
///
/// These are a dozen scenarios with real brokers and lamps. `FollowerTroubleTests` has many more in virtual time, and
/// ``InSimulatedTime/FaultsInSimulatedTime`` tests a single node in each kind of trouble.
@Suite(
    "followers in trouble, on the chip", .enabled(if: SimulatedChip.isTimeSimulated, "needs the guest's clocks"),
    .serialized)
struct SimulatedHall {
    private let chip: SimulatedChip

    init() throws {
        chip = try #require(SimulatedChip.current)
        for line in 0..<16 { try chip.setPull(.down, of: "\(line)") }
    }

    private func waitForAll(_ hall: HallOfNodes, _ trouble: Trouble) throws {
        for (id, node) in hall.nodes {
            try node.process.waitForLine("the connection of \(id)", timeout: .seconds(1800)) {
                $0.contains("connected to \(trouble.broker.url)")
            }
        }
    }

    /// Waits until each node responds, regardless of the trouble that its connection had.
    private func waitForAnswers(_ hall: HallOfNodes, _ trouble: Trouble) throws {
        let probe = try MQTTProbe(trouble.broker, "timer/+/response", as: trouble.user)
        try waitUntil("responses from all nodes", timeout: .seconds(1800)) {
            for id in hall.nodes.keys {
                try MQTTProbe.publish(
                    trouble.broker, "timer/\(id)/command/state", #"{"id":"asked"}"#, as: trouble.user)
            }
            usleep(2_000_000)
            let answers = probe.messages.filter { $0.payload.contains("asked") }
            return Set(answers.map(\.topic)).count == hall.nodes.count
        }
    }

    private func press() throws {
        try chip.setPull(.up, of: "4")
        usleep(200_000)
        try chip.setPull(.down, of: "4")
    }

    @Test(
        "change their lamps with the leader's, and are in step afterwards",
        arguments: [
            Trouble.Kind.noBroker, .killed, .frozen, .hangingEverywhere, .silentServer, .wrongPassword, .sameClientID,
            .refusedSubscription, .flood,
        ])
    func inStep(kind: Trouble.Kind) throws {
        let trouble = try Trouble(kind)
        let hall = try HallOfNodes(
            2, brokers: trouble.brokers, mqtt: ", keepalive: 5s\(trouble.settings)",
            buttonOf: trouble.isConnectedAtStart ? "side" : "lectern",
            files: ["mqtt.password": TestSecrets.wrongPassword])
        if trouble.isConnectedAtStart { try waitForAll(hall, trouble) }
        usleep(3_000_000)

        let talk = try ChipRecording(chip, seconds: 34) { start in
            try press()
            sleep(until: start + .seconds(6))
            try trouble.begin()
            sleep(until: start + .seconds(23))
            try trouble.end(try hall.leader)
            if kind == .wrongPassword {
                try hall.nodes["side"]?.write(TestSecrets.password(of: "lectern"), to: "mqtt.password")
            }
        }
        let leader = talk.edges.filter { (0...2).contains($0.line) && $0.isHigh }
        #expect(leader.prefix(3).map(\.line) == [0, 1, 2])
        if trouble.isConnectedAtStart {
            let steps = try #require(hall.steps(talk), "the same lamps: \(talk.edges)")
            #expect(steps.count >= 10 && steps.percentile(100) < 5, "\(steps)")
        }

        // However long they took to reconnect, their alarms flash in step and go off together.
        try waitForAnswers(hall, trouble)
        usleep(5_000_000)
        let after = try ChipRecording(chip, seconds: 10) { start in
            sleep(until: start + .seconds(5))
            try MQTTProbe.publish(trouble.broker, "timer/side/command/stop", "", as: trouble.user)
        }
        let steps = try #require(hall.steps(after), "the same lamps: \(after.edges)")
        #expect(steps.count >= 10 && steps.percentile(100) < 5, "\(steps)")
        #expect(after.changes.last?.high == [])
    }

    @Test("are in step with five nodes", arguments: [Trouble.Kind.killed])
    func five(kind: Trouble.Kind) throws {
        let trouble = try Trouble(kind)
        let hall = try HallOfNodes(5, brokers: trouble.brokers, mqtt: ", keepalive: 5s")
        try waitForAll(hall, trouble)
        usleep(3_000_000)
        let talk = try ChipRecording(chip, seconds: 34) { start in
            try press()
            sleep(until: start + .seconds(6))
            try trouble.begin()
            sleep(until: start + .seconds(23))
            try trouble.end(try hall.leader)
        }
        let steps = try #require(hall.steps(talk), "the same lamps: \(talk.edges)")
        #expect(steps.count >= 4 * 10 && steps.percentile(100) < 5, "\(steps)")
    }

    @Test(
        "continue while their leader is killed and restarted, at the start of a run or during its alarm",
        arguments: [3, 32])
    func leaderKilled(second: Int) throws {
        let broker = try MosquittoBroker()
        let hall = try HallOfNodes(2, brokers: broker.url)
        for node in hall.nodes.values { try node.waitForConnection() }
        usleep(3_000_000)
        let talk = try ChipRecording(chip, seconds: 40) { start in
            try press()
            sleep(until: start + .seconds(second))
            let leader = try hall.leader
            leader.process.signal(SIGKILL)
            try leader.process.waitForExit()
            sleep(until: start + .seconds(second + 1))
            try leader.restart()
            sleep(until: start + .seconds(40))
        }
        let side = talk.edges.filter { (5...7).contains($0.line) && $0.isHigh }
        #expect(side.prefix(3).map(\.line) == [5, 6, 7])
        let began = try #require(side.first).at
        let alarm = try #require(talk.edges.first { $0.line == 7 && !$0.isHigh }).at - 0.425
        for (at, due) in zip(side.map(\.at).prefix(3) + [alarm], [0.0, 10, 20, 30]) {
            #expect(abs(at - began - due) < 0.02, "\(at - began)")
        }
        // At the end, both flash in step again.
        let last = talk.edges.filter { $0.at > 37 }
        let (leader, follower) = (last.filter { $0.line == 2 }, last.filter { $0.line == 7 })
        #expect(leader.count >= 5 && leader.map(\.isHigh) == follower.map(\.isHigh))
        #expect(zip(leader, follower).allSatisfy { abs($0.at - $1.at) < 0.005 })
    }
}
