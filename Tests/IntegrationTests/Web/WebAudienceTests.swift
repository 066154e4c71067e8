import Foundation
import Testing
import TimerEngine
import TimerProtocol

/// What each role is told of each node, by each way: three nodes, of which the configuration hides one.
@Suite("What timer-web tells somebody")
struct WebAudienceTests {
    /// Somebody, and what they are to be told.
    private struct Somebody {
        let name: String
        /// The name of their token, or their cookie; nil for neither.
        var token: String?
        var cookie: String?
        let nodes: [String]
        /// Whether they are told notes, reports and the nodes' condition.
        let isTrusted: Bool

        var fields: [String: String] { cookie.map { ["Cookie": $0] } ?? [:] }
    }

    private static let note = "The key is under the mat"
    private static let change = "The key is at the bar"

    /// All nodes have the same to tell.
    private static func agenda(_ note: String) -> String {
        let meeting = Agenda.Meeting(
            name: "Club", days: [Agenda.Meeting.Day("tue")].compactMap(\.self), at: TimeOfDay(secondOfDay: 68_400),
            duration: 7200, note: note)
        return String(decoding: AgendaMessage(revision: 3, agenda: Agenda(meetings: [meeting])).bytes, as: UTF8.self)
    }

    private static func event(_ type: String, _ rest: String) -> String {
        #"{"event_type":"\#(type)",\#(rest),"remaining":0,"timer":"1/1","at":"2026-11-20T12:01:00Z"}"#
    }

    private static let fault = event("gpio_fault", #""message":"gone""#)
    private static let runEnded = event(
        "run_ended",
        #""used":10,"over":0,"run":{"id":"0b8f8c0e-5d0b-4b6e-9a46-6f1f3c1d2e3f","timer":"1/1","name":"Talk","#
            + #""group":"","speaker":"Ada","started_at":"2026-11-20T12:00:00Z","ended_at":"2026-11-20T12:01:00Z","#
            + #""used":10,"paused":0,"over":0,"start":60,"minimum":null,"maximum":null,"qualified":null}"#)

    /// Has the other two nodes tell what a real node tells.
    private func playNodes(_ broker: MosquittoBroker) throws {
        let probe = try MQTTProbe(broker, "timer/lectern/health")
        let health = try #require(try probe.wait(for: "the health") { !$0.isEmpty }.last?.payload)
        for node in ["stage", "hidden"] {
            try MQTTProbe.publish(broker, "timer/\(node)/availability", "online", retain: true)
            try MQTTProbe.publish(broker, "timer/\(node)/health", health, retain: true)
            try MQTTProbe.publish(broker, "timer/\(node)/runs", #"{"runs":[],"total":0}"#, retain: true)
            try MQTTProbe.publish(broker, "timer/\(node)/agenda", Self.agenda(Self.note), retain: true)
        }
    }

    private func check(_ node: JSON?, _ note: String, _ somebody: Somebody, _ way: String) {
        #expect(node?["agenda"] != nil, "\(somebody.name), \(way)")
        for (what, isTold) in [
            ("the note", node?["agenda"]?.text.contains(note) == true), ("the runs", node?["runs"] != nil),
            ("the health", node?["health"] != nil),
        ] { #expect(isTold == somebody.isTrusted, "\(somebody.name), \(way): \(what)") }
    }

    private func check(_ people: [Somebody], _ served: ServedNode) throws {
        let (web, broker) = (served.web, served.broker)
        let streams = try (0..<4).flatMap { _ in
            try people.map { ($0, try web.stream(as: $0.token, fields: $0.fields)) }
        }
        for somebody in people {
            let all = try web.request("GET", "/api/nodes", as: somebody.token, fields: somebody.fields).json["nodes"]
            #expect(all?.keys == somebody.nodes, "\(somebody.name)")
            for node in ["hidden", "lectern", "stage"] {
                let path = "/api/nodes/\(node)"
                let answer = try web.request("GET", path, as: somebody.token, fields: somebody.fields)
                let isThere = somebody.nodes.contains(node)
                #expect(answer.status == (isThere ? 200 : 404), "\(somebody.name), \(node)")
                let runs = try web.request("GET", "\(path)/runs", as: somebody.token, fields: somebody.fields)
                if somebody.isTrusted, !isThere { #expect(runs.status == 404, "\(somebody.name), \(node)") }
                if !somebody.isTrusted { #expect([401, 403].contains(runs.status), "\(somebody.name), \(node)") }
                guard isThere, node == "stage" else { continue }
                check(answer.json, Self.note, somebody, "asking for the node")
                check(all?[node], Self.note, somebody, "asking for all")
            }
        }
        for (somebody, stream) in streams {
            let snapshot = try stream.waitForEvent("snapshot")["nodes"]
            #expect(snapshot?.keys == somebody.nodes, "\(somebody.name)")
            if somebody.nodes.contains("stage") { check(snapshot?["stage"], Self.note, somebody, "a stream") }
        }
        for node in ["hidden", "stage"] {
            try MQTTProbe.publish(broker, "timer/\(node)/agenda", Self.agenda(Self.change), retain: true)
            try MQTTProbe.publish(broker, "timer/\(node)/event", Self.fault)
            try MQTTProbe.publish(broker, "timer/\(node)/event", Self.runEnded)
        }
        // Everybody hears of this, after all the others.
        let text = #"{"text":"The end","at":"2026-11-20T12:00:00Z","until":null,"attention":false}"#
        for node in ["hidden", "lectern", "stage"] {
            try MQTTProbe.publish(broker, "timer/\(node)/message", text, retain: true)
        }
        for (somebody, stream) in streams {
            let last = try #require(somebody.nodes.last)
            try stream.waitForEvent("node", "at the end, for \(somebody.name)") {
                $0["id"]?.string == last && $0["message"]?["text"] == "The end"
            }
            #expect(!stream.events.contains { $0.data.text.contains("hidden") }, "\(somebody.name)")
            let kinds = stream.events.filter { $0.name == "event" && $0.data["id"] == "stage" }
                .map { ($0.data["event"]?["event_type"]?.string, $0.data["event"]?["run"]?["speaker"]?.string) }
            guard somebody.nodes.contains("stage") else {
                #expect(kinds.isEmpty, "\(somebody.name)")
                continue
            }
            #expect(
                kinds.map(\.0) == (somebody.isTrusted ? ["gpio_fault", "run_ended"] : ["run_ended"]),
                "\(somebody.name)")
            #expect(kinds.last?.1 == (somebody.isTrusted ? "Ada" : nil), "\(somebody.name)")
            #expect(
                stream.events.contains { $0.name == "node" && $0.data.text.contains(Self.change) }
                    == somebody.isTrusted, "\(somebody.name)")
        }
    }

    @Test("depends on the role and on the nodes of the token, by every way")
    func open() throws {
        let served = try ServedNode(web: ", nodes: [lectern, stage]")
        try playNodes(served.broker)
        let web = served.web
        try web.addToken("viewer", role: "viewer")
        try web.addToken("one", role: "operator", nodes: ["hidden", "stage"])
        try waitUntil("the nodes in timer-web") {
            let nodes = try web.request("GET", "/api/nodes", as: "operator").json["nodes"]
            return nodes?["stage"]?["agenda"] != nil && nodes?["lectern"]?["health"] != nil
        }
        let both = ["lectern", "stage"]
        try check(
            [
                Somebody(name: "an operator", token: "operator", nodes: both, isTrusted: true),
                Somebody(name: "nobody in particular", nodes: both, isTrusted: false),
                Somebody(name: "a remote", token: "remote", nodes: both, isTrusted: true),
                Somebody(name: "a viewer", token: "viewer", nodes: both, isTrusted: false),
                Somebody(name: "an operator of one node", token: "one", nodes: ["stage"], isTrusted: true),
            ], served)
    }

    @Test("is a viewer's for the display that an operator's token has opened")
    func kiosk() throws {
        let served = try ServedNode(web: ", view: pin, nodes: [lectern, stage]")
        try playNodes(served.broker)
        let web = served.web
        let token = try web.addToken("kiosk", role: "operator")
        try waitUntil("the node in timer-web") {
            try web.request("GET", "/api/nodes/stage", as: "operator").json["agenda"] != nil
        }
        #expect(try web.request("GET", "/api/nodes").status == 401)
        let cookie = try #require(try web.request("GET", "/n/stage?token=\(token)").fields["set-cookie"])
        let kiosk = Somebody(
            name: "a kiosk", cookie: String(cookie.prefix { $0 != ";" }), nodes: ["stage"], isTrusted: false)
        try check([kiosk], served)
        #expect(try web.request("GET", "/n/hidden?token=\(token)").status == 401)
    }
}

extension JSON {
    /// The keys of an object.
    fileprivate var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }
}
