import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The commands of a follower")
struct FollowerCommandTests {
    /// A follower with buttons for some commands, and a remote with the same commands.
    private static let bound = ["toggle", "silence", "stop", "select 1/1", "identify"]

    private func hall() throws -> Hall {
        var hall = Hall(seed: 3)
        let controls = try DeskControls(Self.bound)
        try hall.add("stage", 60, 0, 0)
        try hall.add("side", follows: "stage", bootClock: .seconds(5), hoursAhead: 9) { configuration in
            controls.add(to: &configuration)
        }
        hall.wait(.seconds(3))
        return hall
    }

    private func press(_ text: String, in hall: inout Hall) {
        hall.press("\(Self.bound.firstIndex(of: text) ?? 0)", on: "side")
        hall.wait(.milliseconds(20))
    }

    /// The commands that the follower forwarded, without its requests for the time.
    private func handed(_ hall: Hall) -> [(verb: String, payload: JSON)] {
        (hall.machines["side"]?.published ?? []).compactMap { published in
            let topic = "timer/stage/command/"
            guard published.message.topic.hasPrefix(topic), !published.message.topic.hasSuffix("/time"),
                let payload = try? JSON(parsing: published.message.payload)
            else { return nil }
            return (String(published.message.topic.dropFirst(topic.count)), payload)
        }
    }

    @Test("are forwarded, and answered with the leader's response")
    func handedOn() throws {
        var hall = try hall()
        let answer = hall.send("start", #"{"id":"mine","speaker":"Ada"}"#, to: "side")
        #expect(answer?["id"] == "mine" && answer?["command"] == "start" && answer?["status"] == "ok")
        #expect(answer?["mode"] == "countdown" && answer?["handed_to"] == "stage")
        let health = hall.machines["side"]?.core?.reports.health
        #expect(health?.answered == 1 && health?.refused == 0)
        #expect(hall.state(of: "stage")?["speaker"] == "Ada")
        #expect(hall.state(of: "side")?["speaker"] == "Ada")
        let handed = try #require(handed(hall).last)
        #expect(handed.verb == "start" && handed.payload["handed_by"] == "side")
        #expect(handed.payload["id"] != "mine" && handed.payload["id"] != nil)
        let message = hall.machines["side"]?.published.last { $0.message.topic == "timer/stage/command/start" }?.message
        #expect(message?.expiry == .seconds(2), "the sender is then told that the leader does not respond")

        let refused = hall.send("select", "9/9", to: "side")
        #expect(refused?["code"] == "not_found" && refused?["handed_to"] == "stage")
        #expect(hall.send("set", "bad", to: "side")?["code"] == "invalid_payload")
        #expect(hall.send("resume", to: "side")?["message"] == hall.send("resume", to: "stage")?["message"])
    }

    @Test("are answered with the leader's details, and edit the leader's timers")
    func details() throws {
        var hall = try hall()
        hall.send("start", to: "side", waiting: .seconds(5))
        hall.send("stop", to: "side")
        let page = hall.send("runs", to: "side")
        #expect(page?["runs"] == hall.send("runs", to: "stage")?["runs"] && page?["pages"] == 1)
        #expect(hall.send("edit", #"{"name":"Keynote"}"#, to: "side")?["status"] == "ok")
        #expect(hall.state(of: "side")?["timer"]?["name"] == "Keynote")
        #expect(hall.payloads("runs", of: "side") == [""])
        #expect(hall.machines["side"]?.core?.history.runs.isEmpty == true)
    }

    @Test("that contain an agenda are forwarded at once, because the leader reads its zones")
    func agenda() throws {
        var hall = try hall()
        // No node in this hall reads zones.
        hall.send("agenda", #"{"zone":"Europe/Berlin","meetings":[]}"#, to: "side")
        #expect(handed(hall).map(\.verb) == ["agenda"])
    }

    @Test("that arrive twice are forwarded once, and answered twice")
    func twice() throws {
        var hall = try hall()
        hall.delays = 0.05...0.06
        for _ in 0..<2 { hall.publish("timer/side/command/start", #"{"id":"mine"}"#) }
        hall.wait(.seconds(1))
        #expect(handed(hall).count == 1)
        hall.publish("timer/side/command/start", #"{"id":"mine"}"#)
        hall.wait(.seconds(1))
        #expect(handed(hall).count == 1)
        let answers = hall.payloads("response", of: "side").filter { $0.contains("mine") }
        #expect(answers.map { $0.contains("duplicate") } == [false, true, true])
    }

    @Test(
        "for itself are not forwarded", arguments: ["silence", "beep", "lamp_test", "identify", "state", "time"])
    func own(verb: String) throws {
        var hall = try hall()
        let lit = hall.machines["stage"]?.lit
        let answer = hall.send(verb, to: "side")
        #expect(answer?["status"] == "ok" && answer?["handed_to"] == nil)
        #expect(handed(hall).isEmpty && hall.machines["stage"]?.lit == lit)
        if verb == "time" { #expect(answer?["clock"]?["boot"] == "boot of side") }
        if verb == "identify" { #expect(hall.machines["side"]?.lit != "dark") }
    }

    @Test("for all and for a group are executed if they concern only the follower, and otherwise left to the leader")
    func several() throws {
        var hall = try hall()
        for recipient in ["all", "@hall-a"] {
            hall.publish("timer/\(recipient)/command/toggle", #"{"id":"\#(recipient)"}"#)
            hall.wait(.milliseconds(50))
            let answer = hall.payloads("response", of: "side").last.flatMap { try? JSON(parsing: Array($0.utf8)) }
            #expect(answer?["id"] == .string(recipient) && answer?["status"] == "ok" && answer?["follows"] == "stage")
        }
        // Each executes it once; otherwise the timer would be running again.
        #expect(hall.state(of: "side")?["mode"] == "paused")
        hall.publish("timer/all/command/identify")
        hall.wait(.milliseconds(100))
        #expect(hall.machines["side"]?.lit == "green+red+yellow" && hall.machines["stage"]?.lit == "green+red+yellow")
        #expect(handed(hall).isEmpty)
        hall.publish("timer/all/command/edit", #"{"name":"No"}"#)
        hall.wait(.milliseconds(50))
        #expect(hall.payloads("response", of: "side").last?.contains("not_allowed") == true)
    }

    @Test("from its buttons and remotes are forwarded as well, except those that concern only the follower")
    func inputs() throws {
        var hall = try hall()
        press("toggle", in: &hall)
        #expect(hall.state(of: "stage")?["mode"] == "countdown" && hall.machines["side"]?.lit == "green")
        hall.publish("desk", "toggle")
        hall.wait(.milliseconds(20))
        #expect(hall.state(of: "side")?["mode"] == "paused")
        #expect(handed(hall).allSatisfy { $0.verb == "toggle" && $0.payload["handed_by"] == "side" })
        press("identify", in: &hall)
        #expect(handed(hall).count == 2 && hall.machines["side"]?.lit == "green+red+yellow")
    }

    @Test("are forwarded while the leader has not answered a button yet")
    func besideInput() throws {
        var hall = try hall()
        hall.delays = 0.05...0.06
        press("toggle", in: &hall)
        hall.publish("timer/side/command/pause", #"{"id":"mine"}"#)
        hall.wait(.seconds(1))
        #expect(handed(hall).map(\.verb) == ["toggle", "pause"])
        #expect(hall.state(of: "stage")?["mode"] == "paused")
        #expect(hall.payloads("response", of: "side").last?.contains(#""id":"mine""#) == true)
    }

    @Test("from its buttons do nothing while the leader is locked, except silence")
    func locked() throws {
        var hall = try hall()
        hall.send("lock", to: "stage")
        #expect(hall.state(of: "side")?["locked"] == "inputs")
        for input in Self.bound { press(input, in: &hall) }
        #expect(handed(hall).isEmpty)
        #expect(hall.machines["side"]?.logs.contains { $0.contains("ignored: the node is locked") } == true)
        // A command is not an input.
        #expect(hall.send("start", to: "side")?["status"] == "ok")
        hall.send("lock", #"{"commands":true}"#, to: "side")
        let refused = hall.send("stop", to: "side")
        #expect(refused?["code"] == "locked" && refused?["handed_to"] == "stage")
        #expect(hall.send("unlock", to: "side")?["status"] == "ok")
        press("stop", in: &hall)
        #expect(hall.state(of: "side")?["mode"] == "stopped")
    }

    @Test("are refused after 2 s if the leader does not answer; stop then stops only this node")
    func noLeader() throws {
        var hall = try hall()
        hall.send("start", to: "stage")
        // The leader hangs, but the broker has not noticed.
        hall.hang("stage")
        #expect(hall.send("pause", #"{"id":"p"}"#, to: "side", waiting: .milliseconds(1900)) == nil)
        hall.wait(.milliseconds(200))
        #expect(hall.payloads("response", of: "side").last?.contains("no_leader") == true)
        #expect(hall.machines["side"]?.lit == "green")
        let answer = hall.send("stop", to: "side", waiting: .milliseconds(2100))
        #expect(answer?["code"] == "no_leader" && answer?["handed_to"] == "stage")
        #expect(hall.machines["side"]?.lit == "dark")
        hall.wait(.seconds(120))
        #expect(hall.machines["side"]?.lit == "dark", "until the leader publishes another state")
        hall.start("stage")
        hall.wait(.seconds(5))
        #expect(hall.state(of: "side")?["mode"] == hall.state(of: "stage")?["mode"])
    }

    @Test("are refused at once without a connection or with a leader that is offline", arguments: ["broker", "leader"])
    func gone(gone: String) throws {
        var hall = try hall()
        hall.send("start", to: "stage")
        if gone == "broker" { hall.setBroker(there: false) } else { hall.kill("stage") }
        hall.wait(.milliseconds(100))
        press("toggle", in: &hall)
        #expect(hall.machines["side"]?.lit == "green")
        #expect(hall.machines["side"]?.logs.contains { $0.contains("no_leader") } == true)
        press("stop", in: &hall)
        #expect(hall.machines["side"]?.lit == "dark")
        if gone == "broker" { hall.setBroker(there: true) } else { hall.start("stage") }
        hall.wait(.seconds(70))
        #expect(hall.machines["side"]?.lit == hall.machines["stage"]?.lit)
    }

    @Test("that a follower forwarded are refused by another follower, so a ring ends at once")
    func ring() throws {
        var hall = Hall(seed: 4)
        try hall.add("one", follows: "two")
        try hall.add("two", follows: "one")
        hall.wait(.seconds(3))
        let answer = hall.send("start", to: "one", waiting: .seconds(3))
        #expect(answer?["code"] == "not_allowed" && answer?["handed_to"] == "two")
        #expect(answer?["message"] == "one follows two, which itself follows one; a leader must have its own timers")
        let warnings = hall.machines["two"]?.logs.filter { $0.contains("follow") } ?? []
        #expect(warnings.contains { $0.hasPrefix("refused timer/two/command/start: not_allowed: one follows two") })
        #expect(warnings.contains { $0.hasPrefix("not following one: state: it is following two;") })
        let count = hall.machines["one"]?.published.count ?? 0
        hall.wait(.seconds(60))
        #expect((hall.machines["one"]?.published.count ?? 0) - count < 5, "the ring is quiet")
    }

    @Test("without an id count twice if they arrive twice at once")
    func withoutID() throws {
        var hall = Hall(seed: 3)
        let timers = (1...4).map { TimerItem(name: "\($0)", thresholds: .zero.setting(start: 60)) }
        let group = try NodeConfiguration.Timers(groups: [TimerGroup(timers: timers)])
        try hall.add("stage", 60, 0, 0) { $0.timers = group }
        try hall.add("side", follows: "stage", bootClock: .seconds(5), hoursAhead: 9)
        hall.wait(.seconds(3))
        for _ in 1...2 { hall.publish("timer/side/command/next") }
        hall.wait(.milliseconds(100))
        #expect(hall.state(of: "stage")?["timer"]?["path"] == "1/3")
        for _ in 1...2 { hall.publish("timer/side/command/next", #"{"id":"one"}"#) }
        hall.wait(.milliseconds(100))
        #expect(hall.state(of: "stage")?["timer"]?["path"] == "1/4", "the two commands count as one")
    }
}
