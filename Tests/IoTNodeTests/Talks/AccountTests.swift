import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A time account")
struct AccountTests {
    /// Two sides of a debate with 10 minutes each and 15 minutes together, and a timer without an account.
    static func debate(_ configuration: inout NodeConfiguration) { debate(&configuration, budget: 900) }

    static func debate(_ configuration: inout NodeConfiguration, budget: Int) {
        let thresholds = Thresholds.zero.setting(start: 600).setting(warning: 60).setting(final: 30)
        let sides = ["Pro", "Contra"].map { TimerItem(name: $0, thresholds: thresholds, carry: true) }
        let groups = [
            TimerGroup(name: "Debate", atZero: .alarm, budget: budget, timers: sides),
            TimerGroup(name: "Talk", timers: [TimerItem(name: "Talk", thresholds: thresholds)]),
        ]
        configuration.timers = (try? .init(groups: groups)) ?? configuration.timers
        configuration.storage = .init(directory: "/nowhere")
    }

    /// The `left` of each timer in the first group, as published.
    private func left(_ node: Scenario) throws -> [JSON?] {
        let timers = try JSON(parsing: Array(try #require(node.last("timers")).utf8))
        guard case .array(let groups)? = timers["groups"], case .array(let items)? = groups[0]["timers"] else {
            return []
        }
        return items.map { $0["left"] }
    }

    private func restarted(_ node: Scenario) throws -> Scenario {
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        return try Scenario(
            saved: node.saved.last, savedRuns: node.savedRuns, after: passed,
            seed: UInt64(passed.components.seconds), configure: Self.debate)
    }

    @Test("keeps what is left when it is stopped, and goes on from there")
    func carried() throws {
        var node = try Scenario(configure: Self.debate)
        node.send("start")
        node.wait(.milliseconds(100_250))
        node.send("stop")
        #expect(node.state?["precise_remaining"] == .number(499.75) && node.state?["start"] == 600)
        #expect(try left(node) == [.number(499.75), nil])
        node.send("next")
        #expect(node.last("mode") == "countdown" && node.state?["remaining"] == 600)
        node.wait(.seconds(50))
        node.send("select", "1/1")
        #expect(node.state?["remaining"] == 500)
        #expect(try left(node) == [.number(499.75), 550])
        node.send("start")
        node.wait(.seconds(460))
        #expect(node.last("mode") == "warning")
        node.send("stop")
        let runs = try RunTests.runs(node)
        #expect(runs.map(\.used) == [.seconds(460), .seconds(50), .milliseconds(100_250)])
        #expect(runs.map(\.total) == [.milliseconds(560_250), .seconds(50), .milliseconds(100_250)])

        node.send("start")
        node.wait(.seconds(100))
        #expect(node.last("mode") == "alarm")
        node.send("stop")
        #expect(try left(node)[0] == 0)
        #expect(node.send("start")?["mode"] == "alarm", "the account is empty")
        node.send("rewind")
        #expect(node.state?["remaining"] == 600)
        #expect(try left(node) == [nil, 550])
        #expect(node.send("reset_accounts", "1")?["status"] == "ok")
        #expect(try left(node) == [nil, nil])
    }

    @Test("of each side is exact after 60 switches, over a kill of the node in the midst of it")
    func switched() throws {
        var node = try Scenario(configure: Self.debate)
        var random = SeededGenerator(seed: 7)
        node.send("reset_accounts")
        #expect(node.send("switch")?["status"] == "ok", "the other one of two")
        #expect(node.state?["timer"]?["name"] == "Contra")
        var (expected, side) = ([Duration.seconds(600), .seconds(600)], 1)
        for count in 1...60 {
            let time = Duration.milliseconds(Int.random(in: 100...9000, using: &random))
            node.wait(time)
            expected[side] -= time
            if count.isMultiple(of: 10) { node = try restarted(node) }
            side = 1 - side
            #expect(node.send("switch", count.isMultiple(of: 3) ? "1/\(side + 1)" : "")?["mode"] == "countdown")
        }
        node.send("stop")
        #expect(try left(node) == expected.map { .number($0.inSeconds) })
        let runs = try #require(node.savedRuns.map { try SavedRuns($0).runs })
        #expect(runs.count == 60)
        let used = ["Pro", "Contra"].map { name in
            runs.filter { $0.name == name }.reduce(Duration.zero) { $0 + $1.used }
        }
        #expect(zip(used, expected).allSatisfy { $0 + $1 == .seconds(600) })
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.endedAt == $1.startedAt })
    }

    @Test("is brought back with its run by undo")
    func undone() throws {
        var node = try Scenario(configure: Self.debate)
        node.send("start")
        node.wait(.seconds(100))
        node.send("switch")
        node.wait(.seconds(5))
        node.send("undo")
        #expect(node.state?["timer"]?["name"] == "Pro" && node.state?["remaining"] == 495)
        #expect(try left(node) == [nil, nil])
        node.send("stop")
        #expect(try left(node) == [495, nil])
    }

    @Test("is brought back with a run of another account by undo, even after a restart")
    func undoneAfterRestart() throws {
        var node = try Scenario(configure: Self.debate)
        node.send("start")
        for seconds in [100, 50] {
            node.wait(.seconds(seconds))
            node.send("switch")
        }
        node.wait(.seconds(5))
        node.send("stop")
        #expect(try left(node) == [495, 550])
        node = try restarted(node)
        #expect(node.send("undo")?["remaining"] == 495)
        #expect(node.state?["timer"]?["name"] == "Pro")
        #expect(try left(node)[1] == 550)
    }

    @Test("is not switched to without an account, and not filled during a run")
    func refused() throws {
        var node = try Scenario(configure: Self.debate)
        node.send("start")
        #expect(node.send("switch", "1/1")?["code"] == "not_allowed")
        #expect(node.send("switch", "2/1")?["code"] == "not_allowed")
        #expect(node.send("reset_accounts")?["code"] == "not_allowed")
        #expect(node.send("reset_accounts", "2")?["status"] == "ok")
        #expect(node.send("reset_accounts", "3")?["code"] == "not_found")
        #expect(node.send("reset_accounts", "x")?["code"] == "invalid_payload")
        node.send("select", "2/1")
        #expect(node.send("switch")?["code"] == "not_allowed")
    }

    @Test("belongs to its timer while the timers are edited, and is not part of them")
    func edited() throws {
        var node = try Scenario(configure: Self.debate)
        node.send("start")
        node.wait(.seconds(100))
        node.send("stop")
        let revision = try JSON(parsing: Array(try #require(node.last("timers")).utf8))["model_revision"]
        #expect(node.send("edit", #"{"timer":"1/1","name":"For"}"#)?["status"] == "ok")
        #expect(
            node.send("timers", try #require(node.last("timers")).replacing("\"left\":500", with: "\"left\":1"))?[
                "status"] == "ok")
        #expect(try left(node) == [500, nil])
        #expect(revision == 1)
        #expect(node.send("timers", #"{"groups":[{"budget":0,"timers":[{"start":5}]}]}"#)?["code"] == "invalid_payload")
    }
}

@Suite("The budget of a group")
struct BudgetTests {
    @Test("counts its runs down, and its end stops nothing")
    func spent() throws {
        var node = try Scenario(configure: AccountTests.debate)
        #expect(node.state?["budget"]?.text == #"{"left":900,"of":900,"zero":null}"#)
        node.send("start")
        #expect(node.state?["budget"]?["zero"] == 1_900_000_000)
        node.wait(.seconds(500))
        node.send("switch")
        node.wait(.seconds(100))
        node.send("pause")
        #expect(node.state?["budget"]?.text == #"{"left":300,"of":900,"zero":null}"#)
        node.wait(.seconds(1000))
        node.send("resume")
        let passed = Instant(sinceEpoch: .seconds(1000)).duration(to: node.now.instant)
        node = try Scenario(saved: node.saved.last, after: passed, configure: AccountTests.debate)
        node.wait(.seconds(299))
        let before = node.publications.count
        node.wait(.milliseconds(1100))
        #expect(LateStartTests.events(node, from: before) == ["budget_spent"])
        #expect(node.last("mode") == "countdown" && node.state?["budget"]?["left"] == 0)
        #expect(node.diary.suffix(8).contains { $0.contains("lamps dark") }, "the lamps ask for attention")
        node.wait(.seconds(60))
        #expect(LateStartTests.events(node, from: before).count == 1)
        node.send("stop")
        #expect(node.state?["budget"]?["left"] == 0)
        node.send("reset_accounts")
        #expect(node.state?["budget"]?["left"] == 900)
        node.send("select", "2")
        #expect(node.state?["budget"] == .null)
    }

    @Test("is spent by a timer that is rewound, and can be raised")
    func raised() throws {
        var node = try Scenario(configure: AccountTests.debate)
        node.send("start")
        node.wait(.seconds(500))
        node.send("rewind")
        #expect(node.state?["remaining"] == 600 && node.state?["budget"]?["left"] == 400)
        node.send("start", "1/2")
        node.wait(.seconds(401))
        let timers = try #require(node.last("timers")).replacing("\"budget\":900", with: "\"budget\":1000")
        let model = timers.replacing("\"model_revision\":1,", with: "")
        #expect(node.send("timers", model)?["status"] == "ok")
        let before = node.publications.count
        node.wait(.seconds(100))
        #expect(LateStartTests.events(node, from: before) == ["budget_spent"])
    }

    @Test("is announced once, even if the group loses its first timer")
    func firstTimerRemoved() throws {
        var node = try Scenario { AccountTests.debate(&$0, budget: 300) }
        node.send("start")
        node.wait(.seconds(10))
        node.send("switch")
        node.wait(.seconds(350))
        #expect(LateStartTests.events(node, from: 0).contains("budget_spent"))
        let timers = try JSON(parsing: Array(try #require(node.last("timers")).utf8))
        guard case .array(let groups)? = timers["groups"], case .array(let sides)? = groups[0]["timers"] else {
            Issue.record("there are no timers")
            return
        }
        let before = node.publications.count
        let left: JSON = ["groups": [["budget": 300, "timers": .array([sides[1]])]]]
        #expect(node.send("timers", left.text)?["status"] == "ok")
        node.wait(.seconds(5))
        #expect(node.state?["timer"]?["name"] == "Contra" && node.state?["mode"] == "countdown")
        #expect(!LateStartTests.events(node, from: before).contains("budget_spent"))
        #expect(node.core.timer.player.accounts.isEmpty, "the account of the timer that is gone")
    }
}
