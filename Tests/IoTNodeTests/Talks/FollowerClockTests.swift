import BrokerLink
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A follower knows its leader's clock")
struct FollowerClockTests {
    /// Creates a leader and a follower whose clock drifts by 80 ppm, and sends these commands.
    private func hall(_ commands: String...) throws -> Hall {
        var hall = try FollowerTests.hall(partsPerMillion: 80, 1200, 600, 300)
        for command in commands { hall.send(command, to: "stage", waiting: .seconds(5)) }
        return hall
    }

    /// Returns how many times the follower has requested the time.
    private func questions(_ hall: Hall) -> Int {
        hall.machines["side"]?.published.count { $0.message.topic == "timer/stage/command/time" } ?? 0
    }

    /// Returns a forged response to the follower's last request, with a leader's clock that is ahead.
    private func forgedResponse(_ hall: Hall, ahead: Duration) throws -> String {
        let question = try #require(hall.machines["side"]?.published.last { $0.message.topic.hasSuffix("/time") })
        let id = try #require(try JSON(parsing: question.message.payload)["id"])
        let clock = try #require(hall.machines["stage"]?.moment(hall.time).instant.sinceEpoch) + ahead
        return """
            {"id":\(String(decoding: id.bytes, as: UTF8.self)),"command":"time","status":"ok","mode":"stopped",\
            "remaining":1200,"time":"2026-11-20T12:00:00.123Z",\
            "clock":{"boot":"boot of stage","now":\(clock.count(of: .microseconds(1)))}}
            """
    }

    @Test("through a pause or an alarm of an hour: both blink in phase", arguments: ["pause", "end"])
    func hour(command: String) throws {
        var hall = try hall("start", command)
        hall.wait(.seconds(3600))
        let since = hall.time
        hall.wait(.seconds(10))
        let steps = FollowerTests.steps(hall, since: since)
        #expect(steps.stage.count > 4 && steps.stage == steps.side)
        #expect(steps.worst < 6, "\(steps.worst) ms")
        #expect(hall.follow(of: "side")?["in_step"] == true)
    }

    @Test("by a request every 30 s while the leader is running, paused or alarming, and every minute while stopped")
    func asking() throws {
        var hall = try hall()
        for (command, expected) in [("start", 2), ("pause", 2), ("resume", 2), ("end", 2), ("stop", 1)] {
            hall.send(command, to: "stage", waiting: .seconds(10))
            let before = questions(hall)
            hall.wait(.seconds(60))
            #expect(questions(hall) - before == expected, "after \(command)")
        }
    }

    @Test("by several requests when its leader comes back, and by none when a leader that is there says so again")
    func comesBack() throws {
        var hall = try hall("start")
        hall.wait(.seconds(60))
        hall.kill("stage")
        hall.wait(.seconds(10))
        var before = questions(hall)
        hall.start("stage")
        hall.wait(.seconds(5))
        #expect(questions(hall) - before >= TimeRequests.atConnection)
        hall.wait(.seconds(20))
        before = questions(hall)
        hall.publish("timer/stage/availability", "online", retain: true)
        hall.wait(.seconds(2))
        #expect(questions(hall) == before)
    }

    @Test(
        "less accurately the older its last request is, and reports that while anything counts or blinks",
        arguments: [["start"], ["start", "pause"], ["start", "end"], []])
    func stale(commands: [String]) throws {
        var hall = try FollowerTests.hall(partsPerMillion: 80, 1200, 600, 300)
        for command in commands { hall.send(command, to: "stage", waiting: .seconds(5)) }
        let follower = { (hall: Hall) in
            hall.machines["side"].flatMap { $0.core?.follower?.report(at: $0.moment(hall.time).instant) }
        }
        let before = try #require(follower(hall))
        #expect(before.isInStep)
        // The broker does not notice that the process hangs.
        hall.hang("stage")
        hall.wait(.seconds(100))
        let error = try #require(follower(hall)?.error) - (try #require(before.error))
        #expect(error >= .milliseconds(9) && error <= .milliseconds(11), "100 ppm of 100 s: \(error)")
        #expect(follower(hall)?.isInStep == true)
        hall.wait(.seconds(150))
        #expect(follower(hall)?.isInStep == commands.isEmpty)
        #expect(hall.follow(of: "side")?["in_step"] == .bool(commands.isEmpty))
    }

    @Test("well enough to ignore a state that arrives after a newer one")
    func older() throws {
        var hall = try hall("start")
        let running = try #require(hall.payloads("state", of: "stage").last)
        hall.send("stop", to: "stage", waiting: .seconds(1))
        hall.publish("timer/stage/state", running)
        hall.wait(.milliseconds(1))
        #expect(hall.machines["side"]?.lit == "dark")
        hall.wait(.seconds(5))
        #expect(hall.state(of: "side")?["mode"] == "stopped")
        #expect(!hall.changes(of: "side", since: hall.time - .milliseconds(5500)).contains { $0.lit != "dark" })
    }

    @Test("only from responses to requests on the same connection")
    func earlierConnection() throws {
        var hall = try hall()
        let offset = { (hall: Hall) in hall.machines["side"]?.core?.follower?.time.offset }
        let known = try #require(offset(hall))
        hall.hang("stage")
        let before = questions(hall)
        for _ in 0..<700 where questions(hall) == before { hall.wait(.milliseconds(100)) }
        #expect(questions(hall) == before + 1)
        let response = try forgedResponse(hall, ahead: .seconds(3600))
        hall.loseConnection(of: "side")
        for _ in 0..<50 where hall.machines["side"]?.isConnected == false { hall.wait(.milliseconds(100)) }
        hall.wait(.milliseconds(10))
        #expect(hall.machines["side"]?.isConnected == true)
        hall.publish("timer/stage/response", response)
        hall.wait(.milliseconds(10))
        #expect(offset(hall) == known)
    }

    @Test("again after a forged response, while the leader is stopped, and then follows the state that it had refused")
    func forged() throws {
        let ages = Duration.seconds(300_000_000_000)
        var hall = try hall()
        hall.loseConnection(of: "side")
        let before = questions(hall)
        var answered = before
        for _ in 0..<100_000 where answered < before + 5 {
            hall.wait(.microseconds(50))
            guard questions(hall) > answered else { continue }
            answered += 1
            hall.publish("timer/stage/response", try forgedResponse(hall, ahead: ages))
        }
        #expect(answered == before + 5)
        hall.wait(.milliseconds(10))
        let offset = hall.machines["side"]?.core?.follower?.time.offset
        #expect(try #require(offset) > ages / 2, "the forged responses arrived first")
        let state = try #require(hall.payloads("state", of: "stage").last)
        // The leader receives the message as well, and publishes its own state again.
        hall.publish(
            "timer/stage/state",
            state.withBootClock(laterBy: ages).replacing(#""speaker":null"#, with: #""speaker":"Eve""#), retain: true)
        hall.wait(.milliseconds(2))
        #expect(hall.state(of: "side")?["speaker"] == "Eve")
        hall.wait(.seconds(5))
        #expect(hall.state(of: "side")?["speaker"] == .null)
        #expect(hall.follow(of: "side")?["in_step"] == true)
    }
}
