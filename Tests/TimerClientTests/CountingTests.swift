import BrokerLink
import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol

@Suite("A client counts")
struct CountingTests {
    /// A node in virtual time, with or without ticks.
    private func node(_ start: Int = 60, ticks: Bool = true) throws -> Scenario {
        try Scenario(start, start * 2 / 3, start / 3) { if !ticks { $0.mqtt?.tickEvery = .zero } }
    }

    @Test("between messages, to the millisecond, with ticks and without", arguments: [true, false])
    func between(ticks: Bool) throws {
        var story = ClientStory(try node(ticks: ticks), ahead: -12_345)
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(25)) { #expect(abs($0.error) < 0.002) }
        story.send(.player(.pause))
        story.wait(.seconds(5)) { #expect(abs($0.error) < 0.002) }
        story.send(.player(.add(seconds: 3)))
        story.send(.player(.resume))
        story.wait(.seconds(37)) { #expect(abs($0.error) < 0.002) }
        #expect(story.mirror?.mode == .final)
        story.wait(.seconds(5))
        #expect(story.mirror?.mode == .alarm && story.mirror?.shownSeconds(at: story.now.instant) == 0)
        let over = try #require(story.mirror?.overtime(at: story.now.instant))
        #expect(abs((over - .seconds(4)).inSeconds) < 0.002)
    }

    @Test("the time used in the same way as the node, even if time is added or removed, so it agrees with the report")
    func used() throws {
        var story = ClientStory(try node(ticks: false), ahead: -12_345)
        story.connect()
        func used() -> Double? { story.mirror?.used(at: story.now.instant)?.inSeconds }
        func expect(_ seconds: Double, line: Int = #line) throws {
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            let found = try #require(used())
            #expect(abs(found - seconds) < 0.002, sourceLocation: location)
        }
        #expect(used() == nil)
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(10))
        try expect(10)
        story.send(.player(.add(seconds: 30)))
        story.wait(.seconds(5))
        try expect(15)
        story.send(.player(.pause))
        story.wait(.seconds(20))
        try expect(15)
        // A client that connects later shows the same.
        story.disconnect()
        story.connect()
        try expect(15)
        story.send(.player(.resume))
        story.send(.player(.set(seconds: 1)))
        story.wait(.seconds(4))
        #expect(story.mirror?.mode == .alarm)
        try expect(19)
        // A state that arrives during the alarm already contains some overtime.
        story.node.send("state")
        story.deliver()
        story.wait(.seconds(2))
        try expect(21)
        story.nodeGoes()
        story.wait(.seconds(5))
        try expect(21)
    }

    @Test("a run that is already in progress, by the date of the retained state")
    func found() throws {
        var story = ClientStory(try node(ticks: false))
        story.node.send("start")
        story.wait(.milliseconds(7_300))
        story.connect()
        #expect(abs(story.error) < 0.002)
        story.wait(.seconds(30)) { #expect(abs($0.error) < 0.002) }
    }

    @Test("a run already in progress, by the first tick if the clocks differ", arguments: [-3600.0, 3600])
    func foundByTick(ahead: Double) throws {
        var story = ClientStory(try node(), ahead: ahead)
        story.node.send("start")
        story.wait(.milliseconds(7_300))
        story.connect()
        #expect(abs(story.error) > 5, "wrong until the first tick")
        story.wait(.milliseconds(710))
        story.wait(.seconds(30)) { #expect(abs($0.error) < 0.002) }
    }

    @Test("correctly after a reconnection without a tick, although the clocks differ")
    func reconnected() throws {
        var story = ClientStory(try node(ticks: false), ahead: 3600)
        story.connect()
        story.send(.player(.select(selector: "1/1")))
        story.send(.signal(.identify))
        story.wait(.seconds(4))
        story.disconnect()
        story.node.send("start")
        story.wait(.seconds(9))
        story.connect()
        #expect(abs(story.error) < 0.002)
    }

    @Test("as before, after the broker sends a stored state again", arguments: [-3600.0, 3600])
    func keptState(ahead: Double) throws {
        var story = ClientStory(try node(2), ahead: ahead)
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(5))
        let before = try #require(story.mirror?.counting)
        #expect(before.isEstimate == false && story.mirror?.mode == .alarm)
        story.disconnect()
        story.wait(.seconds(5))
        story.connect()
        #expect(story.mirror?.counting == before, "no reading is older or less certain than before")
    }

    @Test("overtime already in progress, and stops while the node is offline")
    func overtime() throws {
        var story = ClientStory(try node(5))
        story.node.send("start")
        story.wait(.seconds(15))
        story.connect()
        let over = { (story: ClientStory) in story.mirror?.overtime(at: story.now.instant)?.inSeconds ?? -1 }
        #expect(abs(over(story) - 10) < 0.002)
        story.wait(.seconds(3))
        #expect(abs(over(story) - 13) < 0.002)
        story.nodeGoes()
        #expect(abs(over(story) - 13) < 0.002 && story.mirror?.isOnline == false)
        story.wait(.seconds(3))
        #expect(abs(over(story) - 13) < 0.002)
        #expect(story.mirror?.nextSecond(after: story.now.instant) == nil)
    }

    @Test("on while the node is offline, down to 0, and adopts its state when it is back")
    func gone() throws {
        var story = ClientStory(try node(20))
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(4))
        story.nodeGoes()
        story.wait(.seconds(6)) { #expect(abs($0.error) < 0.002) }
        #expect(story.mirror?.isOnline == false)
        story.node.send("add", "+5")
        story.node.accept()
        story.deliver()
        #expect(story.mirror?.isOnline == true && abs(story.error) < 0.002)
        story.nodeGoes()
        story.wait(.seconds(60))
        #expect(story.mirror?.remaining(at: story.now.instant) == .zero)
        #expect(story.mirror?.nextSecond(after: story.now.instant) == nil)
    }

    @Test("on when the node's wall clock is set", arguments: [-7200.0, 86_400])
    func clockSet(by seconds: Double) throws {
        var story = ClientStory(try node(ticks: false))
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(4))
        story.node.setWallClock(by: seconds)
        story.node.happens(.wallClockSet)
        story.deliver()
        story.wait(.seconds(10)) { #expect(abs($0.error) < 0.002) }
        story.disconnect()
        story.connect()
        #expect(abs(story.error) < 0.002)
    }

    @Test(
        "never backwards, and relative to the fastest message if delays vary",
        arguments: SeededGenerator.seeds(20))
    func jitter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var story = ClientStory(try node(60))
        story.delay = { .milliseconds(Int.random(in: 0...300, using: &random)) }
        story.connect()
        story.send(.player(.start(selector: nil)))
        story.wait(.milliseconds(400))
        var last = Double.infinity
        story.wait(.seconds(55)) { story in
            let remaining = story.mirror?.remaining(at: story.now.instant)?.inSeconds ?? .infinity
            // A late tick moves the count by a millisecond at most.
            #expect(remaining < last + 0.001)
            #expect((-0.002...0.302).contains(story.error))
            last = remaining
        }
        #expect(story.error < 0.15, "one of 55 ticks was fast")
    }

    @Test("and returns when the next second begins, but not while nothing counts")
    func wakes() throws {
        var story = ClientStory(try node(5))
        story.connect()
        let next = { (story: ClientStory) in story.mirror?.nextSecond(after: story.now.instant) }
        #expect(next(story) == nil)
        story.send(.player(.start(selector: nil)))
        story.wait(.milliseconds(300))
        #expect(next(story) == story.now.instant + .milliseconds(700))
        story.send(.player(.pause))
        #expect(next(story) == nil)
        story.send(.player(.resume))
        story.wait(.seconds(5))
        #expect(story.mirror?.mode == .alarm)
        let wait = try #require(next(story).map { story.now.instant.duration(to: $0) })
        #expect(wait > .zero && wait <= .seconds(1))
    }

    /// A node with one group of timers that run in sequence.
    private func sequence(_ starts: [Int]) throws -> Scenario {
        let timers = starts.map {
            TimerItem(name: "\($0)", thresholds: Thresholds.zero.setting(start: $0))
        }
        let group = try NodeConfiguration.Timers(groups: [TimerGroup(name: "Talks", timers: timers)])
        return try Scenario { $0.timers = group }
    }

    @Test("down to 0, and never back to 1 when the tick of the next timer comes before its state")
    func nextTimer() throws {
        for starts in [[4, 30], [30, 4]] {
            var story = ClientStory(try sequence(starts))
            story.connect()
            story.send(.player(.start(selector: nil)))
            story.wait(.milliseconds(starts[0] * 1000 - 10))
            let first = story.node.publications.count
            story.node.wait(.milliseconds(10))
            var client = story.client
            #expect(client.nodes["lectern"]?.shownSeconds(at: story.now.instant) == 0)
            let shown = story.node.publications[first...].map { message in
                _ = client.handle(
                    .message(topic: message.topic, payload: message.payload, retained: false), at: story.now)
                return client.nodes["lectern"]?.shownSeconds(at: story.now.instant)
            }
            #expect(shown.first == 0 && shown.last == starts[1])
            #expect(shown.allSatisfy { $0 == 0 || $0 == starts[1] }, "\(shown)")
        }
    }

    @Test("the time to the end of a sequence, including the timers that follow")
    func expectedEnd() throws {
        var story = ClientStory(try sequence([60, 30, 20]), ahead: 50)
        story.connect()
        #expect(story.mirror?.expectedEnd(at: story.now) == nil)
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(10))
        let end = try #require(story.mirror?.expectedEnd(at: story.now))
        #expect(abs(story.now.date.distance(to: end) - 100) < 0.01)
        #expect(story.mirror?.nextTimer?.name == "30")
        story.send(.player(.select(selector: "1/2")))
        story.send(.player(.start(selector: nil)))
        let second = try #require(story.mirror?.expectedEnd(at: story.now))
        #expect(abs(story.now.date.distance(to: second) - 50) < 0.01, "the timers before it do not count")
    }
}
