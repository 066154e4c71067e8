import Foundation
import Testing
import TimerProtocol

/// Commands through the web: the built program with a real broker and a real node.
@Suite("A command through timer-web")
struct WebCommandTests {
    private let served: ServedNode
    private var broker: MosquittoBroker { served.broker }
    private var web: SpawnedWeb { served.web }

    init() throws { served = try ServedNode() }

    private func expect(
        _ verb: String, as role: String?, _ status: Int, _ code: String?, body: String = "{}",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try web.command(verb, as: role, body)
        #expect(found.status == status && found.code == code, "\(verb) \(body)", sourceLocation: sourceLocation)
    }

    @Test("returns the node's unchanged response")
    func answered() throws {
        let answer = try web.request("POST", "/api/nodes/lectern/commands/start", as: "remote", #"{"id":"mine"}"#)
        #expect(answer.status == 200)
        #expect(
            answer.body
                == #"{"id":"mine","command":"start","status":"ok","mode":"countdown","remaining":1200}"#)
        let again = try web.request("POST", "/api/nodes/lectern/commands/start", as: "remote", #"{"id":"mine"}"#)
        #expect(again.json["duplicate"] == true)
    }

    @Test("is refused with a status that matches the reason, and the node's own message")
    func refused() throws {
        try expect("pause", as: "remote", 409, "not_allowed")
        try expect("set", as: "remote", 422, "invalid_payload", body: #"{"remaining":-1}"#)
        try expect("set", as: "remote", 422, "invalid_payload", body: #"{"remaining":1,"colour":"red"}"#)
        try expect("select", as: "remote", 404, "not_found", body: #"{"timer":"9/9"}"#)
        try expect("timers", as: "operator", 422, "invalid_payload", body: #"{"groups":[]}"#)
        try expect("edit", as: "operator", 409, "conflict", body: #"{"start":60,"model_revision":99}"#)
        try expect("lock", as: "operator", 200, nil, body: #"{"commands":true}"#)
        try expect("start", as: "remote", 423, "locked")
        try expect("unlock", as: "operator", 200, nil)
        let answer = try web.request("POST", "/api/nodes/lectern/commands/pause", as: "operator", "{}")
        #expect(answer.json["response"]?["status"] == "error")
    }

    @Test("is refused by the server if it is not allowed through the web")
    func forbidden() throws {
        try expect("start", as: nil, 401, "unauthorized")
        try expect("start", as: "remote", 403, "forbidden", body: #"{"duration":60}"#)
        for verb in ["time", "clear_runs", "explode"] { try expect(verb, as: "operator", 404, "unknown_command") }
        try expect("lamp_test", as: "operator", 404, "unknown_command", body: #"{"force":true}"#)
        try expect("start", as: "remote", 422, "invalid_payload", body: "[1]")
        let large = "{\"text\":\"\(String(repeating: "x", count: 70_000))\"}"
        try expect("message", as: "remote", 413, "payload_too_large", body: large)
        for id in ["all", "@hall", "nobody", "a%2Fb"] {
            #expect(try web.request("POST", "/api/nodes/\(id)/commands/start", as: "remote", "{}").status == 404)
        }
        let text = try web.request("POST", "/api/nodes/lectern/commands/start", as: "remote", "{}", type: "text/plain")
        #expect(text.status == 415)
    }

    @Test("starts a run that appears in the report, as JSON and as CSV")
    func report() throws {
        try expect("speaker", as: "remote", 200, nil, body: #"{"name":"=Ada"}"#)
        let probe = try MQTTProbe(broker, "timer/lectern/tick")
        try expect("start", as: "remote", 200, nil)
        // A run that is stopped within its first two seconds does not count.
        try probe.wait(for: "1197", on: "timer/lectern/tick")
        try expect("stop", as: "remote", 200, nil)
        try waitUntil("the run") {
            try web.request("GET", "/api/nodes/lectern/runs", as: "remote").json["runs"]?.elements.count == 1
        }
        let report = try web.request("GET", "/api/nodes/lectern/runs", as: "remote").json
        #expect(report["complete"] == true)
        #expect(report["runs"]?.elements.first?["speaker"] == "=Ada")
        let csv = try web.request("GET", "/api/nodes/lectern/runs.csv", as: "remote")
        #expect(csv.fields["content-type"]?.hasPrefix("text/csv") == true)
        #expect(csv.body.components(separatedBy: "\r\n").count == 3)
        #expect(csv.body.contains(#""'=Ada","Talk""#))
        #expect(try web.request("GET", "/api/nodes/lectern/runs", as: nil).status == 401)
        #expect(try web.request("GET", "/api/nodes/lectern/runs?from=2200-01-01", as: "remote").json["runs"] == [])
        #expect(try web.request("GET", "/api/nodes/lectern/runs?from=soon", as: "remote").status == 422)
    }

    @Test("to a display makes the display identify itself or black out")
    func displays() throws {
        let display = try web.stream("?node=lectern&display=view%3Dcircular")
        let page = try web.stream("?view=displays", as: "operator")
        let list = try page.waitForEvent("displays", "with the display") {
            $0["displays"]?.elements.count == 1
        }
        let entry = try #require(list["displays"]?.elements.first)
        #expect(entry["node"] == "lectern" && entry["view"] == "view=circular" && entry["address"] == "127.0.0.1")
        let id = try #require(entry["id"]?.string)
        #expect(try web.request("POST", "/api/displays/\(id)/identify", as: "operator", "{}").status == 200)
        try display.waitForEvent("display") { $0["identify"] == true }
        #expect(try web.request("POST", "/api/displays/all/blackout", as: "operator", #"{"on":true}"#).status == 200)
        try display.waitForEvent("display") { $0["blackout"] == true }
        try page.waitForEvent("displays") { $0["displays"]?.elements.first?["blackout"] == true }
        #expect(try web.request("GET", "/api/displays", as: "remote").status == 403)
        // A page with the role remote does not receive the list either, even on request.
        let other = try web.stream("?view=displays", as: "remote")
        try other.waitForEvent("snapshot")
        #expect(try web.request("POST", "/api/displays/all/blackout", as: "operator", #"{"on":false}"#).status == 200)
        try page.waitForEvent("displays") { $0["displays"]?.elements.first?["blackout"] == false }
        try other.waitForEvent("ping")
        #expect(!other.events.contains { $0.name == "displays" })
        #expect(try web.request("POST", "/api/displays/d9999/identify", as: "operator", "{}").status == 404)
    }
}

extension JSON {
    /// The elements of an array.
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
