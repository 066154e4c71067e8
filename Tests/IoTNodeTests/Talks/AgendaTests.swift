import BrokerLink
import FoundationEssentials
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A meeting of the agenda")
struct AgendaTests {
    private typealias Story = AgendaStory

    @Test("begins and ends exactly on its minute each week, and publishes that")
    func weekly() throws {
        var node = try Story.node()
        #expect(node.selected == "1/1")
        #expect(node.meeting == .null)
        node.wait(until: "2023-11-14T18:59:59.999Z")
        #expect(node.selected == "1/1")
        node.wait(until: "2023-11-14T19:00:00Z")
        #expect(node.selected == "2/1")
        #expect(node.mode == "stopped")
        #expect(
            node.meeting == [
                "name": "Toastmasters", "began_at": "2023-11-14T19:00:00.000Z",
                "planned_end": "2023-11-14T21:00:00.000Z", "left": 420,
            ])
        node.send("select", "1")
        #expect(node.meeting?["left"] == .null, "its group is not selected")
        node.wait(until: "2023-11-14T21:00:00Z")
        #expect(node.meeting == .null)
        node.wait(until: "2023-11-21T22:00:00Z")
        #expect(node.selected == "2/1")
        #expect(
            node.meetings == [
                "19:00:00 Toastmasters began", "21:00:00 Toastmasters ended", "19:00:00 Toastmasters began",
                "21:00:00 Toastmasters ended",
            ])
    }

    @Test("publishes the time left of its timers, which decreases while one runs")
    func left() throws {
        var node = try Story.node()
        node.wait(until: "2023-11-14T19:00:00Z")
        #expect(node.selected == "2/1")
        node.send("start")
        #expect(node.meeting?["left"] == 420)
        node.wait(.seconds(100))
        node.send("state")
        #expect(node.meeting?["left"] == 320)
        node.send("pause")
        node.wait(.seconds(100))
        #expect(node.meeting?["left"] == 320)
    }

    @Test(
        "selects a group, starts it or changes nothing",
        arguments: [
            (Agenda.Meeting.Begin.select, "stopped", "2/1"), (.start, "countdown", "2/1"), (.none, "stopped", "1/1"),
        ])
    func begin(begin: Agenda.Meeting.Begin, mode: String, path: String) throws {
        var node = try Story.node([Story.meeting(begin: begin)])
        node.wait(until: "2023-11-14T19:00:01Z")
        #expect(node.mode == mode)
        #expect(node.selected == .string(path))
        #expect(node.meetings == ["19:00:00 Toastmasters began"])
    }

    @Test("does not change the selection if its group is already selected")
    func selected() throws {
        var node = try Story.node()
        node.send("select", "2/2")
        node.wait(until: "2023-11-14T19:00:01Z")
        #expect(node.selected == "2/2")
        var other = try Story.node([Story.meeting(begin: .start)])
        other.send("select", "2/2")
        other.wait(until: "2023-11-14T19:00:01Z")
        #expect(other.selected == "2/2")
        #expect(other.mode == "countdown")
    }

    @Test(
        "begins in the middle of a run without changing it, whether running, paused or during the alarm",
        arguments: [["start"], ["start", "pause"], ["start", "end"]])
    func running(commands: [String]) throws {
        var node = try Story.node([Story.meeting(begin: .start)])
        node.wait(until: "2023-11-14T18:59:50Z")
        for command in commands { node.send(command) }
        let mode = node.mode
        node.wait(until: "2023-11-14T19:00:20Z")
        #expect(node.mode == mode)
        #expect(node.selected == "1/1")
        #expect(node.meeting?["name"] == "Toastmasters")
        #expect(node.meetings == ["19:00:00 Toastmasters began"])
        node.send("stop")
        node.wait(until: "2023-11-14T19:30:00Z")
        #expect(node.mode == "stopped" && node.selected == "1/1", "its action is no longer pending")
    }

    @Test("performs its action even if the node is locked", arguments: ["", #"{"commands":true}"#])
    func locked(payload: String) throws {
        var node = try Story.node([Story.meeting(begin: .start)])
        node.send("lock", payload)
        node.wait(until: "2023-11-14T19:00:01Z")
        #expect(node.mode == "countdown")
    }

    @Test("that is not attended is in progress, and nothing else happens")
    func unattended() throws {
        var node = try Story.node([Story.meeting(begin: .start, attend: false)])
        node.wait(until: "2023-11-14T19:00:01Z")
        #expect(node.mode == "stopped" && node.selected == "1/1")
        #expect(node.meeting == .null)
        #expect(node.last("agenda")?.contains(#""in_progress":[{"meeting":1"#) == true)
        #expect(node.meetings == ["19:00:00 Toastmasters began"])
    }

    @Test("takes effect if it is the first attended one at its time; others at that time only begin")
    func slot() throws {
        var node = try Story.node([
            Story.meeting("Away", group: 1, begin: .start, attend: false), Story.meeting("First", begin: .select),
            Story.meeting("Second", group: 1, begin: .start),
        ])
        node.wait(until: "2023-11-14T19:00:01Z")
        #expect(node.mode == "stopped" && node.selected == "2/1")
        #expect(node.meetings.count == 3)
        #expect(node.meeting?["name"] == "First")
        #expect(
            node.last("agenda")?.contains(#""slots":[{"day":"2023-11-14","at":"19:00","meetings":[1,2,3]}"#) == true)
    }

    // MARK: - A node that was down, and clocks that are set

    @Test(
        "begins late if the node was down: normally up to a minute late, then only selecting, and not after its end",
        arguments: [
            ("2023-11-14T19:00:30Z", "countdown", "2/1", 1), ("2023-11-14T19:01:30Z", "stopped", "2/1", 1),
            ("2023-11-14T20:59:59Z", "stopped", "2/1", 1), ("2023-11-14T21:00:00Z", "stopped", "1/1", 0),
        ])
    func down(until: String, mode: String, path: String, count: Int) throws {
        let old = try Story.node([Story.meeting(begin: .start)])
        let passed = Duration.seconds(Story.before.distance(to: Story.date(until)))
        let node = try Story.node(
            [Story.meeting(begin: .start)], at: Story.date(until), saved: old.saved.last, after: passed)
        #expect(node.mode == mode)
        #expect(node.selected == .string(path))
        // Events are published only while the node is connected, which it is not yet.
        #expect(node.logs.count { $0.contains("began") } == count)
        #expect((node.meeting != .null) == (count > 0))
    }

    @Test("begins only once, even across a restart and a reboot")
    func once() throws {
        var old = try Story.node([Story.meeting(begin: .start)])
        old.wait(until: "2023-11-14T19:00:05Z")
        old.send("stop")
        for boot in ["a boot", "another"] {
            var node = try Story.node(
                [Story.meeting(begin: .start)], at: Story.date("2023-11-14T19:00:10Z"), saved: old.saved.last,
                boot: boot,
                after: .seconds(3700))
            #expect(node.meetings == [])
            #expect(node.mode == "stopped")
            #expect(node.meeting?["began_at"] == "2023-11-14T19:00:00.000Z")
            node.wait(until: "2023-11-14T21:00:00Z")
            #expect(node.meetings == ["21:00:00 Toastmasters ended"])
        }
    }

    @Test(
        "does not begin again if the clock is set back, and begins late if it is set forward into the meeting",
        arguments: [3600, 86_400] as [Double])
    func clocks(step: Double) throws {
        var node = try Story.node([Story.meeting(begin: .start)])
        node.wait(until: "2023-11-14T19:00:05Z")
        node.send("stop")
        node.setWallClock(by: -step)
        node.happens(.wallClockSet)
        node.wait(.seconds(Int64(step) - 10))
        #expect(node.mode == "stopped", "the same meeting had already begun")
        #expect(node.meetings.filter { $0.contains("began") }.count == 1)
        node.wait(.seconds(20))
        #expect(node.mode == "stopped")

        var other = try Story.node(
            [Story.meeting(begin: .start)], at: Story.date("2023-11-14T19:30:00Z").addingTimeInterval(-step - 60))
        other.wait(.seconds(60))
        other.setWallClock(by: step)
        other.happens(.wallClockSet)
        #expect(other.selected == "2/1")
        #expect(other.mode == "stopped", "it is not started half an hour late")
        #expect(other.meetings.last == "19:30:00 Toastmasters began")
    }

    @Test("does not begin in the first 10 minutes after a boot if the clock may be wrong, but begins late")
    func untrusted() throws {
        // The machine was booted 1000 s before the beginning.
        var node = try Story.node(
            [Story.meeting(begin: .start)], at: Story.date("2023-11-14T19:00:30Z"), after: .seconds(-900),
            isClockTrusted: false)
        #expect(node.meetings == [])
        node.wait(.seconds(499))
        #expect(node.selected == "1/1")
        node.wait(.seconds(1))
        #expect(node.selected == "2/1")
        #expect(node.meetings == ["19:08:50 Toastmasters began"])
        let trusted = try Story.node(
            [Story.meeting(begin: .start)], at: Story.date("2023-11-14T19:00:30Z"), after: .seconds(-900))
        #expect(trusted.mode == "countdown")
    }

    @Test(
        "began when it was scheduled, unless it begins a second late or more",
        arguments: [(999, "19:00:00.000"), (1000, "19:00:01.000"), (30_000, "19:00:30.000")])
    func lateness(milliseconds: Int, beganAt: String) throws {
        var node = try Story.node()
        node.wait(until: "2023-11-14T18:59:59Z")
        node.stall(.milliseconds(1000 + milliseconds))
        #expect(node.meeting?["began_at"] == .string("2023-11-14T\(beganAt)Z"))
        #expect(node.meetings == ["\(beganAt.prefix(8)) Toastmasters began"])
    }

    @Test("begins at its time even if the clock was set back by a day and the node was not told")
    func setBack() throws {
        var node = try Story.node(at: Story.date("2023-11-15T18:00:00Z"))
        node.setWallClock(by: -86_400)
        node.send("state")
        node.wait(until: "2023-11-14T19:00:00Z")
        #expect(node.meetings == ["19:00:00 Toastmasters began"])
    }

    @Test("lets the node sleep between the days")
    func sleep() throws {
        var node = try Story.node([Story.meeting(days: [.date(CivilDate("2024-03-01") ?? CivilDate(daysSince1970: 0))])]
        )
        var wakes = 0
        let end = node.now.instant + .seconds(10 * 86_400)
        while let next = node.core.nextInstant, next < end {
            wakes += 1
            node.wait(node.now.instant.duration(to: next))
        }
        #expect(wakes <= 10 * 5, "\(wakes)")
    }
}
