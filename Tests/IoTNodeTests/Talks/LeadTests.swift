import BrokerLink
import Calendar
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The time before a meeting")
struct LeadTests {
    /// A node on Friday at 11:50 in UTC, with meetings at 12:00 and 12:30 that displays count down to.
    private func node(hasSignals: Bool = true, isAttended: Bool = true) throws -> Scenario {
        try Scenario(wallClock: RFC3339.date("2026-11-20T11:50:00Z")) { configuration in
            LateStartTests.configure(&configuration)
            if hasSignals { configuration.signals.lead = ["green": .blink(Pattern(milliseconds: 500, 500))] }
            configuration.agenda = Agenda(
                zone: nil,
                meetings: [("Club", "12:00", 300), ("Board", "12:30", 60)].map { name, at, lead in
                    Agenda.Meeting(
                        name: name, days: [.weekday(.fri)], at: TimeOfDay(at) ?? .midnight, duration: 600, group: 2,
                        attend: isAttended, lead: lead)
                })
        }
    }

    @Test("is shown by the state and the lamps until it begins, and does not touch the timer")
    func shown() throws {
        var node = try node()
        #expect(node.state?["lead"] == .null && node.lit == "dark")
        node.wait(.seconds(299))
        #expect(node.state?["lead"] == .null)
        node.wait(.milliseconds(1300))
        #expect(node.state?["lead"]?.text == #"{"name":"Club","at":"2026-11-20T12:00:00.000Z"}"#)
        #expect(node.lit == "green" && node.last("mode") == "stopped")
        node.wait(.milliseconds(500))
        #expect(node.lit == "dark", "the pattern blinks")
        node.send("start", "2")
        node.wait(.seconds(45))
        #expect(node.lit == "yellow", "a run has its own signals")
        node.send("stop")
        node.wait(.seconds(255))
        #expect(node.state?["lead"] == .null && node.state?["meeting"]?["name"] == "Club" && node.lit == "dark")
        node.wait(.seconds(1750))
        #expect(node.state?["lead"]?["name"] == "Board")
    }

    @Test("ends when the meeting is begun early, and is not shown for one that is not attended")
    func early() throws {
        var node = try node(hasSignals: false)
        node.wait(.seconds(400))
        #expect(node.state?["lead"]?["name"] == "Club" && node.lit == "dark")
        node.send("begin", "Club")
        #expect(node.state?["lead"] == .null)
        node = try self.node(isAttended: false)
        node.wait(.seconds(400))
        #expect(node.state?["lead"] == .null && node.lit == "dark")
    }

    @Test("of a day begins on time even if the day has 25 hours")
    func longestDay() throws {
        let meeting = Agenda.Meeting(
            name: "Club", days: [.weekday(.mon)], at: TimeOfDay("23:30") ?? .midnight, duration: 600, group: 2,
            attend: true, lead: 86_400)
        var node = try Scenario(wallClock: RFC3339.date("2026-10-24T22:05:00Z")) { configuration in
            LateStartTests.configure(&configuration)
            configuration.agenda = Agenda(zone: "Europe/Berlin", meetings: [meeting])
        }
        node.happens(
            .timeZonesRead(
                TimeZones(machine: .utc, named: ["Europe/Berlin": try .berlin()], asked: ["Europe/Berlin"])))
        node.wait(until: "2026-10-25T22:29:59Z")
        #expect(node.state?["lead"] == .null)
        node.wait(until: "2026-10-25T22:30:01Z")
        #expect(node.state?["lead"]?["name"] == "Club")
    }

    @Test("follows the clock and edits of the agenda")
    func edited() throws {
        var node = try node()
        node.setWallClock(by: 360)
        node.happens(.wallClockSet)
        #expect(node.state?["lead"]?["name"] == "Club")
        let meeting = #"{"meetings":[{"name":"Club","day":"fri","at":"12:10","for":600,"lead":"2m"}]}"#
        #expect(node.send("agenda", meeting)?["status"] == "ok")
        #expect(node.state?["lead"] == .null)
        let faulty = meeting.replacing("2m", with: "2")
        #expect(node.send("agenda", faulty)?["code"] == "invalid_payload")
    }
}
