import BrokerLink
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A command for the signals")
struct SignalCommandTests {
    /// Returns the lit outputs at the start and after each wait in milliseconds.
    private func watch(_ node: inout Scenario, _ pauses: [Int]) -> [String] {
        [node.lit]
            + pauses.map { pause in
                node.wait(.milliseconds(pause))
                return node.lit
            }
    }

    private func alarmed(_ configure: (inout NodeConfiguration) -> Void = { _ in }) throws -> Scenario {
        var node = try Scenario(6, 4, 2, configure: configure)
        node.send("start")
        node.wait(.seconds(6))
        return node
    }

    // MARK: - silence

    @Test("silence mutes the buzzer until the next transition; the lights continue")
    func silence() throws {
        var node = try alarmed { $0.signals.overtime = .init(every: .seconds(12), pattern: .flash) }
        #expect(node.lit == "buzzer+red")
        #expect(node.send("silence")?["status"] == "ok")
        #expect(node.state?["outputs"] == ["buzzer": "off", "green": "off", "red": "blink", "yellow": "off"])
        #expect(watch(&node, [424, 1, 425]) == ["red", "red", "dark", "red"])
        let before = node.story.count
        node.wait(.seconds(60))
        #expect(!node.story[before...].contains { $0.contains("buzzer") }, "not during overtime either")
        node.send("start")
        node.wait(.seconds(6))
        #expect(node.lit == "buzzer+red")
    }

    @Test("silence is published once if nothing sounds, and changes no lights")
    func silenceInSilence() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        let before = node.diary.count
        node.send("silence")
        #expect(node.diary[before...].allSatisfy { $0.hasPrefix("0 response") })
        node.wait(.seconds(6))
        #expect(node.lit == "buzzer+red", "two transitions later the buzzer sounds again")
    }

    @Test(
        "silence survives a restart of the process, as do the patterns with their phase",
        arguments: [1000, 2050, 2100, 2150, 3000, 4500, 6100, 6500, 7000, 17_000], [false, true])
    func restart(after milliseconds: Int, silenced: Bool) throws {
        var node = try Scenario(6, 4, 2) { configuration in
            configuration.storage = .init(directory: "/nowhere")
            configuration.signals.modes[.warning] = ["yellow": .on, "buzzer": .play(Pattern(milliseconds: 80, 40, 80))]
        }
        node.send("start")
        node.wait(.milliseconds(milliseconds))
        if silenced { node.send("silence") }
        var next = NodeCore(configuration: node.core.configuration, seed: 1)
        let effects = next.effects(of: [.started(saved: node.saved.last, boot: "a boot")], at: node.now)
        #expect(effects.contains(.acquireOutputs(try #require(node.levels))))
        let now = node.now.instant
        #expect(next.outputs.indicators.reading(at: now) == node.core.outputs.indicators.reading(at: now))
        #expect((next.outputs.indicators.silencedAt != nil) == silenced)
    }

    @Test("silence gets through a flood, as stopping does")
    func flood() throws {
        var node = try alarmed { $0.mqtt?.commandRate = 1 }
        for _ in 0..<10 { node.send("beep") }
        #expect(node.send("state") == nil)
        #expect(node.send("silence")?["status"] == "ok")
        #expect(node.lit == "red")
    }

    // MARK: - beep

    @Test(
        "beep sounds a pattern once",
        arguments: [
            ("", ["buzzer", "dark", "dark", "dark"]), ("PRESS", ["buzzer", "dark", "dark", "dark"]),
            ("double", ["buzzer", "dark", "buzzer", "dark"]), ("{}", ["buzzer", "dark", "dark", "dark"]),
            (#"{"sound":"double"}"#, ["buzzer", "dark", "buzzer", "dark"]),
            ("long", ["buzzer", "buzzer", "buzzer", "buzzer"]),
        ])
    func beep(payload: String, expected: [String]) throws {
        var node = try Scenario()
        #expect(node.send("beep", payload)?["status"] == "ok")
        #expect(node.state?["outputs"]?["buzzer"] == (payload.contains("double") ? "blink" : "on"))
        #expect(watch(&node, [150, 150, 150]) == expected)
        node.wait(.seconds(1))
        #expect(node.lit == "dark")
        #expect(node.state?["outputs"]?["buzzer"] == "off")
        #expect(node.core.nextInstant == nil)
    }

    @Test("beep replaces the current sound, which then continues in phase")
    func beepInAlarm() throws {
        var node = try alarmed()
        node.wait(.milliseconds(500))
        #expect(node.lit == "dark")
        node.send("beep")
        #expect(watch(&node, [149, 1, 199, 1]) == ["buzzer", "buzzer", "dark", "dark", "buzzer+red"])
    }

    @Test("beep is cut by a change of mode")
    func cut() throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.milliseconds(1900))
        node.send("beep", "long")
        #expect(watch(&node, [99, 1]) == ["buzzer+green", "buzzer+green", "yellow"])
    }

    @Test(
        "beep is refused if it would not be audible",
        arguments: [
            (
                "duble", false, "not_found",
                #"there is no pattern "duble"; known patterns: alarm, beep, double, long, triple"#
            ),
            (
                "none", false, "not_found",
                #"there is no pattern "none"; known patterns: alarm, beep, double, long, triple"#
            ),
            ("", true, "not_allowed", "the buzzer is silenced until the next transition"),
        ])
    func refusedBeep(payload: String, silenced: Bool, code: String, message: String) throws {
        var node = try alarmed()
        if silenced { node.send("silence") }
        let before = node.state
        let response = node.send("beep", payload)
        #expect(response?["code"] == .string(code))
        #expect(response?["message"] == .string(message))
        #expect(node.state == before)
    }

    @Test("beep needs a buzzer")
    func withoutBuzzer() throws {
        var node = try Scenario { $0.gpio = .init(outputs: ["red": .init(line: "1")]) }
        #expect(node.send("beep")?["message"] == "beep needs an output named buzzer")
    }

    // MARK: - lamp_test and identify

    @Test("lamp_test switches each output on in turn, then shows the mode")
    func lampTest() throws {
        var node = try alarmed { $0.gpio.outputs["lamp2"] = .init(line: "2") }
        node.send("stop")
        #expect(node.send("lamp_test")?["status"] == "ok")
        #expect(
            watch(&node, [999, 1, 1000, 1000, 1000, 999, 1])
                == ["green", "green", "yellow", "red", "buzzer", "lamp2", "lamp2", "dark"])
        node.wait(Undo.time)
        #expect(node.core.nextInstant == nil)
        #expect(node.state?["outputs"]?["lamp2"] == "off")
    }

    @Test("lamp_test is refused while running, unless it is forced", arguments: [0, 2, 4])
    func lampTestWhileRunning(at seconds: Int) throws {
        var node = try Scenario(6, 4, 2)
        node.send("start")
        node.wait(.seconds(seconds))
        let lamp = node.lit
        let mode = ["countdown", "", "warning", "", "final"][seconds]
        let response = node.send("lamp_test")
        #expect(response?["code"] == "not_allowed")
        #expect(
            response?["message"]
                == .string(
                    "lamp_test is refused while the timer runs; the mode is \(mode); {\"force\":true} overrides this"))
        #expect(node.send("lamp_test", #"{"force":false}"#)?["code"] == "not_allowed")
        #expect(node.lit == lamp)
        #expect(node.send("lamp_test", #"{"force":true}"#)?["status"] == "ok")
        #expect(watch(&node, [1000, 999, 1]).dropLast() == ["green", "yellow", "yellow"])
        #expect(node.lit == ["yellow", "", "red", "", "buzzer+red"][seconds], "the transition cuts it")
    }

    @Test("lamp_test can be forced only for one node", arguments: ["all", "@hall-a"])
    func forced(recipient: String) throws {
        var node = try Scenario()
        #expect(node.send("lamp_test", #"{"force":true}"#, to: recipient)?["code"] == "not_allowed")
        #expect(node.lit == "dark")
        #expect(node.send("lamp_test", to: recipient)?["status"] == "ok")
        #expect(node.lit == "green")
    }

    @Test("identify blinks all lamps for three seconds, and no buzzer", arguments: [false, true])
    func identify(running: Bool) throws {
        var node = try Scenario(60, 0, 0)
        if running { node.send("start") }
        #expect(node.send("identify")?["status"] == "ok")
        #expect(node.state?["outputs"] == ["buzzer": "off", "green": "blink", "red": "blink", "yellow": "blink"])
        let all = "green+red+yellow"
        #expect(watch(&node, [249, 1, 250, 2249, 250]) == [all, all, "dark", all, all, "dark"])
        node.wait(.milliseconds(1))
        #expect(node.lit == (running ? "green" : "dark"))
        #expect(node.state?["outputs"]?["red"] == "off")
    }

    @Test(
        "with an invalid payload reports what was found",
        arguments: [
            ("silence", "now", #"silence takes no argument; found "now""#),
            ("identify", "red", #"identify takes no argument; found "red""#),
            ("lamp_test", "red", "lamp_test needs a JSON object"),
            ("lamp_test", #"{"force":1}"#, #"field "force": found 1, expected true or false"#),
            (
                "beep", #"{"sound":1}"#,
                #"field "sound": found 1, expected a string of at most 128 bytes without control characters"#
            ),
            ("beep", #"{"pattern":"long"}"#, #"unknown field "pattern"; known fields: id, command, sound"#),
            (
                "timers", #"{"version":2,"groups":[{"sound":"x","timers":[{"name":"a","start":5}]}]}"#,
                #"field groups[1].sound: found "x", expected alarm, beep, double, long, triple or none"#
            ),
        ])
    func invalidPayload(verb: String, payload: String, message: String) throws {
        var node = try Scenario()
        let before = (node.state, node.last("timers"))
        let response = node.send(verb, payload)
        #expect(response?["code"] == "invalid_payload")
        #expect(response?["message"] == .string(message))
        #expect((node.state, node.last("timers")) == before)
    }
}
