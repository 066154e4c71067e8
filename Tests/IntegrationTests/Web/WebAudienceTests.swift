import Foundation
import Testing
import TimerEngine
import TimerProtocol

/// The data that each role receives about each of three nodes, by every route. The configuration hides one node.
@Suite("The data that a timer-web client receives")
struct WebAudienceTests {
    /// A client, and the data that it should receive.
    private struct Client {
        let name: String
        /// The name of the client's token, or its cookie; nil for neither.
        var token: String?
        var cookie: String?
        let nodes: [String]
        /// Whether the client receives notes, reports and the nodes' health.
        let isTrusted: Bool

        var fields: [String: String] { cookie.map { ["Cookie": $0] } ?? [:] }
    }

    private static let note = "The key is under the mat"
    private static let change = "The key is at the bar"

    /// The agenda that every node publishes.
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

    /// Publishes the messages of a real node for the other two nodes.
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

    private func check(_ node: JSON?, _ note: String, _ client: Client, _ way: String) {
        #expect(node?["agenda"] != nil, "\(client.name), \(way)")
        for (what, isTold) in [
            ("the note", node?["agenda"]?.text.contains(note) == true), ("the runs", node?["runs"] != nil),
            ("the health", node?["health"] != nil),
        ] { #expect(isTold == client.isTrusted, "\(client.name), \(way): \(what)") }
    }

    private func check(_ clients: [Client], _ served: ServedNode) throws {
        let (web, broker) = (served.web, served.broker)
        let streams = try (0..<4).flatMap { _ in
            try clients.map { ($0, try web.stream(as: $0.token, fields: $0.fields)) }
        }
        for client in clients {
            let all = try web.request("GET", "/api/nodes", as: client.token, fields: client.fields).json["nodes"]
            #expect(all?.keys == client.nodes, "\(client.name)")
            for node in ["hidden", "lectern", "stage"] {
                let path = "/api/nodes/\(node)"
                let answer = try web.request("GET", path, as: client.token, fields: client.fields)
                let isThere = client.nodes.contains(node)
                #expect(answer.status == (isThere ? 200 : 404), "\(client.name), \(node)")
                let runs = try web.request("GET", "\(path)/runs", as: client.token, fields: client.fields)
                if client.isTrusted, !isThere { #expect(runs.status == 404, "\(client.name), \(node)") }
                if !client.isTrusted { #expect([401, 403].contains(runs.status), "\(client.name), \(node)") }
                guard isThere, node == "stage" else { continue }
                check(answer.json, Self.note, client, "the request for one node")
                check(all?[node], Self.note, client, "the request for all nodes")
            }
        }
        for (client, stream) in streams {
            let snapshot = try stream.waitForEvent("snapshot")["nodes"]
            #expect(snapshot?.keys == client.nodes, "\(client.name)")
            if client.nodes.contains("stage") { check(snapshot?["stage"], Self.note, client, "a stream") }
        }
        for node in ["hidden", "stage"] {
            try MQTTProbe.publish(broker, "timer/\(node)/agenda", Self.agenda(Self.change), retain: true)
            try MQTTProbe.publish(broker, "timer/\(node)/event", Self.fault)
            try MQTTProbe.publish(broker, "timer/\(node)/event", Self.runEnded)
        }
        // Every client receives this event, after all the others.
        let text = #"{"text":"The end","at":"2026-11-20T12:00:00Z","until":null,"attention":false}"#
        for node in ["hidden", "lectern", "stage"] {
            try MQTTProbe.publish(broker, "timer/\(node)/message", text, retain: true)
        }
        for (client, stream) in streams {
            let last = try #require(client.nodes.last)
            try stream.waitForEvent("node", "at the end, for \(client.name)") {
                $0["id"]?.string == last && $0["message"]?["text"] == "The end"
            }
            #expect(!stream.events.contains { $0.data.text.contains("hidden") }, "\(client.name)")
            let kinds = stream.events.filter { $0.name == "event" && $0.data["id"] == "stage" }
                .map { ($0.data["event"]?["event_type"]?.string, $0.data["event"]?["run"]?["speaker"]?.string) }
            guard client.nodes.contains("stage") else {
                #expect(kinds.isEmpty, "\(client.name)")
                continue
            }
            #expect(
                kinds.map(\.0) == (client.isTrusted ? ["gpio_fault", "run_ended"] : ["run_ended"]),
                "\(client.name)")
            #expect(kinds.last?.1 == (client.isTrusted ? "Ada" : nil), "\(client.name)")
            #expect(
                stream.events.contains { $0.name == "node" && $0.data.text.contains(Self.change) }
                    == client.isTrusted, "\(client.name)")
        }
    }

    @Test("depends on the role and on the nodes of the token, by every route")
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
                Client(name: "an operator", token: "operator", nodes: both, isTrusted: true),
                Client(name: "an anonymous client", nodes: both, isTrusted: false),
                Client(name: "a remote", token: "remote", nodes: both, isTrusted: true),
                Client(name: "a viewer", token: "viewer", nodes: both, isTrusted: false),
                Client(name: "an operator of one node", token: "one", nodes: ["stage"], isTrusted: true),
            ], served)
    }

    @Test("is limited to a viewer's view on a display opened with an operator's token")
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
        let kiosk = Client(
            name: "a kiosk", cookie: String(cookie.prefix { $0 != ";" }), nodes: ["stage"], isTrusted: false)
        try check([kiosk], served)
        #expect(try web.request("GET", "/n/hidden?token=\(token)").status == 401)
    }
}

extension JSON {
    /// The keys of an object.
    fileprivate var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }
}
