import TestSupport
import Testing
import TimerEngine

@testable import TimerProtocol

/// Compares `docs/topics.md` with the types of payloads: each payload on the page is read and written again.
@Suite("The topics page: payloads")
struct TopicsPageMessageTests {
    /// The headings with JSON payloads, and the kind of topic of each.
    static let headings: [(heading: String, kind: TopicKind)] = [
        ("### State", .state), ("### Events", .event), ("### Runs", .runs),
        ("### Message", .message), ("### Agenda", .agenda), ("### Programme", .programme), ("### Health", .health),
        ("### Timers", .timers),
        ("### Responses", .response), ("### Of a follower", .response),
    ]

    private let page: Page

    init() throws { page = try Page("docs/topics.md") }

    /// All JSON payloads on the page.
    static func payloads() throws -> [(kind: TopicKind, payload: String)] {
        let page = try Page("docs/topics.md")
        return try headings.flatMap { heading, kind in try page.examples(heading).map { (kind, $0) } }
    }

    @Test("has JSON only under known headings")
    func headings() {
        #expect(page.headingsWithExamples == Self.headings.map(\.heading))
    }

    @Test("shows JSON that is read and written unchanged, byte for byte")
    func json() throws {
        let payloads = try Self.payloads()
        #expect(payloads.count == 14)
        for (kind, payload) in payloads {
            let message = try PublishedMessage(kind, Array(payload.utf8))
            #expect(message.kind == kind)
            #expect(String(decoding: message.bytes, as: UTF8.self) == payload)
        }
    }

    @Test("has a row for each kind of topic, whose words are read and written again")
    func words() throws {
        var kinds: [TopicKind] = []
        for row in try page.table("## What the node publishes") where row[0].code[0].hasPrefix("timer/") {
            let topic = try #require(PublishedTopic(row[0].code[0], prefix: "timer"))
            #expect(topic.node == "lectern")
            kinds.append(topic.kind)
            let isJSON = row[2].contains("see below")
            #expect(row[2].code.isEmpty == isJSON, "\(row[2])")
            for word in row[2].code {
                let message = try PublishedMessage(topic.kind, Array(word.utf8))
                #expect(message.kind == topic.kind)
                #expect(String(decoding: message.bytes, as: UTF8.self) == word)
            }
        }
        #expect(kinds.map(\.rawValue).sorted() == TopicKind.allCases.map(\.rawValue).sorted())
    }

    @Test("lists every word that these topics can have")
    func allWords() throws {
        let rows = try page.table("## What the node publishes")
        let words = { (topic: String) in rows.first { $0[0] == "`timer/lectern/\(topic)`" }?[2].code }
        #expect(words("availability") == Availability.allCases.map(\.rawValue))
        #expect(words("mode") == ModeName.allCases.map(\.rawValue))
    }

    @Test("has an example of the state that a client reads as shown")
    func state() throws {
        let payload = try #require(page.examples("### State").first)
        let state = try StateMessage(Array(payload.utf8))
        #expect(state.mode == .warning && state.pausedMode == nil)
        #expect(state.remaining == 42 && state.preciseRemaining == .milliseconds(41_370))
        #expect(state.elapsed == .milliseconds(258_630) && state.progress == 0.862 && state.display == "42")
        #expect(state.start == 300 && state.warning == 60 && state.final == 15)
        #expect(state.startedAt == Timestamp.date("2026-11-20T11:55:41.493Z"))
        #expect(state.endsAt == Timestamp.date("2026-11-20T12:00:41.493Z") && state.overtime == nil)
        #expect(state.timer.path.description == "1/2" && state.timer.name == "Questions")
        #expect(state.timer.event == nil && state.timer.location == nil)
        #expect(state.group.index == 1 && state.group.name == "Talk 1" && state.group.display == .stoplights)
        #expect(state.next?.description == "1/3")
        #expect(state.last?.timer.description == "1/1" && state.last?.used == .milliseconds(1_180_200))
        #expect(state.outputs.names == ["buzzer", "green", "red", "yellow"])
        #expect(state.outputs["yellow"] == .on && state.outputs["red"] == .off && state.outputs["blue"] == nil)
        #expect(state.date == Timestamp.date("2026-11-20T12:00:00.123Z"))
        #expect(state.revision == 17)
    }
}
