import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

/// A fragment of a configuration, and all its faults and warnings.
struct FaultyFragment: Sendable, CustomTestStringConvertible {
    let yaml: String
    let faults: [String]

    init(_ yaml: String, _ faults: String...) {
        self.yaml = yaml
        self.faults = faults
    }

    var testDescription: String { yaml.debugDescription }
}

/// The descriptions of the expected form of the common types.
extension FaultyFragment {
    static let identifier =
        "1 to 63 of the characters a-z, 0-9, _ and -, the first a letter or digit, and not the word all"
    static let text = "a string of 1 to 128 bytes without control characters"
    static let url =
        "mqtt://HOST or mqtt://HOST:PORT, or mqtts:// for TLS, with an IPv6 address in brackets"
    static let bool = "true/false, yes/no or on/off"
    static let keepAlive = "whole seconds from 5s to 18h, such as 15s or 1:30"
    static let topic =
        "topic levels such as hall/timer, up to 128 bytes, none empty, without + or # or a leading $"
    static let time = "whole seconds such as 90, 1:30 or 2m"

    static let all: [FaultyFragment] =
        signals + cards + agenda + [
            // Keys
            FaultyFragment(
                "node: {id: a}\nlogs: {}\n", "node.yaml:2: logs: unknown; did you mean log?"),
            FaultyFragment(
                "tls: {}\n",
                "node.yaml:1: tls: unknown, expected one of node, mqtt, follow, gpio, signals, remotes, mirrors, timers, agenda, programme, storage, tape, log"
            ),
            FaultyFragment(
                "log:\n  level: info\n  level: debug\n",
                "node.yaml:3: log.level: found a second time; it is already on line 2"),
            FaultyFragment(
                "log: {level: info}\nlog: {level: debug}\nlog: {}\n",
                "node.yaml:2: log: found a second time; it is already on line 1",
                "node.yaml:3: log: found a second time; it is already on line 1"),
            FaultyFragment("[a]: b\n", "node.yaml:1: ?: found a list, expected a key that is a string"),
            FaultyFragment(
                #""a\nb": c"# + "\n",
                #"node.yaml:1: a…: unknown, expected one of node, mqtt, follow, gpio, signals, remotes, mirrors, timers, agenda, programme, storage, tape, log"#
            ),
            FaultyFragment(
                "hello\n", #"node.yaml:1: found a string, expected keys such as node and mqtt"#),
            FaultyFragment("- a\n", "node.yaml:1: found a list, expected keys such as node and mqtt"),
            FaultyFragment(
                "log: debug\n",
                #"node.yaml:1: log: found "debug", expected keys such as level and format"#),

            // node
            FaultyFragment("node: {id: Lectern}\n", #"node.yaml:1: node.id: found "Lectern", expected \#(identifier)"#),
            FaultyFragment("node: {id: all}\n", #"node.yaml:1: node.id: found "all", expected \#(identifier)"#),
            FaultyFragment("node: {id: -a}\n", #"node.yaml:1: node.id: found "-a", expected \#(identifier)"#),
            FaultyFragment("node: {id: [a]}\n", "node.yaml:1: node.id: found a list, expected \(identifier)"),
            FaultyFragment(
                "node: {id: \(String(repeating: "a", count: 64))}\n",
                #"node.yaml:1: node.id: found "\#(String(repeating: "a", count: 37))"…, expected \#(identifier)"#),
            FaultyFragment(
                "node:\n  groups:\n    - a\n    - A\n",
                #"node.yaml:4: node.groups[2]: found "A", expected \#(identifier)"#),
            FaultyFragment(
                "node: {groups: hall}\n",
                #"node.yaml:1: node.groups: found "hall", expected a list of at most 32 names"#),
            FaultyFragment(#"node: {name: "a\tb"}"#, #"node.yaml:1: node.name: found "a\tb", expected \#(text)"#),

            // mqtt
            FaultyFragment(
                "mqtt:\n", "node.yaml:1: mqtt.brokers: found nothing, expected a list of 1 to 16 URLs, each \(url)"),
            FaultyFragment(
                "mqtt: {brokers: []}\n",
                "node.yaml:1: mqtt.brokers: found an empty list, expected a list of 1 to 16 URLs, each \(url)"),
            FaultyFragment(
                "mqtt:\n  brokers: [http://a]\n", #"node.yaml:2: mqtt.brokers[1]: found "http://a", expected \#(url)"#
            ),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  keepalive: soon\n",
                #"node.yaml:3: mqtt.keepalive: found "soon", expected \#(keepAlive)"#),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  keepalive: 4s\n",
                #"node.yaml:3: mqtt.keepalive: found "4s", expected \#(keepAlive)"#),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  keepalive: 5500ms\n",
                #"node.yaml:3: mqtt.keepalive: found "5500ms", expected \#(keepAlive)"#),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  keepalive: 64801\n",
                #"node.yaml:3: mqtt.keepalive: found "64801", expected \#(keepAlive)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], protocol: 4}\n",
                #"node.yaml:1: mqtt.protocol: found "4", expected 3.1.1 or 5"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], prefix: /timer}\n",
                #"node.yaml:1: mqtt.prefix: found "/timer", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], prefix: timer/}\n",
                #"node.yaml:1: mqtt.prefix: found "timer/", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], prefix: a/+/b}\n",
                #"node.yaml:1: mqtt.prefix: found "a/+/b", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], prefix: a#}\n",
                #"node.yaml:1: mqtt.prefix: found "a#", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], prefix: $SYS}\n",
                #"node.yaml:1: mqtt.prefix: found "$SYS", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], discovery: {style: old, prefix: a/#}}\n",
                #"node.yaml:1: mqtt.discovery.style: found "old", expected device, component or none"#,
                #"node.yaml:1: mqtt.discovery.prefix: found "a/#", expected \#(topic)"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], command_rate: -1}\n",
                #"node.yaml:1: mqtt.command_rate: found "-1", expected a whole number from 0 to 10000"#),
            FaultyFragment(
                "mqtt: {brokers: [mqtt://a], tick_every: 2h}\n",
                """
                node.yaml:1: mqtt.tick_every: found "2h", expected whole seconds from 1s to 1h, such as 15s or 1:30, \
                or 0 for never
                """),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  username: a\n  password: hunter2\n",
                """
                node.yaml:4: mqtt.password: found a password in the file, expected password_file, or \
                TIMER_NODE_MQTT_PASSWORD in the environment
                """),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  username: a\n  password_file: /nowhere/x\n",
                """
                node.yaml:4: mqtt.password_file: found a path (not shown) without a file, \
                expected the path of a file
                """),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  username: a\n  password_file: /\n",
                "node.yaml:4: mqtt.password_file: cannot read /: Is a directory"),
            FaultyFragment(
                "mqtt:\n  brokers: [mqtt://a]\n  username: a\n  password_file: /dev/zero\n",
                """
                node.yaml:4: mqtt.password_file: found no password in /dev/zero, expected a password of 1 to 4096 \
                bytes of UTF-8
                """),

            // gpio
            FaultyFragment(
                "gpio:\n  outputs:\n    red: {line: 17}\n    green: {line: \"17\"}\n  chip: gpiochip0\n",
                "node.yaml:4: gpio.outputs.green.line: found line 17, which red already uses on line 3"),
            FaultyFragment(
                "gpio: {outputs: {red: {line: LINE1, safe: maybe}}}\n",
                #"node.yaml:1: gpio.outputs.red.safe: found "maybe", expected \#(bool)"#),
            FaultyFragment(
                "gpio:\n  outputs:\n    red:\n      active_low: true\n",
                """
                node.yaml:4: gpio.outputs.red.line: found nothing, expected a line's name, such as GPIO17, or its offset, \
                such as 17
                """),
            FaultyFragment(
                "gpio: {outputs: {Red: {line: LINE1}}}\n",
                #"node.yaml:1: gpio.outputs.Red: found "Red", expected \#(identifier)"#),
            FaultyFragment(
                "gpio: {outputs: [red]}\n",
                "node.yaml:1: gpio.outputs: found a list, expected a mapping of outputs such as green: {line: GPIO17}"),
            FaultyFragment(
                "gpio: {outputs: {red: {line: LINE1, bias: up, drive: open}}}\n",
                #"node.yaml:1: gpio.outputs.red.bias: found "up", expected as_is, pull_up, pull_down or disabled"#,
                #"node.yaml:1: gpio.outputs.red.drive: found "open", expected push_pull, open_drain or open_source"#),

            // timers
            FaultyFragment(
                "timers:\n  groups:\n    - timers:\n        - start: 60\n          warning: 1:00\n",
                "node.yaml:5: timers.groups[1].timers[1].warning: warning 60 is outside 0…59 (below start 60)"),
            FaultyFragment(
                "timers:\n  groups:\n    - timers:\n        - start: 60\n          final: 70\n",
                "node.yaml:5: timers.groups[1].timers[1].final: final 70 is outside 0…59 (below start 60)"),
            FaultyFragment(
                "timers:\n  groups:\n    - timers:\n        - start: 24h\n",
                "node.yaml:4: timers.groups[1].timers[1].start: start 86400 is outside 0…86399"),
            FaultyFragment(
                "timers: {groups: [{timers: [{start: 1:5}]}]}\n",
                #"node.yaml:1: timers.groups[1].timers[1].start: found "1:5", expected \#(time)"#),
            FaultyFragment(
                "timers: {groups: [{timers: [{name: x}]}]}\n",
                "node.yaml:1: timers.groups[1].timers[1].start: found nothing, expected \(time)"),
            FaultyFragment(
                "timers:\n  groups:\n    - timers: [{start: 1}, {start: 1}, {start: 1}, {start: 1}, {start: 1}]\n",
                "node.yaml:3: timers.groups[1].timers: found a list of 5, expected a list of 1 to 4 timers"),
            FaultyFragment(
                "timers: {groups: [{timers: []}]}\n",
                "node.yaml:1: timers.groups[1].timers: found an empty list, expected a list of 1 to 4 timers"),
            FaultyFragment(
                "timers: {groups: []}\n",
                "node.yaml:1: timers.groups: found an empty list, expected a list of 1 to 64 groups"),
            FaultyFragment(
                "timers: {groups: [{alarm: loud, timers: [{start: 1}]}]}\n",
                #"node.yaml:1: timers.groups[1].alarm: found "loud", expected none, sound, vibrate or soundVibrate"#),
            FaultyFragment(
                "timers: {settings: {start_timer_imediately: on}}\n",
                """
                node.yaml:1: timers.settings.start_timer_imediately: unknown; did you mean start_timer_immediately?
                """),

            // log
            FaultyFragment(
                "log: {level: loud}\n", #"node.yaml:1: log.level: found "loud", expected debug, info, warning or error"#
            ),
        ]
}
