import Foundation
import Testing

/// `timer-node agenda`, with a real broker and a real node.
@Suite("agenda export and import")
struct AgendaExchangeTests {
    private static let agenda = """
        agenda:
          zone: Europe/Berlin
          remind_after: 2m
          meetings:
            - {name: "Club: A", day: tue, at: "19:00", for: 2h, group: 1, location: Room 2}
            - {name: Conference, day: [2099-03-20, 2099-03-21], at: "10:00", for: 8h, zone: America/New_York, attend: false}
        """

    private let broker: MosquittoBroker
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: A, timers: [{name: Talk, start: 20:00}]}]}
            storage: {directory: FOLDER/state}
            \(Self.agenda)
            """)
        // The node publishes its agenda once a thread has read the time zones.
        try MQTTProbe(broker, "timer/lectern/agenda")
            .wait(for: "the agenda") { $0.contains { $0.payload.contains("Conference") } }
    }

    private func run(_ arguments: String...) throws -> SendTests.Outcome {
        try SendTests.run(arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
    }

    @Test("exports the agenda and imports it again, as YAML and as JSON", arguments: ["agenda.yaml", "agenda.json"])
    func exchange(name: String) throws {
        let file = node.path(name)
        #expect(try run("agenda", "export", "lectern", file) == SendTests.Outcome(0))
        let exported = try String(contentsOfFile: file, encoding: .utf8)
        #expect(exported.contains(name.hasSuffix("json") ? #""name":"Club: A""# : #"- name: "Club: A""#), "\(exported)")
        #expect(!exported.contains("revision") && !exported.contains("slots"))
        let other = #"{"meetings":[{"name":"Other","day":"mon","at":"9:00","for":900}]}"#
        #expect(try run("send", "lectern", "agenda", other).status == .exited(0))
        #expect(try run("agenda", "export", "lectern", "-").output.contains { $0.contains("Other") })
        #expect(try run("agenda", "import", "lectern", file) == SendTests.Outcome(0))
        let again = node.path("again-\(name)")
        #expect(try run("agenda", "export", "lectern", again) == SendTests.Outcome(0))
        #expect(try String(contentsOfFile: again, encoding: .utf8) == exported)
        let piped = try Shell.run(
            "\(try SpawnedNode.program) agenda import --broker \(broker.url) lectern - < \(Shell.quote(file))")
        #expect(piped == Shell.Result(output: "", status: 0))
    }

    @Test("imports a payload of the agenda topic, and a whole configuration file")
    func others() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/agenda")
        try probe.wait(for: "the agenda") { $0.contains { $0.payload.contains("Conference") } }
        try node.write(probe.messages.last?.payload ?? "", to: "topic.json")
        let other = #"{"zone":"UTC","meetings":[]}"#
        #expect(try run("send", "lectern", "agenda", other).status == .exited(0))
        #expect(try run("agenda", "import", "lectern", node.path("topic.json")) == SendTests.Outcome(0))
        #expect(try run("agenda", "export", "lectern", "-").output.contains { $0.contains("Conference") })
        #expect(try run("send", "lectern", "agenda", other).status == .exited(0))
        #expect(try run("agenda", "import", "lectern", node.path("timer-node.yaml")) == SendTests.Outcome(0))
        #expect(try run("agenda", "export", "lectern", "-", "--json").output.first?.contains("Conference") == true)
    }

    @Test("refuses an invalid file, and reports the line or the field")
    func faults() throws {
        try node.write("agenda:\n  meetings:\n    - {name: A, day: mon, at: soon, for: 1h}\n", to: "bad.yaml")
        let bad = try run("agenda", "import", "lectern", node.path("bad.yaml"))
        #expect(bad.status == .exited(78) && bad.errors.first?.contains("bad.yaml:3: ") == true, "\(bad)")
        try node.write(#"{"meetings":[{"name":"A","day":"mon","at":"25:00","for":900}]}"#, to: "bad.json")
        let json = try run("agenda", "import", "lectern", node.path("bad.json"))
        #expect(json.status == .exited(78) && json.errors.first?.contains("meetings[1].at") == true, "\(json)")
        try node.write("[]", to: "list.json")
        #expect(try run("agenda", "import", "lectern", node.path("list.json")).status == .exited(78))
        try node.write("timers: {}\n", to: "none.yaml")
        let none = try run("agenda", "import", "lectern", node.path("none.yaml"))
        #expect(
            none.status == .exited(78) && none.errors.first?.hasSuffix("found no agenda section") == true, "\(none)")
        // Only the node can check its zones and groups.
        try node.write(#"{"zone":"Mars/Olympus","meetings":[]}"#, to: "zone.json")
        let zone = try run("agenda", "import", "lectern", node.path("zone.json"))
        #expect(zone.status == .exited(1) && zone.errors.first?.contains("Mars/Olympus") == true, "\(zone)")
        #expect(try run("agenda", "import", "lectern", node.path("nothing.yaml")).status == .exited(74))
        #expect(try run("agenda", "export", "lectern", "/nowhere/x").status == .exited(74))
        #expect(try run("agenda", "export", "nobody", "-", "--timeout", "1s").status == .exited(69))
    }

    @Test("reports that a node has no agenda")
    func none() throws {
        let other = try SpawnedNode(
            "{node: {id: stage}, mqtt: {brokers: [\(broker.url)]}, storage: {directory: FOLDER/state}}", id: "stage")
        try other.waitForConnection()
        #expect(
            try run("agenda", "export", "stage", "-") == SendTests.Outcome(1, errors: ["stage has no agenda"]))
        try node.write(Self.agenda, to: "agenda.yaml")
        #expect(try run("agenda", "import", "stage", node.path("agenda.yaml")) == SendTests.Outcome(0))
        #expect(try run("agenda", "export", "stage", "-").output.contains { $0.contains("Conference") })
    }
}
