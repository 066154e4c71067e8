import Foundation
import Testing

/// `timer-node programme`, with a real broker and a real node.
@Suite("programme export and import")
struct ProgrammeExchangeTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: A, timers: [{name: Talk, start: 20:00}]}]}
            """)
    }

    private func run(_ arguments: String...) throws -> SendTests.Outcome {
        try SendTests.run(arguments, environment: ["TIMER_NODE_MQTT_BROKERS": broker.url])
    }

    @Test(
        "exports the running order and imports it again, in each format",
        arguments: ["evening.csv", "evening.yaml", "evening.json"])
    func exchange(name: String) throws {
        let evening = #"""
            {"entries":[{"id":"a1","title":"Opening: \"hello\"","speaker":"Ada, Countess","timer":"1/1","at":"19:05"},
            {"id":"a2","title":"Motion 4","start":"3:00","warning":"1:00","minimum":"2:00","maximum":"3:30",
             "note":"both sides"},{"id":"a3","title":"Break"}]}
            """#
        #expect(try run("send", "lectern", "programme", evening).status == .exited(0))
        let file = node.path(name)
        #expect(try run("programme", "export", "lectern", file) == SendTests.Outcome(0))
        let exported = try String(contentsOfFile: file, encoding: .utf8)
        #expect(exported.contains("Motion 4") && !exported.contains("coming"))
        #expect(try run("send", "lectern", "programme", #"{"entries":[{"title":"Other"}]}"#).status == .exited(0))
        #expect(try run("programme", "import", "lectern", file) == SendTests.Outcome(0))
        let again = node.path("again-\(name)")
        #expect(try run("programme", "export", "lectern", again) == SendTests.Outcome(0))
        #expect(try String(contentsOfFile: again, encoding: .utf8) == exported)
    }

    @Test("imports a calendar and exports one, and refuses a file with a fault whole")
    func others() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/programme")
        let calendar = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            DTSTART:20261127T190500
            DTEND:20261127T192000
            SUMMARY:Opening
            END:VEVENT
            END:VCALENDAR
            """
        try node.write(calendar, to: "council.ics")
        #expect(try run("programme", "import", "lectern", node.path("council.ics")) == SendTests.Outcome(0))
        try probe.wait(for: "the entry") { $0.contains { $0.payload.contains(#""title":"Opening","start":900"#) } }
        #expect(try run("programme", "export", "lectern", node.path("other.ics")) == SendTests.Outcome(0))
        #expect(try String(contentsOfFile: node.path("other.ics"), encoding: .utf8).contains("SUMMARY:Opening"))

        for (name, text, reason) in [
            ("a.csv", "title,length\nA,5:00\nB,soon\n", "line 3, column length: found \"soon\""),
            ("a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:x\n", "line 3, DTSTART: found \"x\""),
            ("a.yaml", "programme:\n  entries:\n    - {title: A, start: soon}\n", "field \"start\": found \"soon\""),
            ("a.json", #"{"entries":[{"title":""}]}"#, "entries[1].title: found \"\""),
        ] {
            try node.write(text, to: name)
            let outcome = try run("programme", "import", "lectern", node.path(name))
            #expect(outcome.status == .exited(78) && outcome.errors.first?.contains(reason) == true, "\(outcome)")
        }
        let refused = #"{"entries":[{"title":"A","timer":"Panel"}]}"#
        try node.write(refused, to: "b.json")
        let outcome = try run("programme", "import", "lectern", node.path("b.json"))
        #expect(outcome.status == .exited(1), "\(outcome)")
        #expect(outcome.errors.first?.contains("there is no timer \"Panel\"; the timers are 1/1 Talk") == true)
        #expect(probe.messages.last?.payload.contains("Opening") == true)
    }
}
