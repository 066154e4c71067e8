import Foundation
import NodeConfiguration
import Testing

/// `timer-node nodes`, `timers` and `reset-timers`, with a real broker and real nodes.
@Suite("nodes, timers and reset-timers")
struct NodesTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: "A: 1", timers: [{name: Talk, start: 20:00, warning: 5:00}]}]}
            storage: {directory: FOLDER/state}
            """)
        try node.waitForConnection()
    }

    private func run(_ arguments: String...) throws -> SendTests.Outcome {
        try SendTests.run(arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
    }

    @Test("lists each node, including offline nodes, which can be forgotten")
    func list() throws {
        let lines = try run("nodes").output
        #expect(lines.first == "NODE     CONNECTION  MODE     LEFT   TIMER  VERSION  HEALTH")
        #expect(lines.count == 2)
        let row = "lectern  online      stopped  20:00  Talk   \(NodeVersion.current)    0:"
        #expect(lines.last?.hasPrefix(row) == true && lines.last?.hasSuffix(" ago") == true, "\(lines)")
        #expect(
            try run("nodes", "--json").output.first?.hasPrefix(
                #"{"node":"lectern","online":true,"state":{"mode":"stopped""#) == true)
        #expect(
            try run("nodes", "--forget", "lectern", "--yes")
                == SendTests.Outcome(1, errors: ["lectern is online; only an offline node can be forgotten"]))
        try node.process.terminate()
        let other = "homeassistant/sensor/lectern/lamp/config"
        let otherDevice = #"{"dev":{"identifiers":["lamp"]}}"#
        try MQTTProbe.publish(broker, other, otherDevice, retain: true)
        #expect(try run("nodes").output.last?.hasPrefix("lectern  offline     stopped  20:00  Talk ") == true)
        #expect(
            try run("nodes", "--forget", "lectern")
                == SendTests.Outcome(64, errors: ["cannot ask questions without a terminal: use --yes"]))
        #expect(try run("nodes", "--forget", "lectern", "--yes") == SendTests.Outcome(0, ["lectern forgotten"]))
        #expect(
            try run("nodes") == SendTests.Outcome(0, errors: ["\(broker.url) has no node under timer/"]))
        let probe = try MQTTProbe(broker, "#")
        try MQTTProbe.publish(broker, "timer/marker", "")
        try probe.wait(for: "the marker") { $0.contains { $0.topic == "timer/marker" } }
        #expect(probe.messages.map(\.topic) == [other, "timer/marker"], "nothing else is retained")
        let unknown = try run("nodes", "--forget", "lectern", "--yes")
        #expect(unknown.status == .exited(1) && unknown.errors.first?.contains("has no node lectern") == true)
    }

    @Test(
        "exports timers and imports them again, as YAML and as JSON, during a run",
        arguments: ["timers.yaml", "timers.json"])
    func exchange(name: String) throws {
        let file = node.path(name)
        #expect(try run("timers", "export", "lectern", file) == SendTests.Outcome(0))
        let exported = try String(contentsOfFile: file, encoding: .utf8)
        #expect(exported.contains(name.hasSuffix("json") ? #""name":"A: 1""# : #"- name: "A: 1""#), "\(exported)")
        #expect(try run("send", "lectern", "start").status == .exited(0))
        #expect(try run("send", "lectern", "edit", #"{"name":"Speech","location":"Hall"}"#).status == .exited(0))
        let edited = try run("timers", "export", "lectern", "-").output
        #expect(edited.contains { $0.contains(#""Speech""#) }, "\(edited)")
        #expect(try run("timers", "import", "lectern", file) == SendTests.Outcome(0))
        let again = node.path("again-\(name)")
        #expect(try run("timers", "export", "lectern", again) == SendTests.Outcome(0))
        #expect(try String(contentsOfFile: again, encoding: .utf8) == exported)
        if name.hasSuffix("json") {
            #expect(try run("send", "lectern", "state").output.first?.hasPrefix("countdown, ") == true, "by its id")
        }
        let piped = try Shell.run(
            "\(try SpawnedNode.program) timers import --broker \(broker.url) lectern - < \(Shell.quote(file))")
        #expect(piped == Shell.Result(output: "", status: 0))
    }

    @Test("imports an old payload of the timers topic, no matter how many times the timers have changed since")
    func topic() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/timers")
        try probe.wait(for: "the timers") { !$0.isEmpty }
        try node.write(probe.messages.first?.payload ?? "", to: "topic.json")
        #expect(try run("send", "lectern", "edit", #"{"name":"Speech"}"#).status == .exited(0))
        #expect(try run("timers", "import", "lectern", node.path("topic.json")) == SendTests.Outcome(0))
        #expect(try !run("timers", "export", "lectern", "-").output.contains { $0.contains("Speech") })
    }

    @Test("refuses an invalid file, and reports the line")
    func faults() throws {
        try node.write("timers:\n  groups:\n    - {timers: [{name: A, start: soon}]}\n", to: "bad.yaml")
        let bad = try run("timers", "import", "lectern", node.path("bad.yaml"))
        #expect(bad.status == .exited(78) && bad.errors.first?.contains("bad.yaml:3: ") == true, "\(bad)")
        try node.write(#"{"groups":[{"timers":[{"start":5,"colour":1}]}]}"#, to: "bad.json")
        let json = try run("timers", "import", "lectern", node.path("bad.json"))
        #expect(json.status == .exited(1) && json.errors.first?.contains("colour") == true, "\(json)")
        try node.write("{", to: "broken.json")
        #expect(try run("timers", "import", "lectern", node.path("broken.json")).status == .exited(78))
        #expect(try run("timers", "import", "lectern", node.path("none.yaml")).status == .exited(74))
        #expect(try run("timers", "export", "lectern", "/nowhere/x").status == .exited(74))
        #expect(try run("timers", "export", "nobody", "-", "--timeout", "1s").status == .exited(69))
    }

    @Test("returns to the timers in the configuration")
    func reset() throws {
        #expect(try run("send", "lectern", "edit", #"{"start":600}"#) == SendTests.Outcome(0, ["stopped, 10:00 left"]))
        #expect(try run("reset-timers", "lectern") == SendTests.Outcome(0))
        #expect(try run("send", "lectern", "state") == SendTests.Outcome(0, ["stopped, 20:00 left"]))
        try node.process.waitForLine("the warning") { $0.contains("kept the edits as") }
        #expect(try run("reset-timers", "nobody", "--timeout", "1s").status == .exited(69))
    }

    @Test("completes the names of nodes and verbs in each shell")
    func completions() throws {
        for shell in ["bash", "zsh", "fish"] {
            let script = try run("--generate-completion-script", shell)
            #expect(script.status == .exited(0))
            for word in ["lamp_test", "clear_runs", "report", "agenda"] {
                #expect(script.output.contains { $0.contains(word) }, "\(shell)")
            }
        }
        // The shell waits up to a second for names.
        let script = """
            export TIMER_NODE_MQTT_BROKERS=\(broker.url); PATH=\((try SpawnedNode.program as NSString).deletingLastPathComponent):$PATH
            timer-node --generate-completion-script bash > \(Shell.quote(node.path("c")))
            exec bash --norc -c 'source \(node.path("c")); COMP_TYPE=9
            for words in "send lec" "report lec" "agenda export lec" "send lectern clear_r"; do
                COMPREPLY=(); COMP_LINE="timer-node $words"; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_POINT=${#COMP_LINE}; _timer-node timer-node ${COMP_WORDS[-1]} ${COMP_WORDS[-2]}
                echo "$words: ${COMPREPLY[@]}"
            done'
            """
        try waitUntil("the completions") {
            try Shell.run(script).output.split(separator: "\n") == [
                "send lec: lectern", "report lec: lectern", "agenda export lec: lectern",
                "send lectern clear_r: clear_runs",
            ]
        }
    }
}
