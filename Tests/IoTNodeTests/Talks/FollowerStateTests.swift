import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The state of a follower")
struct FollowerStateTests {
    /// The topics that a follower does not use.
    private static let emptied = ["timers", "runs", "agenda", "programme"]

    @Test("has its own topics; the topics for its timers are emptied once per connection")
    func topics() throws {
        var hall = try FollowerTests.hall()
        #expect(hall.state(of: "side")?["follows"] == "stage")
        #expect(hall.state(of: "stage")?["follows"] == .null)
        #expect(hall.state(of: "side")?["timer"] == hall.state(of: "stage")?["timer"])
        #expect(hall.payloads("availability", of: "side") == ["online"])
        hall.send("state", to: "side")
        for topic in Self.emptied { #expect(hall.payloads(topic, of: "side") == [""], "\(topic)") }
        hall.setBroker(there: false)
        hall.setBroker(there: true)
        hall.wait(.seconds(70))
        for topic in Self.emptied { #expect(hall.payloads(topic, of: "side") == ["", ""], "\(topic)") }
    }

    @Test("includes in its health how accurately it keeps time")
    func health() throws {
        var hall = try FollowerTests.hall()
        let follow = try #require(hall.follow(of: "side"))
        #expect(follow["leader"] == "stage" && follow["in_step"] == true)
        guard case .integer(let offset)? = follow["offset_us"], case .integer(let error)? = follow["error_us"] else {
            Issue.record("\(follow)")
            return
        }
        #expect(abs(offset - (1000 - 7_654_321) * 1_000_000) < 1500)
        #expect((0...2000).contains(error))
        hall.kill("stage")
        hall.wait(.seconds(1))
        #expect(hall.follow(of: "side")?["in_step"] == false)
        hall.start("stage")
        hall.wait(.seconds(1))
        #expect(hall.follow(of: "side")?["in_step"] == true)
        #expect(hall.follow(of: "stage") == .null)
    }

    @Test("includes time requests: five per connection, three per start, and one every 30 s during a run")
    func questions() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        func asked() -> [Duration] {
            hall.machines["side"]?.published.filter { $0.message.topic == "timer/stage/command/time" }.map(\.at) ?? []
        }
        #expect(asked().count == 5)
        let pauses = zip(asked(), asked().dropFirst()).map { ($1 - $0) / .milliseconds(1) }
        #expect(pauses.allSatisfy { (149...251).contains($0) } && Set(pauses).count == 4, "\(pauses)")
        hall.wait(.seconds(100))
        #expect(asked().count == 6, "one a minute while stopped")
        hall.send("start", to: "stage")
        hall.wait(.seconds(29))
        #expect(asked().count == 9)
        hall.wait(.seconds(20))
        #expect(asked().count == 10)
        #expect(hall.machines["side"]?.published.contains { $0.message.text.contains("\"side-time-") } == true)
    }

    @Test("includes the leader's message, with its attention once and in time, and its own expiry")
    func message() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        hall.send("start", to: "stage")
        hall.wait(.seconds(1))
        let start = hall.time
        hall.send("message", #"{"text":"Wrap up","for":5,"attention":true}"#, to: "stage")
        hall.wait(.seconds(1))
        #expect(hall.payloads("message", of: "side").last?.contains(#""text":"Wrap up""#) == true)
        let steps = FollowerTests.steps(hall, since: start)
        #expect(steps.stage == ["dark", "green", "dark", "green", "dark", "green"] && steps.side == steps.stage)
        #expect(steps.worst < 4, "\(steps.worst) ms")

        // A message that the broker sends again is not a new message.
        let count = hall.changes(of: "side").count
        hall.setBroker(there: false)
        hall.setBroker(there: true)
        hall.wait(.seconds(3))
        #expect(hall.changes(of: "side").count == count)
        hall.kill("stage")
        hall.wait(.seconds(3))
        #expect(hall.machines["side"]?.core?.shownTalk.message == nil, "5 s are over")
    }

    @Test("loses its message when the leader removes it")
    func cleared() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        hall.send("message", "Louder", to: "side")
        #expect(hall.payloads("message", of: "side").last?.contains("Louder") == true)
        hall.send("message", "", to: "stage")
        #expect(hall.payloads("message", of: "side").last == "")
    }

    @Test("survives a restart of the follower without a broker or leader", arguments: ["running", "paused", "alarm"])
    func restarted(mode: String) throws {
        var hall = try FollowerTests.hall()
        hall.send("start", to: "stage")
        let start = try #require(hall.changes(of: "stage").last { $0.lit == "green" }).at
        if mode == "paused" { hall.send("pause", to: "stage") }
        hall.wait(.milliseconds(mode == "alarm" ? 6500 : 1500))
        hall.setBroker(there: false)
        hall.kill("side")
        hall.wait(.milliseconds(300))
        hall.start("side")
        hall.wait(.milliseconds(10))
        switch mode {
        case "running":
            hall.wait(.seconds(6))
            let times = FollowerTests.times(hall, since: start, upTo: 4)
            #expect(zip(times, [0, 2, 4, 6]).allSatisfy { abs($0 - $1) < 0.005 }, "\(times)")
        case "paused": #expect(hall.machines["side"]?.core?.shown.player.mode.isPaused == true)
        default:
            #expect(hall.machines["side"]?.core?.shown.player.mode == .alarm)
            let before = hall.time
            hall.wait(.seconds(5))
            let steps = FollowerTests.steps(hall, since: before)
            #expect(steps.worst < 4 && steps.stage == steps.side, "in phase")
        }
    }

    @Test("is forgotten when the follower's machine is rebooted")
    func forgotten() throws {
        var hall = try FollowerTests.hall()
        hall.send("start", to: "stage")
        hall.wait(.seconds(1))
        hall.setBroker(there: false)
        hall.reboot("side")
        hall.wait(.milliseconds(100))
        #expect(hall.machines["side"]?.lit == "dark")
        hall.setBroker(there: true)
        hall.wait(.seconds(70))
        #expect(hall.machines["side"]?.lit == hall.machines["stage"]?.lit)
    }

    @Test("stays stopped across a restart if only the follower was stopped")
    func stoppedAlone() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        hall.send("start", to: "stage")
        hall.kill("stage")
        hall.wait(.seconds(1))
        hall.send("stop", to: "side")
        #expect(hall.machines["side"]?.lit == "dark")
        hall.kill("side")
        hall.start("side")
        hall.wait(.seconds(1))
        #expect(hall.machines["side"]?.lit == "dark")
    }

    @Test("begins by ending its own run, which is recorded, and ends by returning to its own timers, stopped")
    func configured() throws {
        var hall = Hall(seed: 5)
        try hall.add("stage", 60, 0, 0)
        try hall.add("side", 30, 0, 0)
        hall.wait(.seconds(1))
        hall.send("edit", #"{"name":"Mine"}"#, to: "side")
        hall.send("start", to: "side", waiting: .seconds(5))
        hall.reload("side") { $0.follow = .init(node: "stage", prefix: "timer") }
        hall.wait(.seconds(2))
        #expect(hall.payloads("event", of: "side").contains { $0.contains("run_ended") && $0.contains("Mine") })
        #expect(hall.machines["side"]?.core?.history.runs.count == 1)
        hall.send("start", to: "stage", waiting: .seconds(1))
        #expect(hall.machines["side"]?.lit == "green")
        #expect(hall.state(of: "side")?["remaining"] == hall.state(of: "stage")?["remaining"])
        hall.reload("side") { $0.follow = nil }
        hall.wait(.seconds(2))
        #expect(hall.machines["side"]?.lit == "dark" && hall.machines["stage"]?.lit == "green")
        #expect(hall.state(of: "side")?["timer"]?["name"] == "Mine" && hall.state(of: "side")?["mode"] == "stopped")
        #expect(hall.state(of: "side")?["follows"] == .null)
        #expect(hall.payloads("timers", of: "side").last?.contains("Mine") == true)
    }

    @Test("begins in the same way if the configuration was changed while it was off")
    func configuredWhileOff() throws {
        var hall = Hall(seed: 5)
        try hall.add("stage", 60, 0, 0)
        try hall.add("side", 30, 0, 0)
        hall.wait(.seconds(1))
        hall.send("start", to: "side", waiting: .seconds(5))
        hall.kill("side")
        hall.machines["side"]?.configuration.follow = .init(node: "stage", prefix: "timer")
        hall.start("side")
        hall.wait(.seconds(2))
        #expect(hall.machines["side"]?.core?.history.runs.count == 1)
        #expect(hall.machines["side"]?.lit == "dark")
        #expect(hall.machines["side"]?.core?.timer.player.mode == .stopped)
    }

    @Test("ignores its own agenda")
    func agenda() throws {
        var hall = try FollowerTests.hall()
        #expect(hall.send("begin", "1", to: "side")?["handed_to"] == "stage")
    }

    @Test("is announced to Home Assistant with the leader's timers")
    func discovery() throws {
        var hall = try FollowerTests.hall()
        hall.reload("side") { $0.mqtt?.discovery.style = .device }
        hall.wait(.seconds(2))
        let device = hall.machines["side"]?.published.last { $0.message.topic.hasSuffix("/config") }?.message.text
        #expect(device?.contains("1/1 Talk") == true)
        hall.send("edit", #"{"name":"Keynote"}"#, to: "stage")
        let new = hall.machines["side"]?.published.last { $0.message.topic.hasSuffix("/config") }?.message.text
        #expect(new?.contains("1/1 Keynote") == true)
    }

    @Test(
        "ignores messages that no leader would publish",
        arguments: [
            #"{"mode":"countdown"}"#, "nonsense", "",
        ])
    func hostile(payload: String) throws {
        var hall = try FollowerTests.hall()
        hall.send("start", to: "stage")
        for topic in ["state", "timers", "message", "availability", "response"] {
            hall.publish("timer/stage/\(topic)", payload)
        }
        hall.wait(.milliseconds(100))
        #expect(hall.machines["side"]?.lit == "green")
    }
}
