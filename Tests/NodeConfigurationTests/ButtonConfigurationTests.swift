import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The buttons in a configuration")
struct ButtonConfigurationTests {
    private static let command = "a command such as toggle or start 2/1"

    @Test("may have every key")
    func complete() throws {
        let loaded = try load(
            """
            gpio:
              outputs: {red: {line: GPIO22}}
              buttons:
                - {line: GPIO23, bias: pull_up, active_low: true, debounce: 5ms, press: toggle, double: next,
                   hold: stop, double_within: 400ms, hold_from: 1s}
                - {line: 24, press: "start  2/1 Questions"}
                - {line: 25, bias: pull_down, debounce: 0, hold: add +60}
            timers: {groups: [{timers: [{start: 9}]}, {timers: [{start: 9, name: Questions}]}]}
            """)
        #expect(loaded.warnings.isEmpty)
        let buttons = loaded.configuration.gpio.buttons
        try #require(buttons.map(\.line) == ["GPIO23", "24", "25"])
        #expect(buttons.map(\.bias) == [.pullUp, .asIs, .pullDown])
        #expect(buttons.map(\.activeLow) == [true, false, false])
        #expect(buttons.map(\.debounce) == [.milliseconds(5), .milliseconds(20), .zero])
        #expect(buttons.map(\.doubleWithin) == [.milliseconds(400), .milliseconds(300), .milliseconds(300)])
        #expect(buttons.map(\.holdFrom) == [.seconds(1), .milliseconds(800), .milliseconds(800)])
        #expect(
            buttons.map { $0.commands.mapValues(\.command) } == [
                [.press: .player(.toggle), .double: .player(.next), .hold: .player(.stop)],
                [.press: .player(.start(selector: "2/1 Questions"))],
                [.hold: .player(.add(seconds: 60))],
            ])
    }

    @Test(
        "are reported if they have faults",
        arguments: [
            FaultyFragment(
                "    - {line: GPIO23, press: togle}",
                #"press: found "togle", expected \#(command); did you mean toggle?"#),
            FaultyFragment("    - {line: GPIO23, press: [toggle]}", "press: found a list, expected \(command)"),
            FaultyFragment(
                "    - {line: GPIO23, hold: explosion}", #"hold: found "explosion", expected \#(command)"#),
            FaultyFragment(
                "    - {line: GPIO23, press: toggle now}", #"press: toggle takes no argument; found "now""#),
            FaultyFragment(
                "    - {line: GPIO23, double: add soon}",
                #"double: found "soon", expected a time such as +30, -30 or 1:00"#),
            FaultyFragment("    - {line: GPIO23, press: select}", "press: select needs a timer, such as 2/1"),
            FaultyFragment(
                "    - {line: GPIO23}",
                "press: found nothing to do, expected a command for at least one of press, double and hold"),
            FaultyFragment(
                "    - {press: stop}",
                "line: found nothing, expected a line's name, such as GPIO23, or its offset, such as 23"),
            FaultyFragment(
                "    - {line: GPIO23, bias: up, press: stop}",
                #"bias: found "up", expected as_is, pull_up, pull_down or disabled"#),
            FaultyFragment(
                "    - {line: GPIO23, debounce: 20, press: stop}",
                #"debounce: found "20", expected a duration from 0s to 1s, such as 250ms"#),
            FaultyFragment(
                "    - {line: GPIO23, hold: stop, hold_from: 0}",
                #"hold_from: found "0", expected a duration from 50ms to 1m, such as 250ms"#),
            FaultyFragment(
                "    - {line: GPIO23, pres: stop, hold: stop}", "pres: unknown; did you mean press?"),
            FaultyFragment(
                "    - {line: GPIO22, press: stop}", "line: found line GPIO22, which red already uses on line 2"),
        ])
    func faults(of fragment: FaultyFragment) {
        let yaml = "gpio:\n  outputs: {red: {line: GPIO22}}\n  buttons:\n" + fragment.yaml
        #expect(findings(yaml) == fragment.faults.map { "node.yaml:4: gpio.buttons[1]." + $0 })
    }

    @Test("have one line each")
    func sharedLine() {
        #expect(
            findings(
                """
                gpio:
                  outputs: {red: {line: GPIO22}}
                  buttons:
                    - {line: GPIO23, press: stop}
                    - {line: GPIO23, press: toggle}
                """) == [
                    "node.yaml:5: gpio.buttons[2].line: found line GPIO23, which button 1 already uses on line 4"
                ])
    }

    @Test(
        "cause a warning if a time is not used",
        arguments: [("double_within: 1s", "double"), ("hold_from: 1s", "hold")])
    func unusedTimes(key: String, gesture: String) {
        let name = key.prefix { $0 != ":" }
        #expect(
            findings("gpio: {outputs: {red: {line: LINE1}}, buttons: [{line: 2, press: stop, \(key)}]}") == [
                "node.yaml:1: warning: gpio.buttons[1].\(name): ignored: there is no \(gesture) command"
            ])
    }

    @Test(
        "do not exist on a simulated stoplight, with a warning",
        arguments: ["chip: simulated, outputs: {red: {line: 1}}", "chip: simulated", "outputs: {}"])
    func simulated(rest: String) throws {
        let loaded = try load("gpio: {\(rest), buttons: [{line: 2, press: stop}]}")
        #expect(loaded.configuration.gpio.buttons.isEmpty)
        #expect(
            loaded.warnings.map(\.description) == [
                "node.yaml:1: warning: gpio.buttons: not used: a simulated stoplight has no inputs"
            ])
    }
}
