import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A follower")
struct FollowerTests {
    /// A leader and a follower, whose clocks are far apart and drift.
    static func hall(
        seed: UInt64 = 1, partsPerMillion: Double = 100, _ start: Int = 6, _ warning: Int = 4, _ final: Int = 2,
        configure: (inout NodeConfiguration) -> Void = { _ in }
    ) throws -> Hall {
        var hall = Hall(seed: seed)
        try hall.add("stage", start, warning, final, configure: configure)
        try hall.add(
            "side", follows: "stage", bootClock: .seconds(7_654_321), hoursAhead: -5, partsPerMillion: partsPerMillion)
        hall.wait(.seconds(3))
        return hall
    }

    /// The time differences between the leader's and a follower's lamps since a time in the story, in milliseconds, and
    /// what each lamp showed.
    static func steps(
        _ hall: Hall, of follower: String = "side", since start: Duration
    ) -> (worst: Double, stage: [String], side: [String]) {
        let (stage, side) = (hall.changes(of: "stage", since: start), hall.changes(of: follower, since: start))
        let steps = zip(stage, side).map { abs(($0.at - $1.at) / .milliseconds(1)) }
        return (steps.max() ?? .infinity, stage.map(\.lit), side.map(\.lit))
    }

    /// When the follower's lamps changed, in seconds since a time in the story, up to the alarm.
    static func times(_ hall: Hall, since start: Duration, upTo count: Int) -> [Double] {
        hall.changes(of: "side", since: start).prefix(count).map { ($0.at - start) / .seconds(1) }
    }

    @Test("shows what its leader shows, in step, through a run and its alarm", arguments: UInt64(1)...8)
    func inStep(seed: UInt64) throws {
        var hall = try Self.hall(seed: seed, partsPerMillion: seed.isMultiple(of: 2) ? 100 : -100)
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.seconds(15))
        hall.send("stop", to: "stage")
        let steps = Self.steps(hall, since: start)
        #expect(steps.stage.prefix(4) == ["green", "yellow", "red", "buzzer+red"])
        #expect(steps.stage.count > 20 && steps.stage == steps.side)
        #expect(steps.worst < 4, "\(steps.worst) ms")
        let modes = ["stopped", "countdown", "warning", "final", "alarm", "stopped"]
        #expect(hall.payloads("mode", of: "side") == modes)
        #expect(hall.payloads("tick", of: "side") == ["6", "5", "4", "3", "2", "1", "0"])
    }

    @Test("stays in step for twenty minutes even though the clocks drift", arguments: [-100.0, 100])
    func drift(partsPerMillion: Double) throws {
        var hall = try Self.hall(partsPerMillion: partsPerMillion, 1200, 600, 300)
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.seconds(1205))
        let steps = Self.steps(hall, since: start)
        #expect(steps.stage == steps.side)
        #expect(steps.worst < 6, "\(steps.worst) ms")
        let ticks = hall.payloads("tick", of: "side").compactMap { Int($0) }
        #expect(ticks == Array((0...1200).reversed()), "each second once")
        // A better offset without a visible difference is not a change of the state.
        #expect(hall.payloads("state", of: "side").count < 200)
    }

    @Test(
        "keeps counting on its own while the broker or the leader is gone", arguments: ["broker", "leader", "both"])
    func alone(gone: String) throws {
        var hall = try Self.hall()
        hall.send("start", to: "stage")
        let start = try #require(hall.changes(of: "stage").last { $0.lit == "green" }).at
        hall.wait(.seconds(1))
        if gone != "leader" { hall.setBroker(there: false) }
        if gone != "broker" { hall.kill("stage") }
        hall.wait(.seconds(8))
        let times = Self.times(hall, since: start, upTo: 4)
        #expect(zip(times, [0, 2, 4, 6]).allSatisfy { abs($0 - $1) < 0.005 }, "\(times)")
        #expect(
            hall.changes(of: "side", since: start).prefix(4).map(\.lit) == ["green", "yellow", "red", "buzzer+red"])
        if gone == "leader" { #expect(hall.payloads("tick", of: "side") == ["6", "5", "4", "3", "2", "1", "0"]) }
    }

    @Test("continues when its leader is killed and started again in any mode", arguments: 0...7)
    func killed(second: Int) throws {
        var hall = try Self.hall()
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.milliseconds(second * 1000 + 500))
        hall.kill("stage")
        hall.wait(.milliseconds(700))
        hall.start("stage")
        hall.wait(.seconds(10))
        let times = Self.times(hall, since: start, upTo: 4)
        #expect(zip(times, [0, 2, 4, 6]).allSatisfy { abs($0 - $1) < 0.01 }, "\(times)")
        // The follower was never dark and never went back.
        let lit = hall.changes(of: "side", since: start).map(\.lit)
        #expect(lit.prefix(4) == ["green", "yellow", "red", "buzzer+red"])
        #expect(hall.state(of: "side")?["mode"] == "alarm")
        #expect(hall.follow(of: "side")?["in_step"] == true)
    }

    @Test("adopts a rebooted leader's state by its new clock")
    func rebooted() throws {
        var hall = try Self.hall(60, 50, 40)
        hall.send("start", to: "stage")
        hall.wait(.seconds(5))
        hall.reboot("stage", after: .seconds(3))
        hall.wait(.seconds(2))
        #expect(hall.state(of: "side")?["mode"] == "paused")
        let before = hall.time
        hall.send("resume", to: "stage")
        hall.wait(.seconds(70))
        let steps = Self.steps(hall, since: before)
        #expect(steps.stage == steps.side)
        #expect(steps.stage.drop { $0 != "yellow" }.prefix(3) == ["yellow", "red", "buzzer+red"])
        #expect(steps.worst < 4, "\(steps.worst) ms")
    }

    @Test("pauses and resumes, applies added time and a set time, and blinks in phase while paused")
    func paused() throws {
        var hall = try Self.hall(20, 10, 5)
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.milliseconds(3300))
        hall.send("pause", to: "stage")
        hall.wait(.seconds(10))
        #expect(hall.state(of: "side")?["paused_mode"] == "countdown")
        #expect(hall.state(of: "side")?["precise_remaining"] == hall.state(of: "stage")?["precise_remaining"])
        hall.send("resume", to: "stage")
        hall.wait(.seconds(1))
        hall.send("add", "+30", to: "stage")
        hall.wait(.seconds(1))
        hall.send("set", "7", to: "stage")
        hall.wait(.seconds(9))
        let steps = Self.steps(hall, since: start)
        #expect(steps.stage == steps.side && steps.stage.count > 10)
        #expect(steps.worst < 4, "\(steps.worst) ms")
    }

    /// A hall with a sequence of two timers.
    private func sequenceHall() throws -> Hall {
        let items = [("Talk", 4), ("Questions", 3)].map { name, start in
            TimerItem(name: name, thresholds: .zero.setting(start: start))
        }
        let timers = try NodeConfiguration.Timers(groups: [TimerGroup(name: "Talk 1", timers: items)])
        return try Self.hall { $0.timers = timers }
    }

    @Test("sounds even if the sequence moves on early")
    func fastForward() throws {
        var hall = try sequenceHall()
        let start = hall.time
        hall.send("start", to: "stage", waiting: .seconds(1))
        hall.send("fast_forward", to: "side")
        hall.wait(.seconds(2))
        let steps = Self.steps(hall, since: start)
        #expect(steps.stage == ["green", "buzzer+green", "green"] && steps.side == steps.stage)
        #expect(hall.payloads("event", of: "side").count { $0.contains("transition") } == 1)
    }

    @Test("ends the sound between two timers with its leader, even if the message takes 100 ms")
    func lateSound() throws {
        var hall = try sequenceHall()
        hall.send("start", to: "stage", waiting: .seconds(1))
        let start = hall.time
        hall.delays = 0.05...0.05
        hall.send("fast_forward", to: "stage", waiting: .seconds(2))
        let ends = ["stage", "side"].map { hall.changes(of: $0, since: start).last }
        #expect(ends.map { $0?.lit } == ["green", "green"])
        let (stage, side) = (try #require(ends[0]), try #require(ends[1]))
        #expect(abs((side.at - stage.at) / .milliseconds(1)) < 5)
    }

    @Test("goes through a sequence on its own, with the sound between two timers")
    func sequence() throws {
        var hall = try sequenceHall()
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.seconds(1))
        hall.setBroker(there: false)
        hall.wait(.seconds(8))
        let steps = Self.steps(hall, since: start)
        #expect(steps.stage.prefix(4) == ["green", "buzzer+green", "green", "buzzer+red"])
        #expect(steps.stage == steps.side)
        #expect(steps.worst < 4, "\(steps.worst) ms")
        hall.setBroker(there: true)
        hall.wait(.seconds(70))
        #expect(hall.state(of: "side")?["timer"]?["path"] == "1/2")
        #expect(hall.state(of: "side")?["last"] == hall.state(of: "stage")?["last"])
    }

    @Test(
        "never goes back if the leader's clock turns out to be behind, however long messages take",
        arguments: UInt64(1)...24)
    func neverBack(seed: UInt64) throws {
        var hall = try Self.hall(seed: seed)
        hall.delays = 0.0001...0.04
        let start = hall.time
        hall.send("start", to: "stage", waiting: .milliseconds(Int(seed) * 16))
        for second in 0..<7 {
            // A message that is published near a transition does not undo the transition.
            hall.send("speaker", "Speaker \(second)", to: "stage", waiting: .milliseconds(1000))
        }
        hall.wait(.seconds(2))
        let lit = hall.changes(of: "side", since: start).map(\.lit)
        #expect(lit.prefix(4) == ["green", "yellow", "red", "buzzer+red"], "\(lit)")
        let ticks = hall.payloads("tick", of: "side").compactMap { Int($0) }
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy(>), "\(ticks)")
        #expect(hall.state(of: "side")?["speaker"] == "Speaker 6")
    }

    @Test("shows a run that has already begun, whether the broker and the leader were available or return")
    func late() throws {
        var hall = Hall(seed: 7)
        try hall.add("stage", 30, 20, 10)
        hall.wait(.seconds(1))
        let start = hall.time
        hall.send("start", to: "stage")
        hall.wait(.seconds(5))
        try hall.add("side", follows: "stage", bootClock: .seconds(99), hoursAhead: 7)
        hall.wait(.seconds(1))
        #expect(hall.machines["side"]?.lit == "green")
        #expect(hall.state(of: "side")?["started_at"] != .null)
        hall.wait(.seconds(26))
        let alarm = try #require(hall.changes(of: "side").first { $0.lit == "buzzer+red" }).at
        #expect(abs((alarm - start) / .seconds(1) - 30) < 0.005)
    }
}
