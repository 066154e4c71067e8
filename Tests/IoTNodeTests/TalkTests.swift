import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

@Suite("A talk")
struct TalkTests {
    @Test("is green, yellow and red, and then flashes in step with the buzzer for ten seconds")
    func lampsOfATalk() throws {
        var node = try Scenario(6, 4, 2)
        #expect(node.lit == "dark")
        node.send("start")
        #expect(node.lit == "green")
        node.wait(.milliseconds(1999))
        #expect(node.lit == "green")
        node.wait(.milliseconds(1))
        #expect(node.lit == "yellow")
        node.wait(.seconds(2))
        #expect(node.lit == "red")
        node.wait(.seconds(2))
        #expect(node.lit == "buzzer+red")
        node.wait(.milliseconds(425))
        #expect(node.lit == "dark")
        node.wait(.milliseconds(425))
        #expect(node.lit == "buzzer+red")
        node.wait(.milliseconds(9150))
        #expect(node.lit == "dark", "ten seconds into the alarm, red is in its dark phase")
        node.wait(.milliseconds(200))
        #expect(node.lit == "red", "and lights up again without the buzzer")
        node.send("stop")
        #expect(node.lit == "dark")
        #expect(node.core.undo?.until == node.core.nextInstant, "the stop can be undone for a while")
        node.wait(Undo.time)
        #expect(node.core.nextInstant == nil, "no further wake-up is due")
    }

    @Test("becomes visible in this order: the lamps, then the ticks and modes, each on its second")
    func orderOfATalk() throws {
        var node = try Scenario(3, 2, 0)
        node.send("start")
        node.wait(.seconds(3))
        #expect(
            node.story == [
                "0 lamps dark", "0 mode stopped",
                "0 lamps green", "0 mode countdown", "0 tick 3",
                "1 lamps yellow", "1 tick 2", "1 mode warning",
                "2 tick 1",
                "3 lamps buzzer+red", "3 tick 0", "3 mode alarm",
            ])
    }

    @Test("publishes outputs, mode, state, event and response in this order")
    func orderOfACommand() throws {
        var node = try Scenario()
        let before = node.publications.count
        node.send("start", #"{"id":"a"}"#)
        let topics = node.publications[before...].map { $0.topic.split(separator: "/").last }
        #expect(topics == ["mode", "tick", "state", "event", "response"])
        #expect(node.diary.firstIndex(of: "0 lamps green") ?? .max < node.diary.firstIndex(of: "0 mode countdown") ?? 0)
    }

    @Test("paused at a fraction of a second blinks its lamp slowly, and continues from the fraction")
    func pause() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.milliseconds(2500))
        node.send("pause")
        #expect(node.last("mode") == "paused")
        #expect(node.lit == "yellow")
        node.wait(.milliseconds(500))
        #expect(node.lit == "dark")
        node.wait(.milliseconds(1500))
        #expect(node.lit == "yellow")
        node.wait(.milliseconds(3000))
        node.send("toggle")
        #expect(node.last("mode") == "warning")
        node.wait(.milliseconds(499))
        #expect(node.last("tick") == "4")
        node.wait(.milliseconds(1))
        #expect(node.last("tick") == "3")
    }

    @Test("keeps its seconds when the process stalls: one tick, each transition with its instant")
    func stall() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.stall(.milliseconds(4300))
        #expect(node.story.suffix(4) == ["4.3 lamps red", "4.3 mode warning", "4.3 tick 2", "4.3 mode final"])
        node.wait(.milliseconds(1700))
        #expect(node.last("mode") == "alarm")
    }

    @Test("continues with exact timing if the broker disappears in the middle")
    func withoutBroker() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.milliseconds(1500))
        node.lose()
        let before = node.publications.count
        node.wait(.milliseconds(500))
        #expect(node.lit == "yellow")
        node.wait(.seconds(2))
        #expect(node.lit == "red")
        node.wait(.seconds(2))
        #expect(node.lit == "buzzer+red")
        #expect(node.publications.count == before, "nothing is queued for later")
        node.accept()
        let told = node.publications[before...].map { $0.topic.split(separator: "/").last.map(String.init) ?? "" }
        let expected = ["availability", "timers", "mode", "state", "runs", "agenda", "programme", "message", "health"]
        #expect(told == expected, "once each, the newest value only")
        #expect(node.last("mode") == "alarm")
    }

    @Test("causes no wake-ups without mqtt and without a run")
    func asleep() throws {
        let node = try Scenario(connected: false) { $0.mqtt = nil }
        #expect(node.core.nextInstant == nil)
        #expect(node.attempts.isEmpty)
        #expect(node.lit == "dark")
    }

    @Test("ends in the dark on SIGTERM, with offline as the last message", arguments: [0, 1, 3, 5, 8])
    func terminate(after seconds: Int) throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.seconds(seconds))
        node.happens(.terminate)
        #expect(node.levels == nil)
        #expect(node.hasExited)
        #expect(node.last("availability") == "offline")
        let dark = node.diary.lastIndex { $0.hasSuffix("lamps dark") } ?? .max
        let offline = node.diary.lastIndex { $0.hasSuffix("availability offline") } ?? 0
        #expect(dark < offline)
    }
}
