import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The current run")
struct CurrentRunTests {
    /// Requests the state and returns its run; nil while there is none.
    private static func run(_ node: inout Scenario) throws -> StateMessage.CurrentRun? {
        node.send("state")
        return try StateMessage(Array(try #require(node.last("state")).utf8)).run
    }

    private static func qualifying(_ minimum: Int, _ maximum: Int) -> QualifyingTime {
        .none.setting(maximum: maximum).setting(minimum: minimum)
    }

    @Test("is published up to the current moment with its pauses and its bounds, which move by added time")
    func used() throws {
        var node = try Scenario(configure: RunTests.speeches)
        #expect(try Self.run(&node) == nil)
        #expect(node.state?["run"] == .null)
        node.send("start")
        func expect(used: Double, paused: Double, _ minimum: Int, _ maximum: Int, line: Int = #line) throws {
            var expected = StateMessage.CurrentRun()
            (expected.used, expected.paused, expected.grace) = (.seconds(used), .seconds(paused), 30)
            expected.qualifying = Self.qualifying(minimum, maximum)
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            #expect(try Self.run(&node) == expected, sourceLocation: location)
        }
        try expect(used: 0, paused: 0, 300, 420)
        node.wait(.milliseconds(100_250))
        try expect(used: 100.25, paused: 0, 300, 420)
        node.send("add", "+60")
        try expect(used: 100.25, paused: 0, 360, 480)
        node.send("pause")
        node.wait(.seconds(12))
        try expect(used: 100.25, paused: 12, 360, 480)
        node.send("resume")
        node.send("set", "5:00")
        node.wait(.seconds(20))
        try expect(used: 120.25, paused: 12, 280, 400)
        node.send("set", "0")
        node.wait(.seconds(30))
        #expect(node.state?["mode"] == "alarm")
        try expect(used: 150.25, paused: 12, 0, 120)
        node.send("stop")
        #expect(try Self.run(&node) == nil)
        let record = try #require(try RunTests.runs(node).first)
        #expect(record.used == .milliseconds(150_250) && record.paused == .seconds(12))
        #expect(record.added == -300 && record.qualifying == Self.qualifying(0, 120))
    }

    @Test("has no bounds if it is a one-off run, and its own timer's bounds in a sequence")
    func bounds() throws {
        let timers = [("Speech", 300, 420), ("Answer", 60, 90)].map { name, minimum, maximum in
            TimerItem(
                name: name, thresholds: .zero.setting(start: maximum), qualifying: Self.qualifying(minimum, maximum))
        }
        var node = try Scenario { configuration in
            let group = TimerGroup(name: "Speeches", atZero: .next, timers: timers)
            configuration.timers = (try? .init(groups: [group])) ?? configuration.timers
        }
        node.send("start", #"{"duration":30,"name":"Toast"}"#)
        node.wait(.seconds(4))
        var run = StateMessage.CurrentRun()
        run.used = .seconds(4)
        #expect(try Self.run(&node) == run)
        node.send("start")
        node.wait(.seconds(419))
        #expect(try Self.run(&node)?.qualifying == Self.qualifying(300, 420))
        node.wait(.seconds(6))
        (run.used, run.qualifying) = (.seconds(5), Self.qualifying(60, 90))
        #expect(try Self.run(&node) == run)
    }

    @Test("is the same on a follower as on its leader, including pauses")
    func follower() throws {
        var hall = try FollowerTests.hall(60, 0, 0)
        func used(_ id: String) throws -> (used: Duration, paused: Duration) {
            let payload = try #require(hall.payloads("state", of: id).last)
            let run = try #require(try StateMessage(Array(payload.utf8)).run)
            return (run.used, run.paused)
        }
        func expectSame(_ seconds: Double, paused: Double, line: Int = #line) throws {
            hall.send("state", to: "side")
            hall.send("state", to: "stage")
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            for id in ["stage", "side"] {
                let found = try used(id)
                for (time, expected) in [(found.used, seconds), (found.paused, paused)] {
                    #expect(abs(time.inSeconds - expected) < 0.6, "\(id): \(found)", sourceLocation: location)
                }
            }
        }
        hall.send("start", to: "stage")
        hall.wait(.seconds(10))
        hall.send("pause", to: "stage")
        hall.wait(.seconds(20))
        try expectSame(10, paused: 20)
        hall.send("resume", to: "stage")
        hall.wait(.seconds(5))
        hall.send("add", "+30", to: "stage")
        hall.wait(.seconds(5))
        try expectSame(20, paused: 20)
        hall.send("set", "1", to: "stage")
        hall.wait(.seconds(4))
        #expect(hall.state(of: "side")?["mode"] == "alarm")
        try expectSame(24, paused: 20)
        // A node that begins to follow now receives the same.
        hall.kill("side")
        hall.start("side")
        hall.wait(.seconds(6))
        try expectSame(30, paused: 20)
    }
}
