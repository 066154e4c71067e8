import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A node with several timers")
struct ModelCommandTests {
    /// Two groups: 1/1 Opening 10 s, 1/2 Talk 20/8/4 s, 1/3 nothing, 1/4 Questions 5 s; 2/1 Talk 30 s, whose group
    /// alarms at zero.
    private func node(immediately: Bool = true) throws -> Scenario {
        let timers = { (list: [(String, Int, Int, Int)]) in
            try list.map {
                TimerItem(name: $0.0, thresholds: try Thresholds(start: $0.1, warning: $0.2, final: $0.3))
            }
        }
        let first = TimerGroup(
            name: "Morning",
            timers: try timers([("Opening", 10, 0, 0), ("Talk", 20, 8, 4), ("Break", 0, 0, 0), ("Questions", 5, 0, 0)]))
        let second = TimerGroup(
            name: "Evening", display: .stoplights, atZero: .alarm,
            timers: try timers([("Talk", 30, 0, 0), ("End", 9, 0, 0)]))
        return try Scenario { configuration in
            configuration.timers =
                (try? .init(groups: [first, second], settings: .init(startTimerImmediately: immediately)))
                ?? configuration.timers
        }
    }

    private func path(_ node: Scenario) -> JSON? { node.state?["timer"]?["path"] }

    @Test("goes through a sequence without losing time, and alarms only after the last timer")
    func sequence() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(40))
        let told = node.story.filter { !$0.contains("tick") }
        #expect(
            told == [
                "0 lamps dark", "0 mode stopped", "0 lamps green", "0 mode countdown",
                "10 lamps buzzer+green", "10.15 lamps green", "22 lamps yellow", "22 mode warning", "26 lamps red",
                "26 mode final", "30 lamps buzzer+green", "30 mode countdown", "30.15 lamps green",
                "35 lamps buzzer+red", "35 mode alarm",
            ] + told.dropFirst(15))
        #expect(node.story.contains("10 tick 0") && node.story.contains("10 tick 20"))
        let events = node.publications.filter { $0.topic.hasSuffix("/event") }
            .compactMap { try? JSON(parsing: $0.payload)["event_type"] }
        #expect(
            events == [
                "countdown", "run_ended", "transition", "warning", "final", "run_ended", "transition", "countdown",
                "alarm",
            ])
        #expect(
            node.state?["last"]?.text
                == #"{"timer":"1/2","used":20,"over":0,"ended_at":"2023-11-14T22:13:50.000Z"}"#)
        #expect(node.state?["next"] == .null)
    }

    @Test("breaks the sequence on end, and continues it on fast_forward")
    func endAndFastForward() throws {
        var node = try node()
        node.send("start")
        node.wait(.seconds(3))
        node.send("fast_forward")
        #expect(path(node) == "1/2")
        #expect(node.last("mode") == "countdown")
        #expect(
            node.state?["last"]?.text
                == #"{"timer":"1/1","used":3,"over":0,"ended_at":"2023-11-14T22:13:23.000Z"}"#)
        node.send("end")
        #expect(node.last("mode") == "alarm")
        #expect(path(node) == "1/2")
        node.wait(.seconds(6))
        node.send("state")
        #expect(node.state?["overtime"] == 6)
        node.send("stop")
        #expect(
            node.state?["last"]?.text
                == #"{"timer":"1/2","used":6,"over":6,"ended_at":"2023-11-14T22:13:29.000Z"}"#)
    }

    @Test(
        "finds a timer by its path, its group, its path and name, its id, and a name that is unique",
        arguments: [
            ("2/1", "2/1"), ("2", "2/1"), ("1/2 Talk", "1/2"), ("Questions", "1/4"),
            ("74696D65-722D-8E6F-8064-650000000202", "2/2"),
        ])
    func selectors(selector: String, expected: String) throws {
        var node = try node()
        #expect(node.send("select", selector)?["status"] == "ok")
        #expect(path(node) == .string(expected))
        #expect(node.last("mode") == "stopped")
        node.send("start", #"{"timer":"\#(selector)"}"#)
        #expect(path(node) == .string(expected))
        #expect(node.last("mode") == "countdown")
        node.send("select", #"{"timer":"\#(selector)"}"#)
        #expect(node.last("mode") == "stopped", "the running timer is stopped first")
    }

    @Test(
        "does not find a timer that does not exist, or a name that several timers share",
        arguments: [
            ("3/1", #"there is no timer "3/1""#), ("1/2 Opening", #"timer 1/2 is named "Talk", not "Opening""#),
            ("Talk", #"2 timers are named "Talk": 1/2, 2/1"#), ("0", #"there is no timer "0""#),
            ("-9223372036854775808", #"there is no timer "-9223372036854775808""#),
        ])
    func unknownSelectors(selector: String, message: String) throws {
        var node = try node()
        node.send("start")
        let response = node.send("select", selector)
        #expect(response?["code"] == "not_found")
        #expect(response?["message"] == .string(message))
        #expect(node.last("mode") == "countdown", "it still runs")
    }

    @Test("names the first eight of the timers that share a name", arguments: 8...9)
    func sameNames(count: Int) throws {
        let groups = try stride(from: count, to: 0, by: -4).map { left in
            let thresholds = try Thresholds(start: 9)
            let timers = (0..<min(left, 4)).map { _ in TimerItem(name: "Talk", thresholds: thresholds) }
            return TimerGroup(name: "Group", timers: timers)
        }
        let configured = try NodeConfiguration.Timers(groups: groups)
        var node = try Scenario { $0.timers = configured }
        let paths = "1/1, 1/2, 1/3, 1/4, 2/1, 2/2, 2/3, 2/4\(count > 8 ? ", …" : "")"
        #expect(
            node.send("select", "Talk")?["message"] == .string("\(count) timers are named \"Talk\": \(paths)"))
    }

    @Test("goes to the next and the previous timer, even in a neighbouring group, but not past the ends")
    func nextAndPrevious() throws {
        var node = try node(immediately: false)
        #expect(node.send("previous")?["code"] == "not_allowed")
        for expected in ["1/2", "1/3", "1/4", "2/1", "2/2"] {
            #expect(node.send("next")?["status"] == "ok")
            #expect(path(node) == .string(expected))
            #expect(node.last("mode") == "stopped")
        }
        #expect(node.send("next")?["message"] == "no timer comes after 2/2")
        node.send("previous")
        #expect(path(node) == "2/1")
    }

    @Test("starts the timer that next selects at once, if so configured")
    func startImmediately() throws {
        var node = try node()
        node.send("next")
        #expect(node.last("mode") == "countdown")
        #expect(path(node) == "1/2")
        node.send("rewind")
        #expect(node.last("mode") == "stopped")
    }

    @Test("sets, adds to and syncs the remaining time")
    func changesTime() throws {
        var node = try node()
        node.send("start", "1/2")
        #expect(node.send("set", "0:07")?["remaining"] == 7)
        #expect(node.last("mode") == "warning")
        #expect(node.send("add", "+30")?["remaining"] == 37)
        #expect(node.state?["elapsed"] == 0)
        #expect(node.send("add", #"{"seconds":-36}"#)?["remaining"] == 1)
        #expect(node.send("add", #"{"seconds":"1:00"}"#)?["remaining"] == 61)
        #expect(node.send("add", "86399")?["code"] == "invalid_payload")
        let at = Timestamp.text(node.now.date.addingTimeInterval(-2.5))
        #expect(node.send("sync", #"{"remaining":20,"at":"\#(at)"}"#)?["remaining"] == 18)
        #expect(node.send("sync", #"{"remaining":21,"at":"\#(at)"}"#)?["code"] == "invalid_payload")
        node.send("end")
        #expect(node.send("add", "5")?["mode"] == "warning", "from the alarm it continues with the added time")
        #expect(node.send("add", "-5")?["mode"] == "countdown", "at zero the sequence moves on")
        #expect(path(node) == "1/4")
    }

    @Test("runs different times once without an edit")
    func oneRun() throws {
        var node = try node()
        let timers = node.last("timers")
        node.send("start", #"{"duration":90,"warning":30,"final":"0:10","name":"Guest"}"#)
        #expect(node.state?["start"] == 90)
        #expect(node.state?["timer"]?["name"] == "Guest")
        #expect(node.last("timers") == timers)
        node.wait(.seconds(90))
        #expect(node.last("mode") == "alarm", "it is not part of the sequence")
        node.send("stop")
        #expect(node.state?["start"] == 10)
    }

    @Test("edits a timer with the editor's clamps, and publishes the model and an event")
    func edits() throws {
        var node = try node()
        node.send("start", "1/2")
        node.wait(.seconds(5))
        #expect(node.send("edit", #"{"start":6,"name":"Short talk","event":"Spring"}"#)?["status"] == "ok")
        #expect(node.state?["warning"] == 5)
        #expect(node.state?["final"] == 4)
        #expect(node.state?["remaining"] == 6, "the remaining time is at most the new start")
        #expect(node.state?["timer"]?["event"] == "Spring")
        #expect(node.last("timers")?.contains("Short talk") == true)
        #expect(node.last("event")?.contains(#""event_type":"timer_edited""#) == true)
        node.send("edit", #"{"timer":"2/2","location":"Hall A"}"#)
        #expect(node.last("timers")?.contains("Hall A") == true)
        #expect(path(node) == "1/2")
    }

    @Test("replaces the whole model, all or nothing; a timer that keeps its id continues to run")
    func replaces() throws {
        var node = try node()
        node.send("start", "2/1")
        let running = #"{"groups":[{"timers":[{"id":"74696D65-722D-8E6F-8064-650000000201","name":"T","start":60}]}]}"#
        #expect(node.send("timers", running)?["status"] == "ok")
        #expect(path(node) == "1/1")
        #expect(node.last("mode") == "countdown")
        #expect(node.state?["start"] == 60)
        let before = (node.last("timers"), node.state)
        let response = node.send("timers", #"{"groups":[{"timers":[{"start":7}]},{"timers":[{"start":5.5}]}]}"#)
        #expect(response?["code"] == "invalid_payload")
        #expect((node.last("timers"), node.state) == before)
    }

    @Test("accepts the message that it publishes as its timers")
    func roundTrip() throws {
        var node = try node()
        let timers = try #require(node.last("timers"))
        let before = node.publications.count
        #expect(node.send("timers", timers)?["status"] == "ok")
        #expect(!node.publications[before...].contains { $0.topic.hasSuffix("/timers") }, "nothing changed")
    }

    @Test("keeps the selection when its timers are replaced, if it still exists and no other is requested")
    func keepsSelection() throws {
        var node = try node()
        node.send("select", "2/1")
        let timers = try #require(node.last("timers")).replacing("Break", with: "Pause")
        #expect(node.send("timers", timers)?["status"] == "ok")
        #expect(path(node) == "2/1")
        let id = try #require(node.state?["timer"]?["id"]).text.replacing("\"", with: "")
        #expect(timers.contains(id), "the id is the same in both")
        let other = timers.replacing(#"{"version":2,"model_revision":1"#, with: #"{"selected":"1/2""#)
        #expect(node.send("timers", other)?["status"] == "ok")
        #expect(path(node) == "1/2")
        #expect(node.send("timers", #"{"groups":[{"timers":[{"start":1}]}]}"#)?["status"] == "ok")
        #expect(path(node) == "1/1")
    }

    @Test("publishes all retained topics again on request")
    func again() throws {
        var node = try node()
        let before = node.publications.count
        node.send("state")
        let topics = node.publications[before...].filter(\.retain).map { $0.topic.split(separator: "/").last ?? "" }
        #expect(Set(topics) == ["availability", "timers", "mode", "state", "runs", "health"])
    }

    @Test("publishes the state again when the wall clock is set, and nothing else changes")
    func wallClock() throws {
        var node = try node()
        node.send("start", "2/1")
        node.wait(.seconds(10))
        #expect(node.state?["ends_at"] == "2023-11-14T22:13:50.000Z")
        let before = node.diary.count
        node.setWallClock(by: 3600)
        node.happens(.wallClockSet)
        #expect(node.state?["ends_at"] == "2023-11-14T23:13:50.000Z")
        #expect(node.diary.count == before + 1, "only the state")
        node.wait(.seconds(20))
        #expect(node.diary.contains("30 mode alarm"))
    }
}
