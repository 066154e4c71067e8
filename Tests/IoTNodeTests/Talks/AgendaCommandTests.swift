import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The commands agenda and begin")
struct AgendaCommandTests {
    private typealias Story = AgendaStory

    private static let standUp =
        #"{"remind_after":0,"meetings":[{"name":"Stand-up","day":["mon","tue"],"at":"18:15","for":"15m","group":2,"begin":"start"}]}"#

    private func agenda(_ node: Scenario) throws -> AgendaMessage? {
        let payload = try #require(node.last("agenda"))
        return payload.isEmpty ? nil : try AgendaMessage(Array(payload.utf8))
    }

    @Test("publish only an empty topic, once per connection, if there is no agenda")
    func none() throws {
        var node = try Scenario()
        #expect(try agenda(node) == nil)
        #expect(node.publications.count { $0.topic == "timer/lectern/agenda" } == 1)
        #expect(node.send("begin", "1")?["code"] == "not_found")
    }

    @Test("replace the whole agenda, which is published, followed and saved until the agenda in the file changes")
    func replacing() throws {
        var node = try Story.node()
        #expect(try agenda(node)?.revision == 1)
        #expect(node.send("agenda", Self.standUp)?["status"] == "ok")
        let message = try #require(try agenda(node))
        #expect(message.revision == 2)
        #expect(message.agenda.meetings.map(\.name) == ["Stand-up"])
        #expect(message.next?.begin?.at.description == "18:15")
        var next = try Story.node(saved: node.saved.last, after: .seconds(60))
        #expect(try agenda(next)?.agenda == message.agenda)
        #expect(try agenda(next)?.revision == 2)
        next.wait(until: "2023-11-14T18:15:00Z")
        #expect(next.mode == "countdown")
        let other = try Story.node([Story.meeting("Another")], saved: node.saved.last, after: .seconds(60))
        #expect(try agenda(other)?.agenda.meetings.map(\.name) == ["Another"])
    }

    @Test("keep an agenda over a restart even if the file has none")
    func withoutFile() throws {
        var node = try Story.node { $0.agenda = nil }
        #expect(node.send("agenda", Self.standUp)?["status"] == "ok")
        let next = try Story.node(saved: node.saved.last, after: .seconds(60)) { $0.agenda = nil }
        #expect(try agenda(next)?.agenda.meetings.map(\.name) == ["Stand-up"])
    }

    @Test("accept the message of the topic, and ignore its derived fields")
    func repeated() throws {
        var node = try Story.node([Story.meeting(), Story.meeting("Two", days: [.weekday(.mon), .weekday(.fri)])])
        let before = try #require(try agenda(node))
        guard case .object(let members) = try JSON(parsing: Array(try #require(node.last("agenda")).utf8)) else {
            return
        }
        let own = ["zone", "remind_after", "meetings"]
        let answer = node.send("agenda", JSON.object(members.filter { own.contains($0.key) }).text)
        #expect(answer?["status"] == "ok")
        #expect(try agenda(node)?.agenda == before.agenda)
    }

    @Test(
        "refuse invalid values without changing anything",
        arguments: [
            ("", "invalid_payload", "agenda needs a JSON object"),
            (#"{"meetings":[{"name":"A","day":"tue","at":"25:00","for":"1h"}]}"#, "invalid_payload", "meetings[1].at"),
            (#"{"meetings":[{"name":"A","day":"tue","at":"19:00"}]}"#, "invalid_payload", "meetings[1].for is missing"),
            (#"{"meetings":[],"colour":1}"#, "invalid_payload", "colour"),
            (#"{"zone":"Europe/Berln","meetings":[]}"#, "invalid_payload", "Europe/Berln"),
            (#"{"zone":"../../etc/passwd","meetings":[]}"#, "invalid_payload", "zone"),
            (#"{"revision":7,"meetings":[]}"#, "conflict", "7"),
        ])
    func refused(payload: String, code: String, message: String) throws {
        var node = try Story.node()
        let before = try agenda(node)
        let answer = node.send("agenda", payload)
        #expect(answer?["code"] == .string(code))
        #expect(answer?["message"].map { "\($0)".contains(message) } == true, "\(answer?.text ?? "")")
        #expect(try agenda(node) == before)
        #expect(node.send("agenda", Self.standUp, to: "all")?["code"] == "not_allowed")
    }

    @Test("accept the current revision, and refuse an older one")
    func revision() throws {
        var node = try Story.node()
        #expect(node.send("agenda", #"{"revision":1,"meetings":[]}"#)?["status"] == "ok")
        #expect(node.send("agenda", #"{"revision":1,"meetings":[]}"#)?["code"] == "conflict")
        #expect(node.send("agenda", #"{"revision":2,"meetings":[]}"#)?["status"] == "ok")
    }

    @Test("change nothing if they are refused, not even the published agenda")
    func refused() throws {
        var node = try AgendaStory.node()
        let told = { node.publications.filter { $0.topic == "timer/lectern/agenda" }.count }
        #expect(told() == 1)
        let zone = #"{"name":"a","day":"tue","at":"19:00","for":"2h","zone":"Nowhere/Land"}"#
        #expect(node.send("agenda", #"{"meetings":[\#(zone)]}"#)?["status"] == "error")
        #expect(node.send("agenda", #"{"revision":7,"meetings":[]}"#)?["code"] == "conflict")
        node.wait(.seconds(60))
        #expect(told() == 1)
    }

    @Test("begin a meeting by its index or its name, as its begin action specifies; it then counts as begun")
    func begin() throws {
        for selector in ["1", "Toastmasters", #"{"meeting":1}"#, #"{"meeting":"Toastmasters"}"#] {
            var node = try Story.node([Story.meeting(begin: .start), Story.meeting("Two", group: 1)])
            #expect(node.send("begin", selector)?["status"] == "ok")
            #expect(node.mode == "countdown")
            #expect(node.selected == "2/1")
            #expect(node.meetings == ["18:00:00 Toastmasters began"])
            #expect(node.meeting?["planned_end"] == "2023-11-14T21:00:00.000Z")
            node.send("stop")
            node.wait(until: "2023-11-14T19:00:10Z")
            #expect(node.selected == "2/1", "the other meeting began, and its time slot was taken")
            #expect(node.meetings == ["18:00:00 Toastmasters began", "19:00:00 Two began"])
        }
    }

    @Test("announce the next meeting that is still to begin, and not one that was begun early")
    func nextAfterEarlyBegin() throws {
        var node = try Story.node([Story.meeting(), Story.meeting("Two", at: "19:30")])
        node.send("begin", "1")
        let message = try #require(try agenda(node))
        #expect(message.inProgress.map(\.name) == ["Toastmasters"])
        #expect(message.next?.name == "Two")
        node.send("stop")
        node.send("begin", "2")
        #expect(try agenda(node)?.next?.begin?.day.description == "2023-11-21")
    }

    @Test("do not begin a meeting during a run, or one that does not exist")
    func beginRefused() throws {
        var node = try Story.node([Story.meeting(), Story.meeting()])
        #expect(node.send("begin", "3")?["code"] == "not_found")
        #expect(node.send("begin", "Toastmasters")?["code"] == "not_found", "two meetings have that name")
        #expect(node.send("begin", "")?["code"] == "invalid_payload")
        for command in ["start", "pause", "end"] {
            node.send(command)
            #expect(node.send("begin", "1")?["code"] == "not_allowed")
        }
        #expect(node.meetings == [])
    }

    // MARK: - Reminders

    @Test("remind with the lamps every minute, ten times, from a minute after a meeting began without a run")
    func reminders() throws {
        var node = try Story.node(remindAfter: 60)
        node.wait(until: "2023-11-14T19:00:59.999Z")
        #expect(node.lit == "dark")
        node.wait(until: "2023-11-14T19:01:00Z")
        #expect(node.lit == "yellow")
        node.wait(until: "2023-11-14T20:30:00Z")
        let expected = (1...10).map { "19:\($0 < 10 ? "0" : "")\($0):00 Toastmasters reminder \($0)" }
        #expect(node.meetings == ["19:00:00 Toastmasters began"] + expected)
    }

    @Test(
        "stop reminding once a timer is started, the meeting is over, or silence is received",
        arguments: ["start", "silence", "begin 1"])
    func reminded(command: String) throws {
        var node = try Story.node(remindAfter: 120)
        node.wait(until: "2023-11-14T19:03:10Z")
        let parts = command.split(separator: " ").map(String.init)
        node.send(parts[0], parts.count > 1 ? parts[1] : "")
        node.send("stop")
        node.wait(until: "2023-11-14T20:30:00Z")
        #expect(node.meetings.count { $0.contains("reminder") } == 2)
    }

    @Test("send no reminder of a meeting that starts automatically, is not attended, or began during a run")
    func notReminded() throws {
        for meeting in [
            Story.meeting(begin: .start), Story.meeting(attend: false), Story.meeting(group: nil),
            Story.meeting(for: 60),
        ] {
            var node = try Story.node([meeting], remindAfter: 60)
            node.wait(until: "2023-11-14T20:30:00Z")
            #expect(node.meetings.count { $0.contains("reminder") } == 0)
        }
        var node = try Story.node(remindAfter: 60)
        node.wait(until: "2023-11-14T18:59:50Z")
        node.send("start")
        node.wait(until: "2023-11-14T20:30:00Z")
        #expect(node.meetings == ["19:00:00 Toastmasters began"])
        var never = try Story.node(remindAfter: 0)
        never.wait(until: "2023-11-14T20:30:00Z")
        #expect(never.meetings == ["19:00:00 Toastmasters began"])
    }

    @Test("continue reminding after a restart")
    func restart() throws {
        var node = try Story.node(remindAfter: 60)
        node.wait(until: "2023-11-14T19:03:10Z")
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        var next = try Story.node(remindAfter: 60, at: node.now.date, saved: node.saved.last, after: passed)
        next.wait(until: "2023-11-14T20:30:00Z")
        #expect(next.meetings.first == "19:04:00 Toastmasters reminder 4")
        #expect(next.meetings.count == 7)
    }

    @Test("send no reminders after a reboot")
    func reboot() throws {
        var node = try Story.node(remindAfter: 60)
        node.wait(until: "2023-11-14T19:03:10Z")
        var next = try Story.restarted(node, [Story.meeting()], remindAfter: 60, boot: "another")
        next.wait(until: "2023-11-14T20:30:00Z")
        #expect(next.meetings == [])
    }

    @Test("begin the nearest occurrence within the next 12 hours, or else an extra one")
    func nearest() throws {
        // The meeting lasts a day; today's occurrence begins in an hour.
        let daily = Weekday.allCases.map { Agenda.Meeting.Day.weekday($0) }
        var node = try Story.node([Story.meeting(days: daily, for: 86_400)])
        let first = node.meeting
        #expect(first?["planned_end"] == "2023-11-14T19:00:00.000Z")
        node.send("begin", "1")
        #expect(node.meeting == first && node.meetings == [], "yesterday's has begun")
        for (at, end) in [("5:59", "2023-11-15T07:59:00.000Z"), ("6:00", "2023-11-14T20:00:00.000Z")] {
            var node = try Story.node([Story.meeting(days: [.weekday(.wed)], at: at)])
            node.send("begin", "1")
            #expect(node.meeting?["planned_end"] == .string(end), "\(at)")
        }
    }

    @Test("show the meeting of the selected group, or else the one that began last")
    func current() throws {
        var node = try Story.node([
            Story.meeting("One", at: "18:10", group: 1, begin: Agenda.Meeting.Begin.none),
            Story.meeting("Two", at: "18:20", group: 2, begin: Agenda.Meeting.Begin.none),
            Story.meeting("None", at: "18:30", group: nil),
        ])
        node.wait(until: "2023-11-14T18:40:00Z")
        #expect(node.selected == "1/1" && node.meeting?["name"] == "One")
        node.send("select", "2/1")
        #expect(node.meeting?["name"] == "Two" && node.meeting?["left"] == 420)
        var other = try Story.node([
            Story.meeting("Two", at: "18:20", group: 2, begin: Agenda.Meeting.Begin.none),
            Story.meeting("None", at: "18:30", group: nil),
        ])
        other.wait(until: "2023-11-14T18:40:00Z")
        #expect(other.meeting?["name"] == "None")
    }
}
