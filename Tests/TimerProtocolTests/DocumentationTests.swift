import FoundationEssentials
import TestSupport
import Testing
// Imported without `@testable`, as in another package: only the public declarations are visible.
import TimerProtocol

// The examples of the documentation, verbatim.
/// Returns a log line for a message; nil if the topic is not a node's.
func line(topic name: String, payload: [UInt8]) throws(PayloadError) -> String? {
    guard let topic = PublishedTopic(name, prefix: "timer") else { return nil }
    switch try PublishedMessage(topic.kind, payload) {
    case .mode(let mode): return "\(topic.node) is in \(mode.rawValue)"
    case .state(let state): return "\(topic.node) shows \(state.display) of \(state.timer.name)"
    case .response(let response): return response.refusal?.message
    case .availability, .tick, .timers, .event, .health, .runs, .message, .agenda, .programme: return nil
    }
}

/// Returns the topic and the payload of a command that adds a minute to a node's timer.
func minuteMore(for node: String) -> (topic: String, payload: [UInt8]) {
    let request = Request(id: "b7", command: .player(.add(seconds: 60)))
    return (request.topic(prefix: "timer", for: .node(node)), request.payload)
}

@Suite("The documentation of the protocol's library")
struct DocumentationTests {
    @Test("has an example that is compiled here")
    func example() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let page = try String(
            contentsOfFile: repositoryFile("Sources/TimerProtocol/TimerProtocol.docc/TimerProtocol.md"), encoding: .utf8
        )
        let examples = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(examples.count == 1)
        for example in examples { #expect(source.contains(example)) }
    }

    @Test("has examples that work as described")
    func run() throws {
        #expect(try line(topic: "timer/lectern/mode", payload: Array("final".utf8)) == "lectern is in final")
        #expect(try line(topic: "other/lectern/mode", payload: []) == nil)
        #expect(throws: PayloadError.self) { try line(topic: "timer/lectern/tick", payload: Array("x".utf8)) }
        let more = minuteMore(for: "lectern")
        #expect(more.topic == "timer/lectern/command/add")
        #expect(String(decoding: more.payload, as: UTF8.self) == #"{"id":"b7","seconds":60}"#)
    }
}
