import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run that began earlier than its start was pressed")
struct LateStartTests {
    /// A sequence of two timers of 6 and 10 s, and a timer of a minute in a group of its own.
    static func configure(_ configuration: inout NodeConfiguration) {
        let times = [(6, 4, 2), (10, 5, 2), (60, 20, 10)]
        let timers = times.map {
            TimerItem(thresholds: .zero.setting(start: $0).setting(warning: $1).setting(final: $2))
        }
        let groups = [
            TimerGroup(name: "Two", timers: Array(timers.prefix(2))),
            TimerGroup(name: "One", atZero: .alarm, timers: Array(timers.suffix(1))),
        ]
        configuration.timers = (try? .init(groups: groups)) ?? configuration.timers
        configuration.storage = .init(directory: "/nowhere")
    }

    /// The events since a publication, by their types.
    static func events(_ node: Scenario, from first: Int) -> [String] {
        node.publications[first...].filter { $0.topic.hasSuffix("/event") }.compactMap {
            (try? JSON(parsing: $0.payload)["event_type"])?.text.filter { $0 != "\"" }
        }
    }

    @Test("has the time that is left, its mode and its dates from then, after one transition")
    func ago() throws {
        var node = try Scenario(configure: Self.configure)
        let before = node.publications.count
        #expect(node.send("start", #"{"timer":"2","ago":45}"#)?["mode"] == "warning")
        #expect(Self.events(node, from: before) == ["warning"])
        #expect(node.lit == "yellow")
        #expect(node.state?["remaining"] == 15)
        #expect(node.state?["run"]?["used"] == 45)
        #expect(node.state?["started_at"] == "2023-11-14T22:12:35.000Z")
        #expect(node.state?["ends_at"] == "2023-11-14T22:13:35.000Z")
        node.wait(.seconds(5))
        #expect(node.last("mode") == "final")
    }

    @Test("goes on with the sequence, and records each timer that is through")
    func sequence() throws {
        var node = try Scenario(configure: Self.configure)
        let before = node.publications.count
        node.send("start", #"{"timer":"1/1","ago":"0:12","speaker":"Ada"}"#)
        #expect(node.state?["timer"]?["path"] == "1/2")
        #expect(node.state?["remaining"] == 4)
        #expect(node.state?["speaker"] == "Ada")
        #expect(Self.events(node, from: before) == ["run_ended", "warning"])
        let run = try #require(try RunTests.runs(node).first)
        #expect(run.used == .seconds(6) && run.speaker == "Ada" && run.endedAt == run.startedAt.addingTimeInterval(6))
    }

    @Test("does not sound what would have sounded by now")
    func silent() throws {
        var node = try Scenario { configuration in
            Self.configure(&configuration)
            configuration.signals = SignalTable(.podium)
        }
        node.send("start", #"{"timer":"2","ago":75}"#)
        #expect(node.last("mode") == "alarm")
        #expect(!node.diary.contains { $0.contains("lamps") && $0.contains("buzzer") })
        #expect(node.state?["overtime"] == 15)
    }

    @Test("begins when the last run ended")
    func lastEnd() throws {
        var node = try Scenario(configure: Self.configure)
        #expect(node.send("start", #"{"since":"last_end"}"#)?["code"] == "not_allowed")
        node.send("start", "2")
        node.wait(.seconds(30))
        node.send("stop")
        #expect(node.state?["last"]?["ended_at"] == "2023-11-14T22:13:50.000Z")
        node.wait(.seconds(12))
        node = try Scenario(
            saved: node.saved.last, after: Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant),
            configure: Self.configure)
        node.send("start", #"{"since":"last_end"}"#)
        #expect(node.state?["started_at"] == "2023-11-14T22:13:50.000Z")
        #expect(node.state?["remaining"] == 48)
    }

    @Test("ends an earlier run at that time")
    func earlier() throws {
        var node = try Scenario(configure: Self.configure)
        node.send("start", #"{"timer":"2","speaker":"Ada"}"#)
        node.wait(.seconds(70))
        node.send("start", #"{"timer":"2","speaker":"Grace","ago":15}"#)
        let run = try #require(try RunTests.runs(node).first)
        #expect(run.used == .seconds(55) && run.over == .zero && run.speaker == "Ada")
        #expect(node.state?["remaining"] == 45 && node.state?["speaker"] == "Grace")
        // It began within those 15 s, so that nothing of it is left.
        node.send("start", #"{"timer":"2","ago":20}"#)
        #expect(try RunTests.runs(node).count == 1)
    }

    @Test(
        "is refused if it makes no sense",
        arguments: [
            (#"{"ago":86401}"#, "expected 0 s to 86400 s"), (#"{"ago":-1}"#, "ago"), (#"{"ago":"soon"}"#, "ago"),
            (#"{"ago":1,"since":"last_end"}"#, "cannot be combined"), (#"{"since":"lunch"}"#, "expected last_end"),
        ])
    func refused(payload: String, reason: String) throws {
        var node = try Scenario(configure: Self.configure)
        let before = node.saved.last
        let answerSent = node.send("start", payload)
        let answer = try #require(answerSent)
        #expect(answer["code"] == "invalid_payload")
        #expect("\(answer["message"] ?? .null)".contains(reason), "\(answer)")
        #expect(node.saved.last == before && node.last("mode") == "stopped")
    }
}

@Suite("The beginning of a run")
struct RunBeginningTests {
    /// A node whose timer of a minute has run for some seconds.
    private func running(for seconds: Int) throws -> Scenario {
        var node = try Scenario(configure: LateStartTests.configure)
        node.send("start", "2")
        node.wait(.seconds(seconds))
        return node
    }

    @Test("is moved, and pauses and added time stay")
    func moved() throws {
        var node = try running(for: 20)
        node.send("pause")
        node.wait(.seconds(7))
        node.send("resume")
        node.send("add", "10")
        node.wait(.seconds(3))
        #expect(node.state?["remaining"] == 50)
        #expect(node.send("began", #"{"ago":40}"#)?["remaining"] == 37)
        #expect(node.state?["run"]?["used"] == 33 && node.state?["run"]?["paused"] == 7)
        #expect(node.state?["started_at"] == "2023-11-14T22:13:10.000Z")
        node.send("stop")
        let run = try #require(try RunTests.runs(node).first)
        #expect(run.used == .seconds(33) && run.paused == .seconds(7) && run.added == 10)
    }

    @Test("is moved while the run is paused, which stays paused if time is left")
    func paused() throws {
        var node = try running(for: 20)
        node.send("pause")
        node.wait(.seconds(5))
        let quiet = node.publications.count
        #expect(node.send("began", #"{"at":"2023-11-14T22:13:10Z"}"#)?["mode"] == "paused")
        #expect(LateStartTests.events(node, from: quiet).isEmpty, "the pause goes on")
        #expect(node.state?["remaining"] == 30 && node.state?["run"]?["used"] == 30)
        let before = node.publications.count
        #expect(node.send("began", #"{"ago":80}"#)?["mode"] == "alarm")
        #expect(LateStartTests.events(node, from: before) == ["alarm"])
        #expect(node.state?["overtime"] == 15 && node.state?["run"]?["used"] == 75, "the pause does not count")
    }

    @Test("is moved in the alarm, which ends if time is left after all")
    func alarm() throws {
        var node = try running(for: 65)
        node.send("began", #"{"ago":75}"#)
        #expect(node.state?["overtime"] == 15)
        #expect(node.send("began", #"{"ago":52}"#)?["mode"] == "final")
        #expect(node.state?["remaining"] == 8 && node.lit == "red")
        node.send("end")
        node.wait(.seconds(2))
        node.send("began", #"{"ago":60}"#)
        #expect(node.state?["overtime"] == 2, "a command raised the alarm at that time")
        #expect(node.state?["run"]?["used"] == 60)
    }

    @Test("does not move an alarm that a command raised 2 ms before the time was over")
    func alarmByCommand() throws {
        var node = try running(for: 59)
        node.wait(.milliseconds(998))
        #expect(node.send("end")?["mode"] == "alarm")
        node.wait(.seconds(2))
        #expect(node.send("began", #"{"ago":70}"#)?["mode"] == "alarm")
        #expect(node.state?["overtime"] == 2)
    }

    @Test("moves the sequence on")
    func sequence() throws {
        var node = try Scenario(configure: LateStartTests.configure)
        node.send("start", #"{"timer":"1","speaker":"Ada"}"#)
        node.wait(.seconds(3))
        node.send("pause")
        node.wait(.seconds(100))
        node.send("began", #"{"ago":111}"#)
        #expect(node.state?["timer"]?["path"] == "1/2" && node.last("mode") == "paused")
        #expect(node.state?["run"]?["used"] == 5 && node.state?["speaker"] == "Ada")
        #expect(try RunTests.runs(node).first?.used == .seconds(6))
    }

    @Test(
        "is not moved to an impossible time",
        arguments: [
            (#"{"at":"2023-11-14T22:13:51Z"}"#, "invalid_payload", "expected a past date"),
            (#"{"at":"2023-11-13T22:13:39Z"}"#, "invalid_payload", "within the last 24 hours"),
            (#"{"ago":90000}"#, "invalid_payload", "86400"), ("{}", "invalid_payload", "ago"),
            (#"{"ago":1,"at":"2023-11-14T22:13:30Z"}"#, "invalid_payload", "one of"), ("30", "invalid_payload", "JSON"),
        ])
    func refused(payload: String, code: String, reason: String) throws {
        var node = try running(for: 20)
        let before = node.saved.last
        let answerSent = node.send("began", payload)
        let answer = try #require(answerSent)
        #expect(answer["code"] == .string(code))
        #expect("\(answer["message"] ?? .null)".contains(reason), "\(answer)")
        #expect(node.saved.last == before)
        node.send("stop")
        #expect(node.send("began", #"{"ago":5}"#)?["code"] == "not_allowed")
    }
}
