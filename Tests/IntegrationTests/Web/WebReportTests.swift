import Foundation
import Testing
import TimerProtocol

/// The report through timer-web, for a node with more runs than it publishes at once.
@Suite("The report of timer-web")
struct WebReportTests {
    private let served: ServedNode
    private var web: SpawnedWeb { served.web }

    private static func configuration(_ mqtt: String = "") -> String {
        """
        node: {id: lectern}
        mqtt: {brokers: [BROKER]\(mqtt)}
        timers: {groups: [{name: Hall, timers: [{name: Talk, start: 20:00, minimum: 10:00}]}]}
        storage: {directory: FOLDER}
        """
    }

    init() throws {
        served = try ServedNode(node: Self.configuration(), files: ["runs.json": try PastRuns.file(60)])
    }

    private func speakers(_ web: SpawnedWeb, _ query: String = "") throws -> [String?] {
        let answer = try web.request("GET", "/api/nodes/lectern/runs\(query)", as: "remote")
        #expect(answer.status == 200)
        #expect(answer.json["complete"] == true)
        return answer.json["runs"]?.elements.map { $0["speaker"]?.string } ?? []
    }

    @Test("contains all its pages, the newest run first, or the oldest first in a spreadsheet")
    func pages() throws {
        #expect(try speakers(web) == (1...60).reversed().map { "S\($0)" })
        let lines = try web.request("GET", "/api/nodes/lectern/runs.csv", as: "remote").body
            .components(separatedBy: "\r\n")
        #expect(lines.count == 62)
        #expect(lines[1].contains("\"S1\"") && lines[60].contains("\"S60\""))
        // The machine's zone determines when a day begins; these days are far enough from the runs in every zone.
        #expect(try speakers(web, "?from=2026-11-19&to=2026-11-22").count == 60)
        #expect(try speakers(web, "?to=2026-11-18") == [])
        #expect(try speakers(web, "?from=2026-11-23") == [])
    }

    @Test("is requested once, and again when a run has ended or been amended")
    func cached() throws {
        let probe = try MQTTProbe(served.broker, "timer/lectern/command/runs", "timer/lectern/tick")
        func asked() -> Int { probe.messages.count { $0.topic.hasSuffix("runs") && !$0.payload.contains("speaker") } }
        #expect(try speakers(web).count == 60)
        try waitUntil("three requests") { asked() >= 3 }
        #expect(try speakers(web).count == 60)

        let runs = try web.request("GET", "/api/nodes/lectern/runs", as: "remote").json["runs"]?.elements
        let id = try #require(runs?.last?["id"]?.string)
        let body = #"{"run":"\#(id)","speaker":"Grace"}"#
        #expect(try web.command("runs", as: "remote", body).status == 403)
        #expect(try web.command("runs", body).status == 200)
        #expect(try speakers(web).last == "Grace")
        // As many requests as before, and none while the report was cached.
        try waitUntil("three more requests") { asked() >= 6 }
        #expect(asked() == 6)

        #expect(try web.command("start", #"{"speaker":"Hedy"}"#).status == 200)
        // A run that is stopped within its first two seconds does not count.
        try probe.wait(for: "1197", on: "timer/lectern/tick")
        #expect(try web.command("stop").status == 200)
        // A cached report is valid for half a minute, unless a run has ended.
        try waitUntil("the new run in the report", timeout: .seconds(15)) { try speakers(web).first == "Hedy" }
        #expect(try speakers(web).count == 61)
    }

    @Test("is requested again if a run has ended during the request")
    func changedMeanwhile() throws {
        let probe = try MQTTProbe(served.broker, "timer/lectern/command/runs")
        served.node.process.signal(SIGSTOP)
        defer { served.node.process.signal(SIGCONT) }
        let first = try web.open("GET", "/api/nodes/lectern/runs", as: "remote")
        try probe.wait(for: "the first request") { $0.count == 1 }
        try MQTTProbe.publish(served.broker, "timer/lectern/runs", #"{"runs":[],"total":1}"#, retain: true)
        try waitUntil("the other runs") {
            try web.request("GET", "/api/nodes/lectern", as: "remote").json["runs"]?["total"] == 1
        }
        let second = try web.open("GET", "/api/nodes/lectern/runs", as: "remote")
        try probe.wait(for: "another request") { $0.count == 2 }
        served.node.process.signal(SIGCONT)
        for connection in [first, second] { try connection.waitUntil("a response") { $0.answer?.status == 200 } }
    }

    @Test("is complete even if the node accepts fewer commands per second than there are pages")
    func limited() throws {
        let slow = try ServedNode(
            node: Self.configuration(", command_rate: 1"), files: ["runs.json": try PastRuns.file(60)])
        #expect(try speakers(slow.web) == (1...60).reversed().map { "S\($0)" })
    }
}
