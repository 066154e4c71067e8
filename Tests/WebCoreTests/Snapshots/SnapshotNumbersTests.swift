import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerClient
import TimerEngine
import TimerProtocol

@testable import WebCore

/// A node that publishes numbers that no clock and no timer can have. `FUZZ_MESSAGES=1000000` sends a million of them.
@Suite("A snapshot of a node with impossible numbers")
struct SnapshotNumbersTests {
    @Test("never crashes the server, and is valid JSON")
    func snapshot() throws {
        var random = SeededGenerator()
        let fuzz = try NumberFuzz()
        var story = NodeStory()
        for count in 0..<NumberFuzz.count(6000) {
            if count.isMultiple(of: 500) { story = NodeStory() }
            let message = fuzz.message(using: &random)
            let change = story.snapshot.change
            story.say(message.kind, message.payload, retained: message.retained)
            story.now = story.now + .milliseconds(Int.random(in: 0..<2000, using: &random))
            let events = try story.events(since: change, for: .operator)
            #expect(events.isEmpty != story.wasNews, "\(String(decoding: message.payload, as: UTF8.self))")
            if let runs = story.client.nodes["lectern"]?.runs {
                let from = Date(timeIntervalSince1970: .random(in: 0...2e9, using: &random))
                _ = try JSON(parsing: RunsSelection(of: runs.runs, isComplete: true, from: from, to: nil).json())
            }
        }
    }
}
