import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A leader's run on a follower")
struct FollowerRunTests {
    /// A hall with a sequence of two timers.
    private func sequenceHall() throws -> Hall {
        let items = [("Talk", 4), ("Questions", 3)].map { name, start in
            TimerItem(name: name, thresholds: .zero.setting(start: start))
        }
        let timers = try NodeConfiguration.Timers(groups: [TimerGroup(name: "Talk 1", timers: items)])
        return try FollowerTests.hall { $0.timers = timers }
    }

    @Test("moves on to the next timer once, even though the leader reports that as well")
    func sequence() throws {
        for seed in UInt64(1)...8 {
            var hall = try sequenceHall()
            hall.random = SeededGenerator(seed: seed)
            hall.delays = 0.01...0.1
            let start = hall.time
            hall.send("start", to: "stage")
            hall.wait(.seconds(6))
            #expect(hall.payloads("event", of: "side").count { $0.contains("transition") } == 1)
            let lit = hall.changes(of: "side", since: start).map(\.lit)
            #expect(lit == ["green", "buzzer+green", "green"], "\(lit)")
        }
    }

    @Test("moves on early once, even if the leader's report of that arrives twice")
    func reportedTwice() throws {
        var hall = try sequenceHall()
        hall.send("start", to: "stage", waiting: .seconds(1))
        hall.copies = 2
        hall.send("fast_forward", #"{"id":"1"}"#, to: "stage")
        #expect(hall.state(of: "side")?["timer"]?["path"] == "1/2")
        #expect(hall.payloads("event", of: "side").count { $0.contains("transition") } == 1)
    }

    @Test("is a single run if no timer follows, even with the times and the name of a timer in a sequence")
    func oneOff() throws {
        var hall = try sequenceHall()
        let start = hall.time
        hall.send("start", #"{"duration":4,"name":"Talk"}"#, to: "stage")
        #expect(hall.state(of: "stage")?["next"] == .null && hall.state(of: "side")?["next"] == .null)
        hall.setBroker(there: false)
        hall.wait(.seconds(5))
        for id in ["stage", "side"] {
            #expect(hall.changes(of: id, since: start).map(\.lit).prefix(2) == ["green", "buzzer+red"])
        }
    }

    @Test("is unknown after a reboot of the leader until the leader's new clock is known")
    func otherBoot() throws {
        var hall = try FollowerTests.hall(60, 50, 40)
        hall.send("start", to: "stage", waiting: .seconds(5))
        hall.delays = 0.2...0.3
        hall.reboot("stage", after: .seconds(3))
        hall.wait(.milliseconds(600))
        hall.send("resume", to: "stage", waiting: .seconds(3))
        #expect(hall.state(of: "side")?["mode"] == "countdown")
        let modes = hall.payloads("mode", of: "side").drop { $0 != "countdown" }
        #expect(modes == ["countdown", "paused", "countdown"], "\(modes)")
        let ticks = hall.payloads("tick", of: "side").compactMap { Int($0) }
        // The new boot resumes where the run was last saved, at its start.
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 - $1 == 1 || $1 == 60 }, "\(ticks)")
    }

    @Test("is shown again once the leader publishes something after only this node was stopped")
    func backAgain() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        hall.send("start", to: "stage")
        hall.kill("stage")
        hall.wait(.seconds(1))
        hall.send("stop", to: "side")
        #expect(hall.machines["side"]?.lit == "dark")
        hall.start("stage")
        hall.wait(.seconds(3))
        hall.send("start", to: "stage")
        #expect(hall.machines["side"]?.lit == "green")
        // The same applies after a restart.
        hall.kill("side")
        hall.start("side")
        hall.wait(.milliseconds(10))
        #expect(hall.machines["side"]?.lit == "green")
    }

    @Test("ignores the attention of a message that was published while the follower was disconnected")
    func oldAttention() throws {
        let message = #"{"text":"Wrap up","attention":true}"#
        var hall = try FollowerTests.hall(60, 0, 0)
        hall.kill("side")
        hall.send("message", message, to: "stage", waiting: .seconds(5))
        var since = hall.time
        hall.start("side")
        hall.wait(.seconds(3))
        #expect(hall.payloads("message", of: "side").last?.contains("Wrap up") == true)
        #expect(hall.changes(of: "side", since: since).allSatisfy { $0.lit == "dark" })
        since = hall.time
        try hall.add("new", follows: "stage", bootClock: .seconds(77))
        hall.wait(.seconds(3))
        #expect(hall.payloads("message", of: "new").last?.contains("Wrap up") == true)
        #expect(hall.changes(of: "new", since: since).allSatisfy { $0.lit == "dark" })
    }

    @Test(
        "asks for attention only if its message takes less than 2 s to arrive",
        arguments: [(0.9, "green+red"), (1.1, "green")])
    func lateAttention(way: Double, lit: String) throws {
        var hall = Hall(seed: 3)
        try hall.add("stage", 60, 0, 0)
        try hall.add("side", follows: "stage", bootClock: .seconds(77)) {
            $0.signals.attention = ["red": .play(Pattern(milliseconds: 5000))]
        }
        hall.wait(.seconds(3))
        hall.send("start", to: "stage")
        // A message goes to the broker and from there to a node.
        hall.delays = way...way
        hall.send("message", #"{"text":"Wrap up","attention":true}"#, to: "stage", waiting: .seconds(5))
        #expect(hall.machines["side"]?.lit == lit)
    }

    // MARK: - Clocks that differ slightly

    private let id = UUID()

    private func player(zero: Double) throws -> TimerPlayer {
        let thresholds = try Thresholds(start: 60)
        let model = try TimerModel(groups: [TimerGroup(timers: [TimerItem(id: id, thresholds: thresholds)])])
        return TimerPlayer(
            mirroring: model, at: .running(zero: instant(zero)), oneOff: nil, lastRun: nil, used: nil,
            then: instant(100))
    }

    private func instant(_ seconds: Double) -> Instant {
        .init(sinceEpoch: .milliseconds(Int((seconds * 1000).rounded())))
    }

    @Test(
        "does not go back a second if the leader is behind by up to 100 ms, but does if it is further behind",
        arguments: [(0.05, 40), (0.09, 40), (0.15, 41)])
    func behind(seconds: Double, shown: Int) throws {
        var timer = RunningTimer(try player(zero: 140), seed: 1)
        let run = Leader.Run(
            player: try player(zero: 140 + seconds), startedAt: instant(80 + seconds), modeSince: instant(80 + seconds))
        let steps = timer.show(run, at: instant(100))
        #expect(timer.player.countdown.ticked == shown)
        #expect(steps.contains { if case .tick = $0.event { true } else { false } } == (shown == 41))
    }

    @Test("keeps its start even though each state reports it slightly differently")
    func startedAt() throws {
        var timer = RunningTimer(try player(zero: 140), seed: 1)
        for (told, expected) in [(80.0, 80.0), (80.05, 80), (79.95, 80), (80.2, 80.2)] {
            let run = Leader.Run(player: try player(zero: 140), startedAt: instant(told), modeSince: instant(80))
            _ = timer.show(run, at: instant(100))
            #expect(timer.startedAt == instant(expected))
        }
    }
}
