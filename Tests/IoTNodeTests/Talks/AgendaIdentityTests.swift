import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A meeting of the agenda is distinguished")
struct AgendaIdentityTests {
    private typealias Story = AgendaStory

    @Test("from another one with the same name and time: both begin, and both end")
    func sameTime() throws {
        let meetings = [Story.meeting("Talk", group: 1), Story.meeting("Talk")]
        var node = try Story.node(meetings)
        node.wait(until: "2023-11-14T19:30:00Z")
        #expect(node.meetings == ["19:00:00 Talk began", "19:00:00 Talk began"])
        var next = try Story.restarted(node, meetings)
        #expect(next.meetings == [])
        next.send("begin", "2")
        #expect(next.meetings == [], "it has begun")
        next.wait(until: "2023-11-14T22:00:00Z")
        #expect(next.meetings == ["21:00:00 Talk ended", "21:00:00 Talk ended"])
    }

    @Test("from an earlier one with the same name, even after a restart")
    func otherTime() throws {
        let meetings = [Story.meeting("Talk", for: 3600, group: 1), Story.meeting("Talk", at: "20:00", for: 3600)]
        var node = try Story.node(meetings)
        node.wait(until: "2023-11-14T20:30:00Z")
        #expect(node.meeting?["left"] == 420)
        var next = try Story.restarted(node, meetings)
        #expect(next.meeting?["left"] == 420)
        #expect(next.meeting?["began_at"] == "2023-11-14T20:00:00.000Z")
        next.send("select", "1")
        #expect(next.meeting?["left"] == .null)
    }

    @Test("from another one with the same name after an edit that moves both or changes one, and after a restart")
    func edited() throws {
        let meetings = [Story.meeting("Talk", group: 1), Story.meeting("Talk")]
        var changed = [Story.meeting("Other", at: "23:00")] + meetings
        changed[1].location = "Elsewhere"
        for edit in [[Story.meeting("Other", at: "23:00")] + meetings, meetings.reversed(), [meetings[1]], changed] {
            var node = try Story.node(meetings)
            node.wait(until: "2023-11-14T18:40:00Z")
            node.send("begin", "2")
            #expect(node.meeting?["left"] == 420)
            let next = try Story.restarted(node, edit)
            node.replace(edit)
            for var node in [node, next] {
                #expect(node.meeting?["left"] == 420, "it is the meeting with the second group")
                node.wait(until: "2023-11-14T21:00:00Z")
                #expect(node.selected == "2/1")
                let began = node.meetings.filter { $0.contains("19:00:00 Talk began") }.count
                #expect(began == edit.count { $0.name == "Talk" } - 1, "the other meeting begins at its own time")
            }
        }
    }

    @Test("when it is removed: it ends, whether or not another one has the same name")
    func removed() throws {
        let talk = Story.meeting("Talk", for: 3600)
        let later = Story.meeting("Talk", at: "19:30")
        for rest in [[], [later]] {
            var node = try Story.node([talk] + rest)
            node.wait(until: "2023-11-14T19:10:00Z")
            node.replace(rest)
            #expect(node.meeting == .null)
            #expect(node.meetings == ["19:00:00 Talk began", "19:10:00 Talk ended"])
            // The other meeting already existed.
            node.replace([talk] + rest)
            #expect(node.meetings == ["19:00:00 Talk began", "19:10:00 Talk ended"])
        }
    }

    /// A node whose agenda was removed during the meeting.
    private func withoutAgenda() throws -> Scenario {
        var node = try Story.node()
        node.wait(until: "2023-11-14T19:10:00Z")
        var configuration = node.core.configuration
        configuration.agenda = nil
        node.reload(.success(.init(configuration)))
        return node
    }

    @Test("when the whole agenda is removed: it ends")
    func agendaRemoved() throws {
        var node = try withoutAgenda()
        #expect(node.meetings == ["19:00:00 Toastmasters began", "19:10:00 Toastmasters ended"])
        #expect(node.meeting == .null)
        node.wait(until: "2023-11-14T22:00:00Z")
        #expect(node.meetings.count == 2)
    }

    @Test("when it is removed and the node is restarted: it does not begin again")
    func removedBeforeRestart() throws {
        var node = try Story.node()
        node.wait(until: "2023-11-14T19:10:00Z")
        node.replace([])
        let next = try Story.restarted(node, [Story.meeting()])
        #expect(next.setAside.isEmpty && next.meeting == .null)
        #expect(!next.logs.contains { $0.contains("began") })
    }

    @Test("when the whole agenda is removed and comes back with a restart: it does not begin again")
    func agendaBack() throws {
        let next = try Story.restarted(try withoutAgenda(), [Story.meeting()])
        #expect(!next.logs.contains { $0.contains("began") })
    }

    @Test("in reminders, which include its location, even if an earlier one with the same name ends")
    func reminder() throws {
        var meetings = [
            Story.meeting("Talk", at: "18:30", for: 1800, group: 1), Story.meeting("Talk", at: "18:58"),
        ]
        meetings[1].location = "Attic"
        var node = try Story.node(meetings, remindAfter: 180)
        node.wait(until: "2023-11-14T18:40:00Z")
        node.send("silence")
        node.wait(until: "2023-11-14T19:01:00Z")
        #expect(node.meetings.last == "19:01:00 Talk reminder 1")
        let event = try #require(node.publications.last { $0.topic == "timer/lectern/event" })
        #expect(String(decoding: event.payload, as: UTF8.self).contains("Attic"))
    }

    @Test("in reminders from an earlier one that ends at the same time")
    func reminderOfLater() throws {
        var node = try Story.node(
            [Story.meeting("Early", at: "18:30", for: 9000, group: nil), Story.meeting("Talk")], remindAfter: 60)
        node.wait(until: "2023-11-14T19:01:00Z")
        #expect(node.meetings.last == "19:01:00 Talk reminder 1")
    }

    @Test("while it is in progress outside its scheduled time: it begins once, and the topic includes it")
    func otherDay() throws {
        var node = try Story.node([Story.meeting("Talk", days: [.weekday(.thu)])])
        node.send("begin", "1")
        node.wait(.seconds(600))
        node.send("begin", "1")
        #expect(node.meetings == ["18:00:00 Talk began"])
        let payload = try #require(node.last("agenda"))
        let inProgress = try AgendaMessage(Array(payload.utf8)).inProgress
        #expect(inProgress.map(\.name) == ["Talk"] && inProgress.map(\.meeting) == [1])
        #expect(inProgress.first?.beginsAt == Story.before)
        node.wait(until: "2023-11-14T20:00:00Z")
        #expect(node.meetings == ["18:00:00 Talk began", "20:00:00 Talk ended"])
        node.send("begin", "1")
        #expect(node.meetings.last == "20:00:00 Talk began")
        node.wait(until: "2023-11-16T19:00:00Z")
        #expect(node.meetings.last == "19:00:00 Talk began")
    }

    @Test("as long as it is in progress, however many other meetings are in progress")
    func many() throws {
        // Each of 40 meetings begins every day and lasts a week.
        let meetings = (1...40).map {
            Story.meeting("Course \($0)", days: Weekday.allCases.map { .weekday($0) }, at: "18:30", for: 604_800)
        }
        var node = try Story.node(meetings)
        let began = { (node: Scenario) in node.logs.count { $0.contains("began") } }
        // Before the node connected, seven occurrences of each had begun.
        #expect(began(node) == 280)
        node.wait(until: "2023-11-14T18:29:59Z")
        #expect(began(node) == 280)
        node.wait(until: "2023-11-14T18:30:01Z")
        #expect(began(node) == 320)
        node.replace(meetings)
        var next = try Story.restarted(node, meetings)
        #expect(began(next) == 0)
        next.wait(until: "2023-11-15T18:30:00Z")
        #expect(began(next) == 40)
    }

    @Test("even once it is over, if the clock is set back: the oldest meetings are forgotten first")
    func forgotten() throws {
        let meetings = (1...64).map {
            Story.meeting("\($0)", days: Weekday.allCases.map { .weekday($0) }, for: 60, group: nil)
        }
        var node = try Story.node(meetings)
        let began = { (node: Scenario) in node.logs.count { $0.contains("began") } }
        node.wait(until: "2023-11-19T20:00:00Z")
        #expect(began(node) == 6 * 64)
        #expect(try SavedNodeState(try #require(node.saved.last)).agenda?.begun.count == 256)
        node.setWallClock(by: -2 * 86_400)
        node.happens(.wallClockSet)
        node.wait(.seconds(48 * 3600 - 10))
        #expect(began(node) == 6 * 64, "they had begun before")
    }
}
