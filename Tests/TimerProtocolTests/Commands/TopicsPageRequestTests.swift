import TestSupport
import Testing

@testable import TimerProtocol

/// Compares `docs/topics.md` with the commands: each payload of its table is read, written again, and read as the same
/// command.
@Suite("The topics page: commands that are sent")
struct TopicsPageRequestTests {
    /// A value for each field in the table.
    private static let values: [String: JSON] = [
        "timer": "2/1 Questions", "duration": "1:30", "warning": .number(30), "final": "10s", "name": "Extra",
        "remaining": "2m",
        "seconds": "-1:30", "at": "2026-11-20T12:00:00.5+01:00", "sound": "double", "force": true, "start": 90,
        "event": "Meeting", "location": "", "speaker": "Ada Lovelace", "minimum": 60, "maximum": "7m",
        "text": "Please wrap up", "for": "30s", "attention": true, "keep": true, "commands": true, "page": 2,
        "run": "74696d65-722d-8e6f-8064-650000000101", "meeting": "Toastmasters", "model_revision": 2, "used": "6:32",
        "ago": "0:30", "since": "last_end", "until": "19:30", "trust": true, "group": 1, "entry": 2, "skip": "a7",
    ]

    private let page: Page

    init() throws { page = try Page("docs/topics.md") }

    /// The request that a node reads from a payload; it is first written, read again and compared.
    @discardableResult
    private func request(_ verb: String, _ payload: String) throws -> Request {
        var parser = RequestParser()
        let request = try parser.request(verb: verb, scope: .node, payload: Array(payload.utf8))
        #expect(try RequestRoundTripTests.received(request).request == request, "\(verb) \(payload)")
        #expect(request.command.verb.rawValue == verb)
        return request
    }

    @Test("has plain payloads that are read and then written as the same command")
    func plain() throws {
        var count = 0
        for row in try page.table("## Commands") {
            for verb in row[0].code {
                if row[1].hasPrefix("empty") {
                    for payload in ["", "PRESS", "ON", "true"] { #expect(try request(verb, payload).id == nil) }
                }
                for payload in row[1].code {
                    try request(verb, payload)
                    count += 1
                }
            }
        }
        #expect(count == 9)
    }

    @Test("has fields that are read and then written as the same command")
    func fields() throws {
        for row in try page.table("## Commands") {
            for verb in row[0].code where !row[2].code.isEmpty && !["agenda", "programme"].contains(verb) {
                // `start` accepts either of two sets of fields.
                let sets = row[2].split(separator: "; or ").map { String($0).code }
                for fields in sets {
                    var members: [JSON.Member] = []
                    for field in fields where verb != "entry" || field != "start" {
                        members.append(.init(key: field, value: try #require(Self.values[field])))
                    }
                    let plain = try request(verb, JSON.object(members).text)
                    let named = try request(verb, JSON.object([.init(key: "id", value: "b7")] + members).text)
                    #expect(named == Request(id: "b7", command: plain.command))
                }
            }
        }
    }

    @Test("has selectors, times and a model that are read and then written as the same command")
    func texts() throws {
        let page = try page.section("## Commands")
        for selector in ["2/1", "2", "2/1 Questions"] {
            #expect(page.contains("`\(selector)`"))
            let command = try request("select", selector).command
            #expect(command == .player(.select(selector: selector)))
            #expect(try request("select", #"{"timer":"\#(selector)"}"#).command == command)
        }
        for (time, seconds) in [("90", 90), ("90.0", 90), (#""1:30""#, 90), (#""90s""#, 90), (#""2m""#, 120)] {
            #expect(page.contains("`\(time)`"))
            #expect(try request("set", #"{"remaining":\#(time)}"#).command == .player(.set(seconds: seconds)))
        }
        #expect(page.contains(#"`{"force":true}`"#))
        #expect(try request("lamp_test", #"{"force":true}"#).command == .signal(.lampTest(force: true)))
        let published = try #require(self.page.examples("### Timers").first)
        let model = published.replacing(#""model_revision":3,"#, with: "")
        #expect(String(decoding: try request("timers", model).payload, as: UTF8.self) == model)
        let document = ModelDocument(try JSON(parsing: Array(model.utf8)))
        #expect(try request("timers", published).command == .model(.timers(document, revision: 3)))
    }

    @Test("has the topics of commands")
    func topics() throws {
        let page = try page.section("## Commands")
        for text in ["timer/lectern/command", "timer/all", "timer/@NAME"] { #expect(page.contains("`\(text)`")) }
        #expect(page.contains("`timer/lectern/command/VERB`"))
        #expect(CommandRecipient.node("lectern").topic(prefix: "timer") == "timer/lectern/command")
        #expect(CommandRecipient.all.topic(prefix: "timer").hasPrefix("timer/all/"))
        #expect(CommandRecipient.group("NAME").topic(prefix: "timer").hasPrefix("timer/@NAME/"))
    }
}
