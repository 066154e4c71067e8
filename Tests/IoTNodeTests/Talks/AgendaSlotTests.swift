import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("Of several meetings at the same time")
struct AgendaSlotTests {
    private typealias Story = AgendaStory

    /// Two meetings at 19:00, with the second and the third group.
    private static let both = [Story.meeting("A"), Story.meeting("B", group: 3)]

    private func node(_ meetings: [Agenda.Meeting] = both, remindAfter: Int = 60) throws -> Scenario {
        try Story.node(meetings, remindAfter: remindAfter) { configuration in
            var groups = configuration.timers.model.groups
            groups.append(TimerGroup(timers: [TimerItem(name: "Third", thresholds: .zero.setting(start: 90))]))
            configuration.timers =
                (try? .init(groups: groups, settings: configuration.timers.model.settings)) ?? configuration.timers
        }
    }

    @Test("the one that was begun early counts: the other selects nothing and causes no reminder")
    func early() throws {
        var node = try node()
        node.wait(until: "2023-11-14T18:40:00Z")
        #expect(node.send("begin", "1")?["status"] == "ok")
        #expect(node.selected == "2/1")
        node.wait(until: "2023-11-14T20:00:00Z")
        #expect(node.selected == "2/1")
        #expect(node.meetings == ["18:40:00 A began", "19:00:00 B began"])
        #expect(node.meeting?["name"] == "A")
    }

    @Test("the second one counts if it was begun early")
    func secondEarly() throws {
        var node = try node()
        node.wait(until: "2023-11-14T18:40:00Z")
        node.send("begin", "B")
        node.wait(until: "2023-11-14T20:00:00Z")
        #expect(node.selected == "3/1")
        #expect(node.meetings == ["18:40:00 B began", "19:00:00 A began"])
    }

    @Test("the one that began counts, not one that was added later")
    func added() throws {
        var node = try node([Self.both[0]], remindAfter: 0)
        node.wait(until: "2023-11-14T19:01:00Z")
        #expect(node.selected == "2/1")
        for meetings in [Self.both, [Story.meeting("C", group: 1)] + Self.both] {
            node.replace(meetings, remindAfter: 60)
        }
        node.wait(until: "2023-11-14T20:00:00Z")
        #expect(node.selected == "2/1")
        #expect(node.meetings == ["19:00:00 A began", "19:01:00 B began", "19:01:00 C began"])
    }

    @Test("an added meeting counts if the one that began is not attended or was removed")
    func instead() throws {
        for replacing in [[Story.meeting("A", attend: false), Self.both[1]], [Self.both[1]]] {
            var node = try node([Self.both[0]], remindAfter: 0)
            node.wait(until: "2023-11-14T19:01:00Z")
            node.replace(replacing)
            #expect(node.selected == "3/1")
        }
    }

    @Test("one at another time counts separately")
    func other() throws {
        var node = try node([Self.both[0], Story.meeting("B", at: "19:30", group: 3)])
        node.wait(until: "2023-11-14T18:40:00Z")
        node.send("begin", "1")
        node.wait(until: "2023-11-14T19:30:00Z")
        #expect(node.selected == "3/1")
        node.wait(until: "2023-11-14T19:31:00Z")
        #expect(node.meetings.last == "19:31:00 B reminder 1")
    }
}
