import Foundation
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// `timer-node report`, with a real broker and a real node.
@Suite("report")
struct ReportTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode

    /// A node with 60 runs of past evenings, one per minute from 2026-11-20T18:00:00Z on, by speakers S1 to S60.
    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: Hall, timers: [{name: Talk, start: 20:00, minimum: 10:00}]}]}
            storage: {directory: FOLDER}
            """, files: ["runs.json": try PastRuns.file(60)])
        try node.waitForConnection()
    }

    private func run(_ arguments: String..., variables: [String: String] = [:]) throws -> SendTests.Outcome {
        try SendTests.run(
            arguments,
            environment: ["TIMER_NODE_MQTT_BROKERS": broker.url, "TZ": "Europe/Berlin"].merging(variables) { $1 })
    }

    /// The speakers of the runs in a report, parsed like the topic's payload.
    private func speakers(_ outcome: SendTests.Outcome) throws -> [String?] {
        let payload = #"{"runs":[\#(outcome.output.joined(separator: ","))],"total":1}"#
        return try RunsMessage(Array(payload.utf8)).runs.map(\.speaker)
    }

    @Test("contains all its pages, the oldest run first")
    func pages() throws {
        let outcome = try run("report", "lectern")
        #expect(outcome.status == .exited(0) && outcome.errors == [])
        #expect(outcome.output.count == 61)
        #expect(
            outcome.output.prefix(2) == [
                "STARTED              SPEAKER  TIMER  USED  OVER  QUALIFIED",
                "2026-11-20 19:00:00  S1       Talk   0:50  -     yes",
            ])
        #expect(outcome.output.last == "2026-11-20 19:59:00  S60      Talk   0:50  -     yes")
        #expect(try speakers(run("report", "lectern", "--json")) == (1...60).map { "S\($0)" })
    }

    @Test("is complete even if the node accepts fewer commands per second than there are pages")
    func limited() throws {
        try node.reload(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)], command_rate: 1}
            timers: {groups: [{name: Hall, timers: [{name: Talk, start: 20:00, minimum: 10:00}]}]}
            storage: {directory: FOLDER}
            """)
        try node.process.waitForLine("the new configuration") { $0.contains("configuration") }
        #expect(try speakers(run("report", "lectern", "--json")).count == 60)
    }

    @Test("omits runs that began before a date, in this machine's zone or another one")
    func since() throws {
        for (date, first) in [
            ("2026-11-20", 1), ("2026-11-20T19:30", 31), ("2026-11-20T18:58:00Z", 59),
            ("2026-11-20T20:59:00+02:00", 60),
        ] {
            let speakers = try speakers(run("report", "lectern", "--json", "--since", date))
            #expect(speakers == (first...60).map { "S\($0)" }, "\(date)")
        }
        #expect(
            try run("report", "lectern", "--since", "2026-11-21")
                == SendTests.Outcome(0, errors: ["lectern has no runs since 2026-11-21"]))
        #expect(try run("report", "lectern", "--since", "soon").status == .exited(64))
        #expect(try run("report", "lectern", "--csv", "--json").status == .exited(64))
    }

    @Test("is CSV that Python can read, whatever the speaker's name")
    func csv() throws {
        let name = #"=HYPERLINK("x"), Zoë; 日本"#
        let probe = try MQTTProbe(broker, "timer/lectern/tick")
        #expect(try run("send", "lectern", "start", #"{"speaker":"=HYPERLINK(\"x\"), Zoë; 日本"}"#).status == .exited(0))
        // A run that is stopped within its first two seconds counts as a mistake.
        try probe.wait(for: "1197", on: "timer/lectern/tick")
        #expect(try run("send", "lectern", "stop").status == .exited(0))
        let outcome = try run("report", "lectern", "--csv", "--since", "2026-11-20T20:00")
        #expect(outcome.status == .exited(0))
        try node.write(
            try Shell.run(
                "\(try SpawnedNode.program) report --broker \(broker.url) lectern --csv"
            ).output, to: "report.csv")
        let read = try Shell.run(
            """
            python3 -c 'import csv, sys
            with open(sys.argv[1], newline="", encoding="utf-8") as file:
                assert file.read().count("\\r\\n") == 62
                file.seek(0)
                rows = list(csv.DictReader(file, strict=True))
            print(len(rows), rows[0]["Speaker"], rows[0]["Used"], rows[0]["Minimum"], rows[-1]["Speaker"],
                  rows[-1]["Timer"], rows[-1]["Over"], rows[-1]["Qualified"], sep="|")' \(Shell.quote(node.path("report.csv")))
            """)
        #expect(read.output == "61|S1|0:00:50|0:00:40|'\(name)|Talk|0:00:00|no\n")
    }

    @Test("can be printed page by page, and amended, with send")
    func send() throws {
        let newest = try run("send", "lectern", "runs")
        #expect(newest.output.count == 27 && newest.output.last == "page 1 of 3")
        #expect(newest.output[1].contains(" S60 "))
        let oldest = try run("send", "lectern", "runs", #"{"page":3}"#)
        #expect(oldest.output.count == 12 && oldest.output[10].contains(" S1 ") && oldest.output.last == "page 3 of 3")
        #expect(try run("send", "lectern", "runs", #"{"page":4}"#).status == .exited(1))
        let run = try #require(try self.run("report", "lectern", "--json").output.last)
        let id = try #require(run.firstMatch(of: /"id":"([^"]*)"/)).1
        #expect(
            try self.run("send", "lectern", "runs", #"{"run":"\#(id)","speaker":"Grace Hopper"}"#)
                == SendTests.Outcome(0, ["stopped, 20:00 left"]))
        #expect(try speakers(self.run("report", "lectern", "--json")).last == "Grace Hopper")
        #expect(try self.run("send", "lectern", "clear_runs").status == .exited(0))
        #expect(try self.run("report", "lectern") == SendTests.Outcome(0, errors: ["lectern has no runs"]))
        #expect(try self.run("send", "lectern", "runs") == SendTests.Outcome(0, ["no runs"]))
    }

    @Test("ends even if a node never stops returning pages", .timeLimit(.minutes(5)))
    func endless() throws {
        #expect(try node.process.terminate() == .exited(0))
        try MQTTProbe.publish(broker, "timer/lectern/availability", "online", retain: true)
        let probe = try MQTTProbe(broker, "timer/lectern/command/runs")
        let report = try ChildProcess(
            "sh", ["-c", "\(try SpawnedNode.program) report --timeout 60s --broker \(broker.url) lectern --json"])
        var answered = 0
        try waitUntil("the end of the report") {
            // Each request receives a response with a different run.
            for question in probe.messages.dropFirst(answered) {
                answered += 1
                let id = try #require(question.payload.firstMatch(of: /"id":"([^"]*)"/)).1
                try MQTTProbe.publish(
                    broker, "timer/lectern/response",
                    #"{"id":"\#(id)","command":"runs","status":"ok","mode":"stopped","remaining":60,"runs":["#
                        + #"{"id":"\#(UUID().uuidString)","timer":"1/1","name":"Talk","group":"","speaker":null,"#
                        + #""started_at":"2026-11-20T12:00:00Z","ended_at":"2026-11-20T12:01:00Z","used":10,"#
                        + #""paused":0,"over":0,"start":60,"minimum":null,"maximum":null,"qualified":null}],"#
                        + #""page":\#(answered),"pages":1000000}"#)
            }
            return report.exitStatus() != nil
        }
        #expect(try report.waitForExit() == .exited(1))
        #expect(report.output.count == answered && answered > 2)
        #expect(report.errors == ["lectern did not report all of its runs: older ones are missing"])
    }

    @Test("reports an unknown node, and output that cannot be written")
    func failures() throws {
        let nobody = try run("report", "lecturn", "--timeout", "5s")
        #expect(nobody.status == .exited(69) && nobody.errors.first?.contains("did you mean lectern?") == true)
        let full = try Shell.run("\(try SpawnedNode.program) report --broker \(broker.url) lectern >/dev/full")
        #expect(full.status == 74, "\(full)")
    }

    @Test("of the time shows the machine's two clocks")
    func time() throws {
        let outcome = try run("send", "lectern", "time")
        let match = try #require(
            outcome.output.first?.firstMatch(
                of: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z), (\d+\.\d{6}) s since boot$/), "\(outcome)")
        let date = try #require(Timestamp.date(String(match.1)))
        #expect(abs(date.timeIntervalSinceNow) < 60)
        #expect(abs(try #require(Double(match.2)) - bootTime().sinceEpoch.inSeconds) < 60)
        #expect(try run("send", "all", "time", "--timeout", "5s").output.first?.hasPrefix("lectern: 20") == true)
    }
}
