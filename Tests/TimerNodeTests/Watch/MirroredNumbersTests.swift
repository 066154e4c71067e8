import FoundationEssentials
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import TimerClient
@testable import TimerProtocol
@testable import timer_node

/// A node publishes numbers that are impossible for clocks and timers. `FUZZ_MESSAGES=1000000` sends a million of them.
@Suite("A client of a node with impossible numbers")
struct MirroredNumbersTests {
    private struct Story {
        var client = NodeClient(boot: "the client's", askingTimeAs: "guest", seed: 1)
        var now = NodeClient.Moment(
            instant: Instant(sinceEpoch: .seconds(5000)), date: Date(timeIntervalSince1970: 1_700_000_000))
        var unreadable = 0

        init() { _ = client.handle(.connected, at: now) }

        /// Delivers a message, and responds to each request for the time with `clock`.
        mutating func receive(_ topic: String, _ payload: [UInt8], retained: Bool = false, _ clock: () -> String) {
            var effects = client.handle(.message(topic: topic, payload: payload, retained: retained), at: now)
            effects += client.handle(.timePassed, at: now)
            for effect in effects {
                if case .unreadable = effect { unreadable += 1 }
                guard case .ask(_, let question) = effect, case .string(let id)? = (try? JSON(parsing: question))?["id"]
                else { continue }
                let answer = """
                    {"id":"\(id)","command":"time","status":"ok","mode":"stopped","remaining":6,\
                    "time":"2023-11-14T22:13:20.000000Z","clock":{"boot":"a boot","now":\(clock())}}
                    """
                let topic = "timer/lectern/response"
                _ = client.handle(.message(topic: topic, payload: Array(answer.utf8), retained: false), at: now)
            }
        }

        /// Computes everything that `watch`, `nodes` and `report` show about a node.
        func look() -> Int {
            guard let node = client.nodes["lectern"] else { return 0 }
            let style = TerminalStyle()
            let screens =
                NodeScreen(node: node, now: now, style: style).rows(columns: 80, rows: 24)
                + NodeListScreen(nodes: [node], selected: 0, now: now, style: style).rows(columns: 120, rows: 24)
            let readings: [Any?] = [
                node.remaining(at: now.instant), node.overtime(at: now.instant), node.progress(at: now.instant),
                node.nextSecond(after: now.instant), node.expectedEnd(at: now), node.expectedEndOfMeeting(at: now),
                node.counting, node.patterns, node.nextFlash(after: now.instant), node.delay(at: now),
            ]
            let report = node.runs.map { RunsText.csv($0.runs) { "\($0)" } + "\(ReportText.table($0.runs))" } ?? ""
            return screens.map(\.text.count).reduce(0, +) + readings.count + report.utf8.count
        }
    }

    @Test("never crashes, whatever it receives")
    func client() throws {
        var random = SeededGenerator()
        let fuzz = try NumberFuzz()
        var story = Story()
        for count in 0..<NumberFuzz.count(6000) {
            if count.isMultiple(of: 500) { story = Story() }
            let message = fuzz.message(using: &random)
            story.receive(
                message.kind.name(prefix: "timer", node: "lectern"), message.payload, retained: message.retained
            ) { Bool.random(using: &random) ? "1000000000" : NumberFuzz.number(insteadOf: "0", using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                story.now.instant = story.now.instant + .milliseconds(Int.random(in: 0..<2000, using: &random))
            }
            #expect(story.look() >= 0)
        }
    }

    @Test("accepts the messages that a real node publishes")
    func real() throws {
        var story = Story()
        for message in try NumberFuzz().messages {
            story.receive(message.kind.name(prefix: "timer", node: "lectern"), message.payload) { "1000000000" }
            #expect(story.look() > 0 || message.kind == .response || message.kind == .event)
        }
        #expect(story.unreadable == 0)
    }
}
