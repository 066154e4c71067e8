import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

/// Compares `docs/topics.md` with the commands that the node accepts.
@Suite("The topics page, on commands")
struct TopicsPageCommandTests {
    /// A row of the table of verbs, for one of its verbs.
    private struct Row {
        let verb: String
        let plain: String
        let fields: [String]
    }

    private let page: Page
    private let rows: [Row]

    init() throws {
        page = try Page.topics()
        rows = try page.table("## Commands").flatMap { cells in
            cells[0].code.map { Row(verb: $0, plain: cells[1], fields: cells[2].code) }
        }
    }

    /// A node whose timer runs for an hour.
    private func node() throws -> Scenario {
        var node = try Scenario(3600, 0, 0)
        node.send("start")
        return node
    }

    @Test("lists each verb once, and no other verbs")
    func verbs() {
        #expect(rows.map(\.verb).sorted() == Verb.allCases.map(\.rawValue).sorted())
    }

    @Test("lists the plain payloads that each verb accepts")
    func plain() throws {
        for row in rows {
            var node = try node()
            let code = { (payload: String) in node.send(row.verb, payload)?["code"] }
            #expect((code("") != "invalid_payload") == row.plain.hasPrefix("empty"), "\(row.verb)")
            if row.plain.hasPrefix("empty") {
                for payload in ["PRESS", "ON", "true"] {
                    let code = code(payload)
                    #expect(code == nil || code == "not_allowed", "\(row.verb) \(payload)")
                }
            }
            if row.verb == "entry" {
                node.send("programme", #"{"entries":[{"title":"A","start":9},{"title":"B","start":9}]}"#)
                node.send("entry", "1")
            }
            for payload in row.plain.code { #expect(code(payload) == nil, "\(row.verb) \(payload)") }
            // A verb that accepts a word reports that no such item exists; one that accepts a time reports that this is
            // not a time.
            let takesWord = ["selector", "name", "position"].contains { row.plain.contains($0) }
            let isWordWrong =
                takesWord ? "not_found" : row.verb == "begin" ? "not_allowed" : "invalid_payload"
            let takesAny = ["speaker", "message"].contains(row.verb)
            #expect(code("no such thing") == (takesAny ? nil : .string(isWordWrong)), "\(row.verb)")
        }
    }

    @Test("lists exactly the fields that each verb accepts in JSON")
    func fields() throws {
        // If the required fields are present, the refusal of an unknown field lists all known fields.
        let needed = [
            "select": [#""timer":"1/1""#], "set": [#""remaining":1"#],
            "sync": [#""remaining":1"#, #""at":"2026-11-20T12:00:00Z""#], "add": [#""seconds":1"#],
            "edit": [#""start":1"#], "start": [#""duration":1"#], "message": [#""text":"a""#],
            "runs": [#""run":"74696d65-722d-8e6f-8064-650000000101""#, #""speaker":"a""#], "begin": [#""meeting":1"#],
            "began": [#""ago":1"#], "entry": [#""entry":1"#],
        ]
        for row in rows where !["timers", "agenda", "programme"].contains(row.verb) {
            var node = try node()
            let payload = "{" + ((needed[row.verb] ?? []) + [#""colour":1"#]).joined(separator: ",") + "}"
            guard case .string(let message)? = node.send(row.verb, payload)?["message"] else {
                Issue.record("\(row.verb) takes \(payload)")
                continue
            }
            let known = message.split(separator: "known fields: ").last?.split(separator: ", ") ?? []
            #expect(known.map(String.init).sorted() == (["id", "command"] + row.fields).sorted(), "\(row.verb)")
        }
    }

    @Test("lists exactly the existing codes, and each one occurs")
    func codes() throws {
        let told = try page.table("### Responses").map { $0[0].code[0] }
        #expect(told.sorted() == Refusal.Code.allCases.map(\.rawValue).sorted())

        var node = try Scenario { $0.timers.isReadOnly = true }
        var given: [JSON?] = [
            node.send("dance"), node.send("set", "soon"), node.send("select", "9/9"), node.send("resume"),
            node.send("edit", #"{"start":10}"#), node.send("start", String(repeating: " ", count: 5000)),
            node.send(topic: "timer/lectern/command/start", [], retained: true),
            node.send("agenda", #"{"revision":9,"meetings":[]}"#), node.send("lock", #"{"commands":true}"#),
            node.send("start"), node.send("unlock"),
        ].map { $0?["code"] }
        for _ in 0..<100 { given.append(node.send("beep", "double")?["code"]) }
        let distinct = given.compactMap(\.self).reduce(into: [JSON]()) { if !$0.contains($1) { $0.append($1) } }
        #expect(
            distinct == [
                "unknown_command", "invalid_payload", "not_found", "not_allowed", "read_only", "payload_too_large",
                "retained", "conflict", "locked", "rate_limited",
            ])
    }
}
