import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The remotes in a configuration")
struct RemoteConfigurationTests {
    private static let command = "a command such as toggle or start 2/1"
    private static let map = "a mapping of values to commands such as single: toggle"
    private static let conditions = "a mapping of paths to values such as id: 0"
    private static let path = """
        at most 8 names separated by dots and indexes from 0 in brackets, such as action or params.events[0].event
        """

    @Test("may have every key")
    func complete() throws {
        let loaded = try load(
            """
            mqtt: {brokers: [mqtt://a]}
            remotes:
              - topic: zigbee2mqtt/desk_button
                path: action
                where: {id: 0, "events[0].component": input:0}
                ignore_repeat: 2s
                map: {single: toggle, double: next, "1": start 2/1, on: stop, "": identify}
              - {topic: "shellies/+/input_event/#", ignore_repeat: 0, map: {ON: add +60}}
            timers: {groups: [{timers: [{start: 9}]}, {timers: [{start: 9}]}]}
            """)
        #expect(loaded.warnings.isEmpty)
        let remotes = loaded.configuration.remotes
        try #require(remotes.map(\.topic.description) == ["zigbee2mqtt/desk_button", "shellies/+/input_event/#"])
        #expect(remotes.map { $0.path?.description } == ["action", nil])
        #expect(
            remotes.map { $0.conditions.map { [$0.path.description, $0.value] } } == [
                [["id", "0"], ["events[0].component", "input:0"]], [],
            ])
        #expect(remotes.map(\.ignoreRepeat) == [.seconds(2), .zero])
        #expect(
            remotes.map { $0.commands.mapValues(\.command) } == [
                [
                    "single": .player(.toggle), "double": .player(.next), "1": .player(.start(selector: "2/1")),
                    "on": .player(.stop), "": .signal(.identify),
                ],
                ["ON": .player(.add(seconds: 60))],
            ])
    }

    @Test("ignore repeats for half a second by default")
    func defaults() throws {
        let remotes = try load("mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: a, map: {x: stop}}]").configuration
            .remotes
        #expect(remotes.map(\.ignoreRepeat) == [.milliseconds(500)])
        #expect(try load("remotes: []").configuration.remotes.isEmpty)
        #expect(findings("remotes: []") == ["node.yaml:1: warning: remotes: ignored: there is no mqtt section"])
    }

    @Test(
        "are reported if they have faults",
        arguments: [
            FaultyFragment(
                "{map: {x: stop}}",
                "topic: found nothing, expected a topic, with + for one level and # at the end for all remaining levels"
            ),
            FaultyFragment(
                "{topic: [a], map: {x: stop}}",
                "topic: found a list, expected a topic, with + for one level and # at the end for all remaining levels"
            ),
            FaultyFragment(
                #"{topic: "a/#/b", map: {x: stop}}"#,
                ##"topic: found "a/#/b", expected # only by itself, as the last level"##),
            FaultyFragment(
                "{topic: a+/b, map: {x: stop}}",
                #"topic: found "a+/b", expected + only by itself, as a whole level"#),
            FaultyFragment(#"{topic: "", map: {x: stop}}"#, #"topic: found "", expected 1 to 256 bytes"#),
            FaultyFragment(
                "{topic: a, path: a..b, map: {x: stop}}", #"path: found "a..b", expected \#(path)"#),
            FaultyFragment(
                #"{topic: a, path: "a[first]", map: {x: stop}}"#, #"path: found "a[first]", expected \#(path)"#),
            FaultyFragment(
                "{topic: a, ignore_repeat: 2m, map: {x: stop}}",
                #"ignore_repeat: found "2m", expected a duration from 0s to 1m, such as 250ms"#),
            FaultyFragment(
                "{topic: a, path: b, where: id, map: {x: stop}}", #"where: found "id", expected \#(conditions)"#),
            FaultyFragment(
                "{topic: a, path: b, where: {}, map: {x: stop}}", "where: found none, expected \(conditions)"),
            FaultyFragment(
                "{topic: a, path: b, where: {a..b: 1}, map: {x: stop}}",
                #"where.a..b: found "a..b", expected \#(path)"#),
            FaultyFragment(
                "{topic: a, path: b, where: {id: [0], x: }, map: {x: stop}}",
                "where.id: found a list, expected a string, a number, true or false",
                "where.x: found nothing, expected a string, a number, true or false"),
            FaultyFragment(
                "{topic: a, path: b, where: {id: 0, id: 1}, map: {x: stop}}",
                "where.id: found a second time; it is already on line 3"),
            FaultyFragment(
                "{topic: a, where: {id: 0}, map: {x: stop}}",
                "where: needs a path: without one the whole payload is the value"),
            FaultyFragment("{topic: a}", "map: found nothing, expected \(map)"),
            FaultyFragment("{topic: a, map: {}}", "map: found none, expected \(map)"),
            FaultyFragment("{topic: a, map: toggle}", #"map: found "toggle", expected \#(map)"#),
            FaultyFragment(
                "{topic: a, map: {x: togle}}",
                #"map.x: found "togle", expected \#(command); did you mean toggle?"#),
            FaultyFragment("{topic: a, map: {x: stop now}}", #"map.x: stop takes no argument; found "now""#),
            FaultyFragment("{topic: a, map: {x: }}", "map.x: found nothing, expected \(command)"),
            FaultyFragment(
                #"{topic: a, map: {"": explode}}"#, #"map."": found "explode", expected \#(command)"#),
            FaultyFragment(
                "{topic: a, map: {x: stop, x: start}}", "map.x: found a second time; it is already on line 3"),
            FaultyFragment("{topics: a, topic: a, map: {x: stop}}", "topics: unknown; did you mean topic?"),
            FaultyFragment(
                "{topic: a+, path: '.', ignore_repeat: soon, map: {x: explode, y: b}}",
                #"topic: found "a+", expected + only by itself, as a whole level"#,
                #"path: found ".", expected \#(path)"#,
                #"ignore_repeat: found "soon", expected a duration from 0s to 1m, such as 250ms"#,
                #"map.x: found "explode", expected \#(command)"#, #"map.y: found "b", expected \#(command)"#),
        ])
    func faults(of fragment: FaultyFragment) {
        let yaml = "mqtt: {brokers: [mqtt://a]}\nremotes:\n  - " + fragment.yaml
        #expect(findings(yaml) == fragment.faults.map { "node.yaml:3: remotes[1]." + $0 })
    }

    @Test(
        "must not match the node's own commands",
        arguments: [
            ("hall/timer/lectern/command/start", "hall/timer/lectern/command/+"),
            ("hall/timer/lectern/command", "hall/timer/lectern/command"),
            ("hall/timer/all/command/stop", "hall/timer/all/command/+"), ("hall/#", "hall/timer/lectern/command/+"),
            ("#", "hall/timer/lectern/command/+"), ("hall/timer/@stage/+", "hall/timer/@stage/command"),
        ])
    func ownCommands(topic: String, filter: String) {
        let yaml = """
            remotes:
              - {topic: desk, map: {x: stop}}
              - {topic: "\(topic)", map: {x: stop}}
            node: {id: lectern, groups: [stage]}
            mqtt: {brokers: [mqtt://a], prefix: hall/timer}
            """
        #expect(
            findings(yaml) == [
                #"node.yaml:3: remotes[2].topic: found "\#(topic)", "#
                    + "expected topics of other devices; \(filter) are this node's commands"
            ])
    }

    @Test(
        "may match another node's topics", arguments: ["timer/stage/event", "timer/+/event", "timer/stage/command/+"])
    func otherNodes(topic: String) {
        #expect(findings("mqtt: {brokers: [mqtt://a]}\nremotes: [{topic: \(topic), map: {x: stop}}]").isEmpty)
    }

    @Test("are at most 64")
    func tooMany() {
        let remotes = Array(repeating: "{topic: a, map: {x: stop}}", count: 65).joined(separator: ", ")
        #expect(
            findings("mqtt: {brokers: [mqtt://a]}\nremotes: [\(remotes)]") == [
                "node.yaml:2: remotes: found a list of 65, expected a list of at most 64 remotes"
            ])
    }
}
