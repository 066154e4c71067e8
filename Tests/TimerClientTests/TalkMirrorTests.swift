import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

@Suite("A client of a talk")
struct TalkMirrorTests {
    private static let message = #"{"text":"Please wrap up","attention":true}"#

    @Test("knows the message, the runs and the agenda, until they are cleared")
    func topics() throws {
        var story = ClientStory(
            try Scenario(60, 40, 20) { $0.agenda = Agenda(zone: "UTC", meetings: []) })
        story.connect()
        story.node.send("start", #"{"speaker":"Ada"}"#)
        story.node.send("message", Self.message)
        story.wait(.seconds(5))
        #expect(story.mirror?.message?.text == "Please wrap up")
        #expect(story.mirror?.agenda?.agenda.zone == "UTC")
        story.node.send("stop")
        story.deliver()
        #expect(story.mirror?.message == nil && story.mirror?.attentionSince == nil)
        #expect(story.mirror?.runs?.runs.map(\.speaker) == ["Ada"])
    }

    @Test("draws attention once to a message that has just arrived", arguments: [0.0, -3600, 3600])
    func attention(ahead: Double) throws {
        var story = ClientStory(try Scenario(60, 40, 20), clients: 3, ahead: ahead)
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(1))
        let instant = story.now.instant
        story.node.send("message", Self.message)
        story.deliver()
        #expect(story.mirror?.attentionSince == instant)
        story.wait(.seconds(1))
        // A client that connects within 2 s also draws attention to the message, based on its date, provided that the
        // clocks agree.
        story.connect(1)
        let late = story.guests[1].client.nodes["lectern"]
        if ahead == 0 { #expect(late?.attentionSince == story.now.instant) }
        if ahead > 0 { #expect(late?.attentionSince == nil) }
        story.wait(.seconds(5))
        // The node publishes it again.
        story.node.send("state")
        story.deliver()
        #expect(story.mirror?.attentionSince == instant)
        story.connect(2)
        if ahead >= 0 { #expect(story.guests[2].client.nodes["lectern"]?.attentionSince == nil) }
        story.node.send("message", "No hurry")
        story.deliver()
        #expect(story.mirror?.message?.text == "No hurry" && story.mirror?.attentionSince == nil)
    }

    @Test("does not draw attention to an old message that a node publishes again")
    func old() throws {
        var story = ClientStory(try Scenario(60, 40, 20), ahead: 3600)
        story.node.send("message", Self.message)
        story.wait(.seconds(60))
        story.handle(.connected)
        story.node.send("state")
        story.deliver()
        let mirror = try #require(story.mirror)
        #expect(mirror.message?.attention == true && mirror.attentionSince == nil)
    }

    @Test("computes the expected end of the meeting only from the run and the timers that follow")
    func meeting() throws {
        // 22:13:20 in UTC, on a Tuesday.
        let story0 = try Scenario(60, 40, 20) {
            let at = TimeOfDay(hour: 22, minute: 0) ?? TimeOfDay(secondOfDay: 0)
            $0.agenda = Agenda(
                zone: "UTC", remindAfter: 0,
                meetings: [Agenda.Meeting(name: "Club", days: [.weekday(.tue)], at: at, duration: 1000, group: 1)])
            let timers = [100, 600, 330].map { TimerItem(name: "T\($0)", thresholds: .zero.setting(start: $0)) }
            $0.timers = (try? .init(groups: [TimerGroup(timers: timers)])) ?? $0.timers
        }
        var story = ClientStory(story0, ahead: 7)
        story.connect()
        #expect(story.mirror?.state?.meeting?.name == "Club")
        #expect(story.mirror?.state?.meeting?.left == 1030)
        #expect(story.mirror?.expectedEndOfMeeting(at: story.now) == nil, "nothing runs")
        story.send(.player(.select(selector: "1/2")))
        #expect(story.mirror?.state?.meeting?.left == 930, "for this timer and the timers that follow")
        story.send(.player(.start(selector: nil)))
        let end = story.now.date.addingTimeInterval(930)
        for _ in 0..<8 {
            let expected = try #require(story.mirror?.expectedEndOfMeeting(at: story.now))
            #expect(abs(expected.distance(to: end)) < 0.01)
            story.wait(.seconds(10))
        }
        story.send(.player(.pause))
        #expect(story.mirror?.expectedEndOfMeeting(at: story.now) == nil, "nothing runs")
        story.send(.player(.resume))
        #expect(story.mirror?.expectedEndOfMeeting(at: story.now) != nil)
        story.forge("timer/lectern/timers", "")
        story.deliver()
        #expect(story.mirror?.expectedEndOfMeeting(at: story.now) == nil, "the timers are not known")
    }
}
