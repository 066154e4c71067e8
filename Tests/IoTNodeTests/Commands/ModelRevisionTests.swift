import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The revision of the timers")
struct ModelRevisionTests {
    private func node(_ starts: [Int] = [60, 30], saved: [UInt8]? = nil) throws -> Scenario {
        try Scenario(saved: saved) { configuration in
            let timers = starts.map { TimerItem(name: "\($0)", thresholds: .zero.setting(start: $0)) }
            configuration.timers = (try? .init(groups: [TimerGroup(timers: timers)])) ?? configuration.timers
            configuration.storage = .init(directory: "/nowhere")
        }
    }

    private func revision(_ node: Scenario) throws -> Int? {
        try TimersMessage(Array(try #require(node.last("timers")).utf8)).revision
    }

    @Test("increases with each change, and at no other time")
    func grows() throws {
        var node = try node()
        #expect(try revision(node) == 1)
        for (verb, payload) in [
            ("start", "1/2"), ("select", "1/1"), ("stop", ""), ("start", #"{"duration":"0:20","name":"Once"}"#),
            ("edit", #"{"start":60}"#), ("edit", #"{"start":"soon"}"#), ("state", ""),
        ] {
            node.send(verb, payload)
            #expect(try revision(node) == 1, "\(verb) \(payload)")
        }
        node.send("edit", #"{"start":70}"#)
        #expect(try revision(node) == 2)
        node.send("edit", #"{"minimum":20}"#)
        #expect(try revision(node) == 3)
        node.send("timers", #"{"groups":[{"timers":[{"start":80}]}]}"#)
        #expect(try revision(node) == 4)
        node.send("reset_timers")
        #expect(try revision(node) == 5)
        node.send("reset_timers")
        #expect(try revision(node) == 5, "there is nothing to reset")
    }

    @Test("survives a restart, and increases if the timers in the configuration have changed meanwhile")
    func restart() throws {
        var node = try node()
        node.send("edit", #"{"start":70}"#)
        #expect(try revision(try self.node(saved: node.saved.last)) == 2)
        #expect(try revision(try self.node([60, 40], saved: node.saved.last)) == 3)
    }

    @Test(
        "is accepted by timers and edit, which with any other revision are refused and change nothing",
        arguments: [
            ("edit", #""start":90"#), ("edit", #""timer":"1/2","name":"Late""#),
            ("timers", #""groups":[{"timers":[{"start":90}]}]"#),
        ])
    func conflict(verb: String, fields: String) throws {
        var node = try node()
        node.send("edit", #"{"start":70}"#)
        let before = node.last("timers")
        for other in [0, 1, 3] {
            let answer = node.send(verb, #"{"model_revision":\#(other),\#(fields)}"#)
            #expect(answer?["code"] == "conflict")
            let reason = #"field "model_revision": found \#(other), but it is now 2"#
            #expect(answer?["message"] == .string(reason))
            #expect(node.last("timers") == before)
        }
        #expect(node.send(verb, #"{"model_revision":2,\#(fields)}"#)?["status"] == "ok")
        #expect(try revision(node) == 3)
        #expect(node.send(verb, #"{"model_revision":"x",\#(fields)}"#)?["code"] == "invalid_payload")
    }

    @Test("is in the message on the topic, and the command accepts that message unchanged")
    func roundTrip() throws {
        var node = try node()
        node.send("edit", #"{"start":70}"#)
        let told = try #require(node.last("timers"))
        node.send("edit", #"{"start":80}"#)
        #expect(node.send("timers", told)?["code"] == "conflict", "a timer has been edited since")
    }
}
