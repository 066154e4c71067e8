import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("The time of a node")
struct TimeTests {
    @Test("is returned by both clocks to the microsecond, updated each time, without a change of state")
    func telling() throws {
        var node = try Scenario { $0.storage = .init(directory: "/nowhere") }
        let state = node.state
        for milliseconds in [0, 250] {
            node.wait(.milliseconds(milliseconds))
            let answerSent = node.send("time", #"{"id":"a"}"#)
            let answer = try #require(answerSent)
            #expect(answer["id"] == "a")
            #expect(answer["time"] == .string("2023-11-14T22:13:20.\(milliseconds == 0 ? "000" : "250")000Z"))
            #expect(answer["clock"] == ["boot": "a boot", "now": .integer(1_000_000_000 + milliseconds * 1000)])
            #expect(answer["duplicate"] == nil)
        }
        #expect(node.state == state)
        #expect(node.send("time", to: "all")?["status"] == "ok")
    }

    @Test("has its own allowance, separate from other commands")
    func allowance() throws {
        var node = try Scenario { $0.mqtt?.commandRate = 5 }
        for _ in 0..<100 { #expect(node.send("time")?["status"] == "ok") }
        #expect(node.send("time")?["code"] == "rate_limited")
        for _ in 0..<10 { #expect(node.send("beep")?["code"] != "rate_limited") }
        node.wait(.seconds(1))
        #expect(node.send("time")?["status"] == "ok")
    }

    @Test("is in the state, with the times of the mode and of zero, which do not move when a clock is set")
    func state() throws {
        var node = try Scenario(6, 4, 2)
        func clock() -> [JSON?] { ["now", "since", "zero"].map { node.state?["clock"]?[$0] } }
        node.send("start")
        #expect(clock() == [1_000_000_000, 1_000_000_000, 1_006_000_000])
        #expect(node.state?["clock"]?["boot"] == "a boot")
        node.wait(.milliseconds(2500))
        #expect(clock() == [1_002_000_000, 1_002_000_000, 1_006_000_000])
        node.send("pause")
        #expect(clock() == [1_002_500_000, 1_002_500_000, .null])
        node.wait(.seconds(10))
        node.send("resume")
        #expect(clock() == [1_012_500_000, 1_012_500_000, 1_016_000_000])
        node.setWallClock(by: 86_400)
        node.happens(.wallClockSet)
        #expect(clock() == [1_012_500_000, 1_012_500_000, 1_016_000_000])
        #expect(node.state?["at"] == "2023-11-15T22:13:32.500Z")
        node.wait(.seconds(10))
        #expect(clock() == [1_016_000_000, 1_016_000_000, 1_016_000_000])
        node.send("stop")
        #expect(clock() == [1_022_500_000, 1_022_500_000, .null])
    }
}
