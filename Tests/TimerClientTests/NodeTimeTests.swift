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

@Suite("A client that requests the time")
struct NodeTimeTests {
    /// A client in a different boot from the node.
    private func story(ahead: Double = 0, ticks: Bool = false) throws -> ClientStory {
        ClientStory(
            try Scenario(60, 40, 20) { if !ticks { $0.mqtt?.tickEvery = .zero } }, ahead: ahead, boot: "another")
    }

    @Test(
        "counts a run in progress to the millisecond, whatever the wall clocks show", arguments: [-3600.0, 0, 3600])
    func found(ahead: Double) throws {
        var story = try story(ahead: ahead)
        story.node.send("start")
        story.wait(.milliseconds(7_300))
        story.connect()
        #expect(story.mirror?.counting?.isEstimate == true)
        story.wait(.milliseconds(50))
        story.wait(.seconds(30)) { #expect(abs($0.error) < 0.002) }
        #expect(story.mirror?.counting?.isEstimate == false)
    }

    @Test(
        "has an error of at most half a message's delay, even if messages are slow",
        arguments: SeededGenerator.seeds(20))
    func delayed(seed: UInt64) throws {
        var story = try story(ahead: 77, ticks: true)
        var random = SeededGenerator(seed: seed)
        story.delay = { .milliseconds(Int.random(in: 20...300, using: &random)) }
        story.connect()
        story.wait(.seconds(3))
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(3))
        story.wait(.seconds(20)) { #expect(abs($0.error) <= 0.15) }
        story.wait(.seconds(30)) { #expect(abs($0.error) <= 0.15) }
    }

    @Test("returns when 0 is due, when the mode began and how lamps blink, on its own clock")
    func instants() throws {
        var story = try story()
        story.connect()
        story.send(.player(.start(selector: nil)))
        let shift = story.node.now.instant.duration(to: story.now.instant)
        story.wait(.seconds(61))
        let counting = try #require(story.mirror?.counting)
        let zero = try #require(story.node.core.timer.player.countdown.alarmedSince) + shift
        #expect(
            counting.isLike(
                Counting(zero: zero, since: zero, made: counting.made, isEstimate: false), within: .milliseconds(1)))
        let red = try #require(story.mirror?.patterns?["red"])
        #expect(red.steps == [.milliseconds(425), .milliseconds(425)] && red.repeats)
        #expect(abs(red.began.duration(to: zero).inSeconds) < 0.001)
        #expect(story.mirror?.patterns?["green"] == nil)
    }

    @Test(
        "in the node's own boot is exact at once with an hour-old state, and sends requests until the node responds")
    func sameBoot() throws {
        var node = try Scenario(7200, 40, 20, boot: "a boot")
        node.send("start")
        let states = node.publications.filter { $0.topic == "timer/lectern/state" }
        var client = NodeClient(boot: "a boot", askingTimeAs: "guest")
        node.wait(.seconds(3600))
        let now = NodeClient.Moment(instant: node.now.instant, date: node.now.date.addingTimeInterval(1e6))
        _ = client.handle(.connected, at: now)
        for state in states {
            _ = client.handle(.message(topic: state.topic, payload: state.payload, retained: true), at: now)
        }
        _ = client.handle(
            .message(topic: "timer/lectern/availability", payload: Array("online".utf8), retained: true), at: now)
        let mirror = try #require(client.nodes["lectern"])
        #expect(mirror.shownSeconds(at: now.instant) == 3600)
        #expect(client.nextInstant == now.instant)
        _ = client.handle(
            .message(topic: "timer/lectern/tick", payload: Array("3600".utf8), retained: false), at: now)
        #expect(client.nextInstant == nil)
        #expect(mirror.counting?.isEstimate == false)
    }

    @Test(
        "sends five requests after a connection, three after a start, one every 30 s, and one a minute while stopped")
    func questions() throws {
        var story = try story()
        story.connect()
        story.wait(.seconds(10))
        #expect(questions(story) == 5)
        story.send(.player(.start(selector: nil)))
        story.wait(.seconds(5))
        #expect(questions(story) == 8)
        story.wait(.seconds(30))
        #expect(questions(story) == 9)
        story.send(.player(.pause))
        story.wait(.seconds(60))
        #expect(questions(story) == 11, "lamps blink in a pause")
        story.send(.player(.stop))
        story.wait(.seconds(120))
        #expect(questions(story) == 13)
    }

    private static let ages: Duration = .seconds(300_000_000_000)

    /// The number of requests that the node has received.
    private func questions(_ story: ClientStory) -> Int {
        story.node.publications.count { $0.text.contains(#""command":"time""#) }
    }

    /// Publishes the node's state with a time in the future, and with Eve as the speaker.
    private func forgeState(_ story: inout ClientStory) throws {
        let state = try #require(story.node.last("state")).replacing(#""speaker":null"#, with: #""speaker":"Eve""#)
        story.forge("timer/lectern/state", state.withBootClock(laterBy: Self.ages))
        story.deliver()
    }

    @Test(
        "shows the true state after a forged state from the future, even without knowing the node's clock",
        arguments: [false, true])
    func forgedState(asks: Bool) throws {
        var story = asks ? try story() : ClientStory(try Scenario(60, 40, 20))
        story.connect()
        try forgeState(&story)
        #expect(story.mirror?.state?.speaker == "Eve")
        story.node.send("speaker", "Ada")
        story.deliver()
        #expect(story.mirror?.state?.speaker == "Ada")
        story.wait(.seconds(60))
        #expect(story.mirror?.state?.speaker == "Ada")
    }

    @Test("detects a forged response while the node is stopped, and shows the state that it refused because of it")
    func forgedAnswer() throws {
        var story = try story()
        story.forgedClock = Self.ages
        story.connect()
        story.wait(.seconds(5))
        #expect(questions(story) == 5)
        story.forgedClock = .zero
        try forgeState(&story)
        story.node.send("speaker", "Ada")
        story.deliver()
        #expect(story.mirror?.state?.speaker == "Eve", "by the forged clock, the true state is old")
        story.wait(.seconds(1))
        #expect(story.mirror?.state?.speaker == "Ada")
        #expect(story.mirror?.mode == .stopped)
        story.wait(.seconds(50))
        #expect(questions(story) == 8)
    }

    @Test("asks for a state that it did not receive", arguments: ["stop", "start", "pause", "add 60"])
    func lostState(change: String) throws {
        // No other mode begins meanwhile.
        var story = ClientStory(try Scenario(600, 40, 20) { $0.mqtt?.tickEvery = .zero }, boot: "another")
        story.connect()
        if change != "start" { story.send(.player(.start(selector: nil))) }
        story.wait(.seconds(5))
        let words = change.split(separator: " ").map(String.init)
        story.node.send(words[0], words.dropFirst().first ?? "")
        // Afterwards nothing can be undone any more, which would change the state again.
        story.node.wait(Undo.time + .seconds(1))
        story.loseMessages()
        story.wait(.seconds(61))
        #expect(story.mirror?.state?.mode == ModeName(story.node.core.timer.player.mode))
        #expect(abs(story.error) < 0.01)
    }

    @Test("sends about five requests a second at most, however many old states arrive")
    func flood() throws {
        var story = try story()
        story.connect()
        let old = try #require(story.node.last("state"))
        story.node.send("speaker", "Ada")
        story.wait(.seconds(5))
        let before = questions(story)
        for _ in 0..<1000 {
            story.forge("timer/lectern/state", old)
            story.wait(.milliseconds(10))
        }
        #expect(story.mirror?.state?.speaker == "Ada")
        #expect((40...70).contains(questions(story) - before))
    }
}
