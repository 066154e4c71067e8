import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A command among many")
struct CommandRateTests {
    @Test("in a flood is refused, and one refusal a second is answered, but stopping gets through")
    func rateLimit() throws {
        var node = try Scenario(60, 0, 0)
        for _ in 0..<100 { #expect(node.send("start")?["status"] == "ok") }
        #expect(node.send("start")?["code"] == "rate_limited")
        for _ in 0..<50 { #expect(node.send("start") == nil) }
        #expect(node.send("stop")?["status"] == "ok")
        #expect(node.last("mode") == "stopped")
        node.wait(.seconds(1))
        for _ in 0..<50 { #expect(node.send("start")?["status"] == "ok") }
        #expect(node.send("start")?["code"] == "rate_limited")
    }

    @Test(
        "that stops has its own allowance, which is limited too", arguments: ["stop", "pause", "end", "silence"])
    func stopping(verb: String) throws {
        var node = try Scenario(60, 0, 0) { $0.mqtt?.commandRate = 2 }
        for _ in 0..<20 { node.send("start") }
        node.wait(.milliseconds(499))
        for _ in 0..<4 {
            let response = node.send(verb)
            #expect(response != nil && response?["code"] != "rate_limited")
        }
        // At most one refused command a second gets a response, and this second's has already been sent.
        let response = node.send(verb)
        #expect(response == nil)
        // The stops have not used up the other allowance.
        node.wait(.milliseconds(1))
        #expect(node.send("start")?["status"] == "ok")
    }

    @Test("that is refused causes one line in the log, but many cause few: five at once, then one a second")
    func log() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        var before = node.logs.count
        node.send("dance")
        #expect(node.logs.count == before + 1)
        #expect(node.logs.last?.hasPrefix("refused timer/lectern/command/dance: unknown_command: ") == true)
        for _ in 0..<100 { #expect(node.send("dance")?["code"] == "unknown_command", "each is answered") }
        #expect(node.logs.count == before + 5)
        before = node.logs.count
        for _ in 0..<105 {
            node.wait(.milliseconds(100))
            node.send("dance")
        }
        #expect(node.logs.count == before + 10)
    }

    @Test("is not limited if so configured")
    func noLimit() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 0 }
        for _ in 0..<1000 { #expect(node.send("start")?["status"] == "ok") }
    }
}
