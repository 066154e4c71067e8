import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A flood of large commands")
struct LargeFloodTests {
    /// A payload of 56 kB; its content does not matter before it is parsed.
    private static let large = #"{"id":"flood","note":""# + String(repeating: "x", count: 56_000) + #""}"#

    /// Sends this many messages to a topic, 100 a second.
    private func flood(
        _ node: inout Scenario, _ count: Int, on topic: String, _ payload: String = large,
        during: (inout Scenario) -> Void = { _ in }
    ) {
        let message = IncomingMessage(topic: "timer/lectern/command\(topic)", payload: Array(payload.utf8))
        for _ in 0..<count / 10 {
            let events = Array(repeating: NodeEvent.connection(.message(message)), count: 10)
            node.happens(events)
            during(&node)
            node.wait(.milliseconds(100))
        }
    }

    @Test(
        "is discarded before it is parsed, except the first ones, a few a second, and one a second that is answered",
        arguments: ["/agenda", "/timers", "/start", "/dance", ""])
    func parsed(topic: String) throws {
        var node = try Scenario(3600, 0, 0)
        node.send("start")
        flood(&node, 1000, on: topic)
        // 100 portions of 4 KiB at once, 50 of them a second for 10 s, and one whole payload a second.
        #expect(node.core.commands.parsedBytes < (100 + 500) * 4096 + 11 * Self.large.utf8.count)
        #expect(node.last("mode") == "countdown")
        #expect(node.core.reports.health.refused > 900, "each is counted, except repeats that were answered")
        let answers = node.publications.filter { $0.topic.hasSuffix("/response") && $0.text.contains("rate_limited") }
        #expect((8...11).contains(answers.count))
        let whole = topic == "/agenda" || topic == "/timers" || topic.isEmpty
        #expect(answers.allSatisfy { $0.text.contains(#""id":"flood""#) == whole }, "the id only if it was parsed")
    }

    @Test(
        "does not crowd out commands with a separate allowance, whether the topic or the payload names the verb",
        arguments: Verb.allCases.filter { $0.rules.allowance != .ordinary })
    func special(verb: Verb) throws {
        var node = try Scenario(3600, 0, 0)
        flood(&node, 200, on: "") { node in
            let own = node.send(verb.rawValue)
            #expect(own?["command"] == .string(verb.rawValue) && own?["code"] != "rate_limited")
            let id = String(repeating: "i", count: 128)
            let named = node.send(
                topic: "timer/lectern/command", Array(#"{"id":"\#(id)","command":"\#(verb.rawValue)"}"#.utf8))
            #expect(named?["id"] == .string(id) && named?["code"] != "rate_limited")
        }
    }

    @Test(
        "of messages that only look like stop does not affect stop, long or short",
        arguments: [String(repeating: "x", count: 4000), "x", #"{"at":1}"#, large])
    func lookingSpecial(payload: String) throws {
        var node = try Scenario(3600, 0, 0)
        node.send("start")
        flood(&node, 500, on: "/stop", payload)
        #expect(node.core.commands.parsedBytes < 600 * 4096)
        #expect(node.last("mode") == "countdown")
        #expect(node.send("stop")?["status"] == "ok")
    }

    @Test(
        "counts once for each 4 KiB, and at most as the whole allowance",
        arguments: [(0, 3), (50, 6), (1, 1)])
    func count(rate: Int, taken: Int) throws {
        var node = try Scenario { $0.mqtt?.commandRate = rate }
        let payload = #"{"groups":[],"x":""# + String(repeating: "x", count: 65_536 - 20) + #""}"#
        #expect(payload.utf8.count == 65_536)
        for _ in 0..<taken { #expect(node.send("timers", payload)?["code"] == "invalid_payload") }
        if rate > 0 { #expect(node.send("timers", payload)?["code"] == "rate_limited") }
        // 100 - 6 · 16
        for _ in 0..<(rate == 50 ? 4 : 0) { #expect(node.send("beep")?["code"] != "rate_limited") }
        node.wait(.seconds(2))
        #expect(node.send("timers", payload)?["code"] == "invalid_payload")
    }
}
