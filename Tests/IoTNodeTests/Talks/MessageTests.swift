import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A message to the speaker")
struct MessageTests {
    private func message(_ node: Scenario) throws -> ShownMessage? {
        let payload = try #require(node.last("message"))
        return payload.isEmpty ? nil : try ShownMessage(Array(payload.utf8))
    }

    @Test("is published on its retained topic, from plain text or JSON; the topic is empty without a message")
    func showing() throws {
        var node = try Scenario()
        #expect(try message(node) == nil, "the topic is emptied once per connection")
        node.send("message", "Please wrap up")
        #expect(try message(node)?.text == "Please wrap up")
        #expect(try message(node)?.until == nil)
        #expect(try message(node)?.attention == false)
        #expect(node.publications.last { $0.topic == "timer/lectern/message" }?.retain == true)
        node.send("message", "ON")
        #expect(try message(node)?.text == "ON", "which is plain text")
        node.send("message", #"{"text":"Louder","for":"1:30","attention":true}"#)
        let shown = try #require(try message(node))
        #expect(shown.text == "Louder")
        #expect(shown.attention)
        #expect(shown.until == shown.date.addingTimeInterval(90))
        node.send("message", "")
        #expect(try message(node) == nil)
        let cleared = try #require(node.publications.last { $0.topic == "timer/lectern/event" })
        #expect(try EventMessage(cleared.payload).date == node.now.date)
        let events = node.publications.filter { $0.topic == "timer/lectern/event" }.map(\.text)
        #expect(events.count { $0.contains(#""event_type":"message""#) } == 3)
        #expect(events.count { $0.contains(#""event_type":"message_cleared""#) } == 1)
    }

    @Test(
        "has at most 200 characters in 512 bytes, no control characters, and a time from 1 s to a day",
        arguments: [
            (String(repeating: "a", count: 201), false), (String(repeating: "🙂", count: 129), false),
            ("a\u{1B}[2Jb", false), (#"{"text":"a","for":0}"#, false), (#"{"text":"a","for":86401}"#, false),
            (#"{"for":5}"#, false), (#"{"text":5}"#, false), (#"{"text":"a","until":5}"#, false),
            (String(repeating: "é", count: 200), true), (String(repeating: "🙂", count: 128), true),
            (#"{"text":"a","for":86400}"#, true), (#"{"text":"a","for":null,"keep":true}"#, true),
        ])
    func limits(payload: String, isTaken: Bool) throws {
        var node = try Scenario()
        node.send("message", "before")
        #expect(node.send("message", payload)?["code"] == (isTaken ? nil : "invalid_payload"))
        #expect(try (message(node)?.text != "before") == isTaken)
    }

    @Test("ends after its time, and nothing else wakes the node")
    func time() throws {
        var node = try Scenario()
        node.send("message", #"{"text":"a","for":90}"#)
        #expect(node.core.nextInstant == node.now.instant + .seconds(90))
        node.wait(.milliseconds(89_999))
        #expect(try message(node)?.text == "a")
        node.wait(.milliseconds(1))
        #expect(try message(node) == nil)
        #expect(node.diary.contains { $0.hasPrefix("90 event ") && $0.contains("message_cleared") })
        #expect(node.core.nextInstant == nil)
    }

    @Test(
        "ends when the timer is stopped in any way, unless it is kept",
        arguments: ["stop", "rewind", "select 1"])
    func stopping(command: String) throws {
        let parts = command.split(separator: " ").map(String.init)
        for keep in [false, true] {
            var node = try Scenario()
            node.send("start")
            node.send("message", #"{"text":"a","keep":\#(keep)}"#)
            node.wait(.seconds(1))
            #expect(try message(node)?.text == "a")
            node.send(parts[0], parts.count > 1 ? parts[1] : "")
            #expect(try (message(node) != nil) == keep)
        }
    }

    @Test("that is sent to a stopped timer stays during the run, and ends with stop even if no timer runs")
    func stopped() throws {
        var node = try Scenario()
        node.send("message", "a")
        node.send("start")
        node.wait(.seconds(20))
        #expect(try message(node)?.text == "a", "during the alarm too")
        node.send("stop")
        #expect(try message(node) == nil)
        node.send("message", "b")
        node.send("stop")
        #expect(try message(node) == nil)
    }

    @Test("survives a restart of the node together with its expiry, and ends with a reboot")
    func restart() throws {
        var node = try Scenario { $0.storage = .init(directory: "/nowhere") }
        node.send("message", #"{"text":"a","for":90,"attention":true}"#)
        node.wait(.seconds(30))
        let saved = node.saved.last
        var next = try Scenario(saved: saved, after: .seconds(40)) { $0.storage = .init(directory: "/nowhere") }
        #expect(try message(next)?.text == "a")
        #expect(next.lit == "dark", "it asks for attention once")
        next.wait(.seconds(50))
        #expect(try message(next) == nil)
        let rebooted = try Scenario(saved: saved, boot: "another") { $0.storage = .init(directory: "/nowhere") }
        #expect(try message(rebooted) == nil)
        let late = try Scenario(saved: saved, after: .seconds(100)) { $0.storage = .init(directory: "/nowhere") }
        #expect(try message(late) == nil)
    }

    // MARK: - Attention

    /// Returns the lamps from now on, with the times in milliseconds at which they change.
    private func lamps(_ node: inout Scenario, for time: Duration = .seconds(2)) -> [String] {
        let (before, start) = (node.diary.count, node.now.instant)
        let origin = Instant(sinceEpoch: .seconds(1000)).duration(to: start).inSeconds
        node.wait(time)
        return node.diary[before...].filter { $0.contains(" lamps ") }.map { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            return "\(Int(((Double(parts[0]) ?? 0) - origin) * 1000 + 0.5)) \(parts[2])"
        }
    }

    @Test("darkens the lamp of the mode three times for 150 ms, without sound")
    func attention() throws {
        var node = try Scenario(60, 40, 20)
        node.send("start")
        node.wait(.seconds(1))
        node.send("message", #"{"text":"a","attention":true}"#)
        #expect(node.lit == "dark")
        #expect(lamps(&node) == ["150 green", "300 dark", "450 green", "600 dark", "750 green"])
        node.wait(.seconds(20))
        node.send("message", #"{"text":"b"}"#)
        #expect(lamps(&node) == [], "attention was not requested")
    }

    @Test("flashes yellow three times if no lamp is lit")
    func flashing() throws {
        var node = try Scenario()
        node.send("message", #"{"text":"a","attention":true}"#)
        #expect(node.lit == "yellow")
        #expect(lamps(&node) == ["150 dark", "300 yellow", "450 dark", "600 yellow", "750 dark"])
    }

    @Test("does not affect the alarm's buzzer")
    func alarm() throws {
        var node = try Scenario()
        node.send("start")
        node.wait(.milliseconds(6000))
        node.send("message", #"{"text":"a","attention":true}"#)
        #expect(node.lit == "buzzer")
        #expect(lamps(&node, for: .milliseconds(425)).first == "150 buzzer+red")
    }

    @Test("ends at once when the mode changes")
    func cut() throws {
        var node = try Scenario(60, 59, 0)
        node.send("start")
        node.wait(.milliseconds(900))
        node.send("message", #"{"text":"a","attention":true}"#)
        #expect(node.lit == "dark")
        #expect(lamps(&node) == ["100 yellow"])
    }

    @Test("uses the signals in the signal table")
    func table() throws {
        var node = try Scenario {
            $0.signals.attention = ["red": .play(Pattern(milliseconds: 100, 100, 100)), "green": .off]
        }
        node.send("start")
        node.send("message", #"{"text":"a","attention":true}"#)
        #expect(node.lit == "red")
        #expect(lamps(&node, for: .milliseconds(900)) == ["100 dark", "200 red", "300 dark", "750 green"])
    }
}
