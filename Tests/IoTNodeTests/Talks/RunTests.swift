import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A run that ended")
struct RunTests {
    /// A Toastmasters speech of 5 to 7 minutes, with 30 s of grace.
    static func speeches(_ configuration: inout NodeConfiguration) {
        configuration.storage = .init(directory: "/nowhere")
        configuration.signals = SignalTable(.toastmasters)
        configuration.signals.grace = .seconds(30)
        let speech = TimerItem(
            name: "Speech", thresholds: .zero.setting(start: 420).setting(warning: 120).setting(final: 60),
            qualifying: .none.setting(maximum: 420).setting(minimum: 300))
        let group = TimerGroup(name: "Prepared speeches", atZero: .alarm, timers: [speech])
        configuration.timers = (try? .init(groups: [group])) ?? configuration.timers
    }

    /// The runs on the topic, newest first.
    static func runs(_ node: Scenario) throws -> [RunRecord] {
        try RunsMessage(Array(try #require(node.last("runs")).utf8)).runs
    }

    @Test("is published in the event and on the topic, with all of its fields")
    func record() throws {
        var node = try Scenario(configure: Self.speeches)
        #expect(try Self.runs(node) == [])
        node.send("start", #"{"speaker":"Ada Lovelace"}"#)
        node.wait(.seconds(100))
        node.send("pause")
        node.wait(.seconds(12))
        node.send("resume")
        node.wait(.milliseconds(330_250))
        node.send("stop")
        let run = try #require(try Self.runs(node).first)
        #expect(run.timer == TimerPath(group: 0, item: 0))
        #expect(run.name == "Speech")
        #expect(run.group == "Prepared speeches")
        #expect(run.speaker == "Ada Lovelace")
        #expect(run.startedAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(run.endedAt == Date(timeIntervalSince1970: 1_700_000_442.25))
        #expect(run.used == .milliseconds(430_250))
        #expect(run.paused == .seconds(12))
        #expect(run.over == .milliseconds(10_250))
        #expect(run.start == 420)
        #expect(run.qualifying.minimum == 300)
        #expect(run.qualifying.maximum == 420)
        #expect(run.qualified == true)
        let events = node.publications.filter { $0.topic == "timer/lectern/event" }
        let ended = try #require(events.last { $0.text.contains("run_ended") })
        #expect(try EventMessage(ended.payload).kind == .runEnded(used: run.used, over: run.over, run: run))
        #expect(node.state?["last"]?["used"] == .number(430.25))
    }

    /// A card of 20 to 40 s, whose lamps are dark, green, yellow and red at 0, 20, 30 and 40 s.
    private static func card(_ configuration: inout NodeConfiguration) {
        speeches(&configuration)
        configuration.signals.grace = nil
        let speech = TimerItem(
            name: "Answer", thresholds: .zero.setting(start: 40).setting(warning: 20).setting(final: 10),
            qualifying: .none.setting(maximum: 40).setting(minimum: 20))
        let group = TimerGroup(name: "Table topics", atZero: .alarm, timers: [speech])
        configuration.timers = (try? .init(groups: [group])) ?? configuration.timers
    }

    /// The run in the state.
    private static func currentRun(_ node: Scenario) throws -> StateMessage.CurrentRun {
        let state = try StateMessage(Array((node.last("state") ?? "").utf8))
        return try #require(state.run)
    }

    @Test("is judged by the lamps, however much time is added or removed", arguments: SeededGenerator.seeds(40))
    func givenTime(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var node = try Scenario(configure: Self.card)
        node.send("start")
        for step in 0..<20 {
            node.wait(.seconds(Int.random(in: 1...6, using: &random)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: node.send("add", "+\(Int.random(in: 1...30, using: &random))")
            case 1: node.send("add", "-\(Int.random(in: 1...15, using: &random))")
            case 2: node.send("set", "\(Int.random(in: 0...40, using: &random))")
            default:
                let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
                node = try Scenario(saved: node.saved.last, after: passed, configure: Self.card)
            }
            if node.core.timer.player.mode.isPaused { node.send("resume") }
            node.send("state")
            let run = try Self.currentRun(node)
            let used = run.used.wholeSeconds
            let mode = node.core.timer.player.mode
            #expect((mode == .countdown) == (used < run.qualifying.minimum ?? 0), "\(step): \(mode), \(run)")
            #expect((mode == .alarm) == (used >= run.qualifying.maximum ?? .max), "\(step): \(mode), \(run)")
        }
        let given = try Self.currentRun(node)
        node.send("stop")
        let record = try #require(try Self.runs(node).first)
        #expect(record.qualifying == given.qualifying && record.added == (record.qualifying.maximum ?? 0) - 40)
        #expect(record.qualified == record.qualifying.qualifies(used: record.used, grace: 0))
    }

    @Test("does not pass its added time on to the next one")
    func givenOnce() throws {
        var node = try Scenario(configure: Self.card)
        for _ in 0..<2 {
            node.send("start")
            node.wait(.seconds(5))
            node.send("add", "+30")
            node.wait(.seconds(50))
            node.send("stop")
        }
        let runs = try Self.runs(node)
        #expect(runs.map(\.added) == [30, 30])
        #expect(runs.allSatisfy { $0.qualifying.minimum == 50 && $0.qualified == true })
        node.send("start")
        node.wait(.seconds(5))
        node.send("stop")
        #expect(try Self.runs(node).first?.added == 0)
        #expect(try Self.runs(node).first?.qualifying.minimum == 20)
    }

    @Test(
        "qualifies from the minimum minus the grace to the maximum plus the grace, in whole seconds",
        arguments: [
            (269.999, false), (270, true), (300, true), (420, true), (450, true), (450.999, true), (451, false),
        ])
    func qualification(used: Double, qualified: Bool) throws {
        var node = try Scenario(configure: Self.speeches)
        node.send("start")
        node.wait(.milliseconds(Int64(used * 1000)))
        node.send("stop")
        #expect(try Self.runs(node).first?.qualified == qualified)
    }

    @Test("is not judged without a rule, and by a single bound if there is only one")
    func bounds() throws {
        var node = try Scenario(60, 0, 0)
        for (edit, qualified) in [
            (#"{"start":60}"#, nil), (#"{"minimum":20}"#, false), (#"{"minimum":0,"maximum":20}"#, true),
            (#"{"maximum":0}"#, nil),
        ] as [(String, Bool?)] {
            node.send("edit", edit)
            node.send("start")
            node.wait(.seconds(15))
            node.send("stop")
            let run = try #require(try Self.runs(node).first)
            #expect(run.qualified == qualified, "after \(edit)")
        }
        node.send("edit", #"{"minimum":1,"maximum":2}"#)
        node.send("start", #"{"duration":"1:00"}"#)
        node.wait(.seconds(15))
        node.send("stop")
        #expect(try Self.runs(node).first?.qualified == nil, "a one-off run has no rule")
    }

    @Test("is not recorded under 2 s, because it is considered accidental")
    func slip() throws {
        var node = try Scenario(configure: Self.speeches)
        node.send("start")
        node.wait(.milliseconds(1999))
        node.send("stop")
        #expect(try Self.runs(node) == [])
        #expect(node.publications.last { $0.text.contains("run_ended") }?.text.contains(#""run":null"#) == true)
        node.send("start")
        node.wait(.seconds(2))
        node.send("stop")
        #expect(try Self.runs(node).count == 1)
    }

    @Test(
        "is not amended without its id or a change, or together with a page",
        arguments: [
            (#"{"speaker":"Ada"}"#, #"field "id": found nothing, expected the id of a run to amend"#),
            (#"{"speaker":"Ada","page":1}"#, #"field "speaker" amends a run and cannot be combined with "page""#),
            (#"{"run":"74696d65-722d-8e6f-8064-650000000101"}"#, #"field "speaker" is missing"#),
        ])
    func unamended(payload: String, reason: String) throws {
        var node = try Scenario(configure: Self.speeches)
        #expect(node.send("runs", payload)?["message"] == .string(reason))
    }

    @Test("is dropped if the configuration keeps fewer, the oldest first")
    func fewer() throws {
        var node = try Scenario(configure: Self.speeches)
        for _ in 0..<3 {
            node.send("start")
            node.wait(.seconds(5))
            node.send("stop")
        }
        let all = try Self.runs(node)
        #expect(all.count == 3)
        var other = node.core.configuration
        other.storage?.runs = 2
        node.reload(.success(.init(other)))
        #expect(try Self.runs(node) == Array(all.prefix(2)))
    }

    @Test("has its own id from its start, which survives a restart of the node")
    func ids() throws {
        var node = try Scenario(configure: Self.speeches)
        for _ in 0..<30 {
            node.send("start")
            node.wait(.seconds(3))
        }
        let ids = try Self.runs(node).map(\.id)
        #expect(ids.count == 20)
        #expect(Set(ids).count == 20)
        #expect(ids.allSatisfy { UUID(uuidString: $0.uuidString) == $0 })
    }

    @Test(
        "stays on a page of the report; the newest 200 are kept, or as many as configured",
        arguments: [200, 30, 0])
    func pages(limit: Int) throws {
        var node = try Scenario {
            Self.speeches(&$0)
            $0.storage?.runs = limit
        }
        for number in 1...230 {
            node.send("start", #"{"speaker":"\#(number)"}"#)
            node.wait(.seconds(2))
        }
        node.send("stop")
        let pages = (limit + 24) / 25
        var speakers: [String] = []
        for page in 1...max(1, pages) {
            let answerSent = node.send("runs", #"{"page":\#(page)}"#)
            let answer = try #require(answerSent)
            #expect(answer["pages"] == .integer(pages))
            #expect(answer["page"] == .integer(page))
            guard case .array(let runs) = answer["runs"] else { return #expect(Bool(false), "\(answer)") }
            #expect(runs.count <= 25)
            speakers += runs.map { if case .string(let name)? = $0["speaker"] { name } else { "" } }
        }
        #expect(speakers == (0..<limit).map { "\(230 - $0)" })
        #expect(node.send("runs", #"{"page":\#(max(1, pages) + 1)}"#)?["code"] == "not_found")
        #expect(node.send("runs", #"{"page":0}"#)?["code"] == "invalid_payload")
        #expect(node.last("runs").map { $0.contains(#""total":\#(limit)"#) } == true)
    }

    @Test("is set aside with all other runs by clear_runs, and a new report begins")
    func clearing() throws {
        var node = try Scenario(configure: Self.speeches)
        for _ in 0..<3 {
            node.send("start")
            node.wait(.seconds(5))
        }
        let saved = try #require(node.savedRuns)
        #expect(try SavedRuns(saved).runs.count == 2)
        #expect(node.send("clear_runs")?["status"] == "ok")
        #expect(try Self.runs(node) == [])
        #expect(node.setAside.count == 1)
        #expect(node.warnings.contains { $0.contains("the runs were cleared; kept the old file as") })
        node.send("stop")
        #expect(try SavedRuns(try #require(node.savedRuns)).runs.count == 1)
        #expect(node.send("clear_runs", "", to: "all")?["code"] == "not_allowed")
    }
}
