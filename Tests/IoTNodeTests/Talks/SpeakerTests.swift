import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The speaker")
struct SpeakerTests {
    /// Two timers of 60 s in one group, and one of 60 s in another group, which alarms at zero.
    private static func configure(_ configuration: inout NodeConfiguration) {
        let timers = ["Talk", "Questions", "Other"].map { name in
            TimerItem(name: name, thresholds: .zero.setting(start: 60))
        }
        let groups = [
            TimerGroup(name: "First", timers: Array(timers[0...1])),
            TimerGroup(name: "Second", atZero: .alarm, timers: [timers[2]]),
        ]
        configuration.timers = (try? .init(groups: groups)) ?? configuration.timers
    }

    private func node() throws -> Scenario { try Scenario(configure: Self.configure) }

    private func speaker(_ node: Scenario) -> JSON? { node.state?["speaker"] }

    @Test("is empty until a command sets it, in plain text or in JSON, before or during the run")
    func naming() throws {
        var node = try node()
        #expect(speaker(node) == .null)
        node.send("speaker", "Ada Lovelace")
        #expect(speaker(node) == "Ada Lovelace")
        node.send("start")
        #expect(speaker(node) == "Ada Lovelace")
        node.send("speaker", #"{"name":"ON"}"#)
        #expect(speaker(node) == "ON", "ON is a name like any other")
        node.send("speaker", "true")
        #expect(speaker(node) == "true")
        node.send("speaker", "")
        #expect(speaker(node) == .null)
        node.send("start", #"{"timer":"2/1","speaker":"Grace Hopper"}"#)
        #expect(speaker(node) == "Grace Hopper")
        node.send("start", #"{"duration":"1:00","speaker":"Emmy Noether"}"#)
        #expect(speaker(node) == "Emmy Noether")
    }

    @Test(
        "has a name of 1 to 128 bytes without control characters",
        arguments: [
            (#"{"name":5}"#, "invalid_payload"), (#"{"speaker":"Ada"}"#, "invalid_payload"),
            ("A\u{7}B", "invalid_payload"),
            (String(repeating: "é", count: 65), "invalid_payload"),
        ])
    func names(payload: String, code: String) throws {
        var node = try node()
        node.send("speaker", "Ada")
        #expect(node.send("speaker", payload)?["code"] == .string(code))
        #expect(speaker(node) == "Ada")
        #expect(node.send("speaker", String(repeating: "é", count: 64))?["status"] == "ok")
    }

    @Test(
        "stays during a sequence, when the same timer is started again, and after an accidental run",
        arguments: [
            ["start", "60"], ["start", "70"], ["start", "10", "start"], ["start", "130"], ["start", "10", "start 1/1"],
            ["start", "1", "stop"], ["start", "10", "pause", "5", "resume"],
            ["start 2/1", "10", "start 1/1", "1", "stop"],
        ])
    func kept(steps: [String]) throws {
        var node = try node()
        for step in steps {
            let first = steps.first == step
            act(step, &node)
            if first || step == "start 1/1" { node.send("speaker", "Ada") }
        }
        #expect(speaker(node) == "Ada")
    }

    @Test(
        "is empty after any other end of a run, and after another timer is selected",
        arguments: [
            ["start", "10", "stop"], ["start", "130", "stop"], ["start", "10", "start 2/1"],
            ["start", "10", "select 2/1"],
            ["select 2/1"], ["start", "1", "next"], ["start", "1", "start 2/1"], ["start", "70", "stop"],
            ["start 2/1", "65", "rewind"],
        ])
    func cleared(steps: [String]) throws {
        var node = try node()
        node.send("speaker", "Ada")
        for step in steps {
            act(step, &node)
            if step == "start 2/1", step == steps.first { node.send("speaker", "Ada") }
        }
        #expect(speaker(node) == .null)
    }

    private func act(_ step: String, _ node: inout Scenario) {
        if let seconds = Int(step) { return node.wait(.seconds(seconds)) }
        let parts = step.split(separator: " ", maxSplits: 1).map(String.init)
        node.send(parts[0], parts.count > 1 ? parts[1] : "")
    }

    @Test("is refused for several nodes at once")
    func several() throws {
        var node = try node()
        #expect(node.send("speaker", "Ada", to: "all")?["code"] == "not_allowed")
        #expect(speaker(node) == .null)
    }

    @Test("stays if the same timer is started again, however long the previous run was")
    func startedAgain() throws {
        var node = try node()
        node.send("speaker", "Ada Lovelace")
        for seconds in [1, 2, 30] {
            node.send("start")
            node.wait(.seconds(seconds))
            node.send("start")
            #expect(speaker(node) == "Ada Lovelace", "after \(seconds) s")
        }
        node.wait(.seconds(2))
        node.send("stop")
        #expect(speaker(node) == .null)
    }
}
