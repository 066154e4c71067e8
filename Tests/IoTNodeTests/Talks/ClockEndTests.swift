import BrokerLink
import Calendar
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run that ends by the clock")
struct ClockEndTests {
    /// A node whose clock shows 18:00 in UTC, with a timer of a minute that warns at 20 s and 10 s.
    static func node(at date: String = "2026-11-20T18:00:00Z", isClockTrusted: Bool = true) throws -> Scenario {
        var node = try Scenario(wallClock: RFC3339.date(date), isClockTrusted: isClockTrusted) {
            LateStartTests.configure(&$0)
            $0.signals = SignalTable(.podium)
            $0.signals.modes[.warning] = ["yellow": .on, "buzzer": .play(Pattern(milliseconds: 300))]
            $0.remotes = []
        }
        node.send("select", "2")
        return node
    }

    @Test(
        "ends at the next such time of day, or at a date",
        arguments: [
            (#"{"until":"18:30"}"#, 1800, "2026-11-20T18:30:00.000Z"),
            (#"{"until":"2026-11-20T18:10:00.5Z"}"#, 601, "2026-11-20T18:10:00.500Z"),
            (#"{"until":"17:59"}"#, 86_340, "2026-11-21T17:59:00.000Z"),
        ])
    func until(payload: String, left: Int, date: String) throws {
        var node = try Self.node()
        #expect(node.send("start", payload)?["status"] == "ok")
        #expect(node.state?["remaining"] == .integer(left) && node.state?["until"] == .string(date))
        #expect(node.state?["ends_at"] == .string(date) && node.state?["next"] == .null)
        #expect(node.state?["warning"] == 20 && node.state?["final"] == 10)
        node.wait(.seconds(left - 15))
        #expect(node.last("mode") == "warning")
        node.send("stop")
        #expect(node.state?["until"] == .null && node.state?["start"] == 60)
    }

    @Test("has the times and the timer that are given")
    func given() throws {
        var node = try Self.node()
        let answer = node.send(
            "start",
            #"{"until":"18:30","timer":"1/1","warning":"5:00","final":"1:00","name":"Session","speaker":"Ada"}"#)
        #expect(answer?["status"] == "ok")
        #expect(node.state?["warning"] == 300 && node.state?["final"] == 60)
        #expect(node.state?["timer"]?["path"] == "1/1" && node.state?["timer"]?["name"] == "Session")
        #expect(node.state?["speaker"] == "Ada")
    }

    @Test("follows the clock when it is set, rings nothing twice, and takes no transition back for less than 2 s")
    func clockSet() throws {
        var node = try Self.node()
        #expect(node.send("start", #"{"until":"18:01"}"#)?["remaining"] == 60)
        func setClock(by seconds: Double) {
            node.setWallClock(by: seconds)
            node.happens(.wallClockSet)
        }
        setClock(by: 30)
        #expect(node.state?["remaining"] == 30 && node.last("mode") == "countdown")
        node.wait(.seconds(11))
        #expect(node.last("mode") == "warning")
        func heard() -> Int { node.diary.count { $0.contains("lamps") && $0.contains("buzzer") } }
        #expect(heard() == 1)
        setClock(by: -1.5)
        #expect(node.last("mode") == "warning" && node.lit == "yellow", "the clock was set by less than 2 s")
        node.wait(.seconds(2))
        #expect(node.state?["clock"]?["zero"] == .integer(1_031_500_000))
        setClock(by: -20)
        #expect(node.last("mode") == "countdown" && node.lit == "green")
        node.wait(.seconds(20))
        #expect(node.last("mode") == "warning" && heard() == 1, "the warning does not sound again")
        node.wait(.seconds(20))
        #expect(node.last("mode") == "alarm")
        let alarms = heard()
        #expect(alarms > 1)
        setClock(by: -30)
        #expect(node.last("mode") == "countdown")
        let events = node.publications.count
        node.wait(.seconds(60))
        #expect(node.last("mode") == "alarm")
        #expect(LateStartTests.events(node, from: events) == ["warning", "final", "alarm"])
        #expect(heard() == alarms, "the alarm does not sound again")
    }

    @Test(
        "takes a transition back if the clock is set back by 2 s, but not by less",
        arguments: [(1.999, "warning"), (2, "countdown")])
    func hold(seconds: Double, mode: String) throws {
        var node = try Self.node()
        node.send("start", #"{"until":"18:01"}"#)
        node.wait(.seconds(41))
        node.setWallClock(by: -seconds)
        node.happens(.wallClockSet)
        #expect(node.last("mode") == mode)
    }

    @Test("follows a clock that is corrected slowly")
    func slewed() throws {
        var node = try Self.node()
        #expect(node.send("start", #"{"until":"18:01"}"#)?["status"] == "ok")
        for _ in 0..<50 {
            node.wait(.seconds(1))
            node.setWallClock(by: 0.01)
        }
        node.wait(.milliseconds(9540))
        #expect(node.last("mode") == "alarm")
    }

    @Test("keeps its end over a pause, and moves it when time is added")
    func paused() throws {
        var node = try Self.node()
        #expect(node.send("start", #"{"until":"18:10"}"#)?["status"] == "ok")
        node.wait(.seconds(60))
        node.send("pause")
        node.wait(.seconds(30))
        #expect(node.send("resume")?["remaining"] == 510)
        #expect(node.send("add", "60")?["remaining"] == 570)
        #expect(node.state?["until"] == "2026-11-20T18:11:00.000Z")
        node.send("pause")
        node.send("add", "30")
        node.wait(.seconds(10))
        #expect(node.send("resume")?["remaining"] == 590)
        node.send("pause")
        node.wait(.seconds(1000))
        #expect(node.send("resume")?["mode"] == "alarm")
    }

    @Test("survives a crash and an undo")
    func survives() throws {
        var node = try Self.node()
        #expect(node.send("start", #"{"until":"18:10"}"#)?["status"] == "ok")
        node.wait(.seconds(60))
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        node = try Scenario(
            saved: node.saved.last, after: passed, wallClock: RFC3339.date("2026-11-20T18:02:00Z"),
            configure: LateStartTests.configure)
        #expect(node.state?["remaining"] == 480, "the clock was set meanwhile")
        node.send("stop")
        node.wait(.seconds(5))
        #expect(node.send("undo")?["remaining"] == 475)
        #expect(node.state?["until"] == "2026-11-20T18:10:00.000Z")
    }

    @Test("is refused while the clock may be wrong, unless it is trusted")
    func trusted() throws {
        var node = try Scenario(
            after: .seconds(-900), wallClock: RFC3339.date("2026-11-20T18:00:00Z"), isClockTrusted: false,
            configure: LateStartTests.configure)
        let date = #""until":"2026-11-20T18:10:00Z""#
        #expect(node.send("start", "{\(date)}")?["code"] == "not_allowed")
        #expect(node.send("start", "{\(date),\"trust\":true}")?["status"] == "ok")
    }

    @Test(
        "is refused at an impossible time",
        arguments: [
            (#"{"until":"2026-11-20T17:59:00Z"}"#, "within the next 24 hours"),
            (#"{"until":"2026-11-21T18:00:01Z"}"#, "within the next 24 hours"),
            (#"{"until":"half past"}"#, "a time of day such as 19:30"),
            (#"{"until":"18:30","duration":60}"#, "cannot be combined"), (#"{"trust":true}"#, "trust requires it"),
        ])
    func refused(payload: String, reason: String) throws {
        var node = try Self.node()
        let answerSent = node.send("start", payload)
        let answer = try #require(answerSent)
        #expect(answer["code"] == "invalid_payload" && "\(answer["message"] ?? .null)".contains(reason), "\(answer)")
        #expect(node.last("mode") == "stopped")
    }

    @Test("may be an entry of the running order")
    func entry() throws {
        var node = try Self.node()
        node.send(
            "programme",
            #"{"entries":[{"title":"Session","until":"18:30","warning":"5:00"},{"title":"A","timer":"2"}]}"#)
        let told = try ProgrammeTests.message(node).entries
        #expect(told[1].expected == told[0].expected?.addingTimeInterval(1800))
        node.send("entry", "next")
        #expect(node.state?["start"] == 1800 && node.state?["warning"] == 300)
        node.wait(.seconds(100))
        #expect(node.send("toggle")?["remaining"] == 1700)
        #expect(node.state?["until"] == "2026-11-20T18:30:00.000Z" && node.state?["timer"]?["name"] == "Session")
        node.wait(.seconds(1710))
        node.send("stop")
        #expect(try ProgrammeTests.message(node).entries[0].used == .seconds(1710))
        #expect(try RunTests.runs(node).first?.title == "Session")
    }

    @Test("may be the only entry of the running order, and ends exactly at its time from its first state on")
    func exactEntry() throws {
        var node = try Self.node(at: "2026-11-20T18:00:00.250Z")
        node.send("programme", #"{"entries":[{"title":"Session","until":"18:30"}]}"#)
        let before = node.publications.count
        #expect(node.send("entry", #"{"entry":"next","start":true}"#)?["remaining"] == 1800)
        let states = node.publications[before...].filter { $0.topic.hasSuffix("/state") }
        #expect(!states.isEmpty && states.allSatisfy { $0.text.contains(#""ends_at":"2026-11-20T18:30:00.000Z""#) })
    }

    @Test("leaves the buzzer audible in a pause and after it")
    func audible() throws {
        var node = try Self.node()
        node.send("start", #"{"until":"18:10"}"#)
        for verb in ["pause", "resume"] {
            #expect(node.send(verb)?["status"] == "ok")
            #expect(node.send("beep")?["status"] == "ok", "after \(verb)")
        }
    }

    @Test("is ended by a command, and announces what comes after added time")
    func commanded() throws {
        var node = try Self.node()
        node.send("start", #"{"until":"18:10"}"#)
        #expect(node.send("end")?["mode"] == "alarm")
        node.wait(.seconds(5))
        #expect(node.last("mode") == "alarm" && node.state?["until"] == .null)
        node.send("start", #"{"until":"18:01"}"#)
        node.wait(.seconds(60))
        #expect(node.last("mode") == "alarm")
        node.send("add", "40")
        let before = node.diary.count
        node.wait(.seconds(25))
        #expect(node.last("mode") == "warning")
        #expect(node.diary[before...].contains { $0.contains("lamps") && $0.contains("buzzer") })
    }

    @Test("keeps its end when its beginning is moved")
    func began() throws {
        var node = try Self.node()
        node.send("start", #"{"until":"18:03"}"#)
        let before = node.publications.count
        #expect(node.send("began", #"{"ago":600}"#)?["remaining"] == 180)
        #expect(node.state?["run"]?["used"] == 600 && node.last("mode") == "countdown")
        #expect(LateStartTests.events(node, from: before).isEmpty)
    }

    @Test("follows no clock that is set back by a day")
    func absurd() throws {
        var node = try Self.node()
        node.send("start", #"{"until":"17:50"}"#)
        node.setWallClock(by: -86_400)
        node.happens(.wallClockSet)
        #expect(node.state?["remaining"] == 85_800)
    }

}
