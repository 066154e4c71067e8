import BrokerLink
import NodeConfiguration
import TestSupport
import Testing
import TimerProtocol
import World
import WorldChecker

@Suite("A world of nodes, brokers, clients and people")
struct WorldTests {
    @Test("obeys its laws in any story", arguments: SeededGenerator.seeds(10))
    func laws(seed: UInt64) {
        let outcome = play(seed, hours: 0.5)
        #expect(outcome.violation == nil)
        #expect(outcome.counts.commands > 0 && outcome.counts.lampChanges > 0)
    }

    @Test("publishes a state that an access list forbade, once the list is mended")
    func accessList() {
        let outcome = play([
            .init(20, .forbid(filter: "timer/lectern/state", for: .seconds(5))),
            .init(22, .send(client: 0, .start, fields: "", node: "lectern")),
            .init(24, .send(client: 0, .pause, fields: "", node: "lectern")),
        ])
        #expect(outcome.violation == nil)
        #expect((outcome.reached[.refusedMessage] ?? 0) >= 2)
    }

    @Test(
        "lets a follower show a change that it did not receive, because the cluster was partitioned",
        arguments: [(Verb.stop, Verb.start), (.start, .stop), (.start, .pause), (.start, .add)])
    func partition(before: Verb, change: Verb) {
        var setting = Story.Setting()
        setting.members = 2
        var side = Story.Node("side")
        side.configuration.follow = .init(node: "lectern", prefix: "timer")
        side.configuration.mqtt = .init(brokers: [Broker(host: "broker-1.test")], clientID: "timer-node-side")
        setting.nodes = [Story.Node("lectern"), side]
        let outcome = play(
            [
                .init(20, .send(client: 0, before, fields: "", node: "lectern")),
                // Longer than the stop can be undone, which changes the state again.
                .init(30, .partition(for: .seconds(20))),
                .init(
                    32, .send(client: 0, change, fields: change == .add ? #""seconds":60"# : "", node: "lectern")),
            ], setting)
        #expect(outcome.violation == nil)
        #expect((outcome.reached[.healedDifferently] ?? 0) == 1)
    }

    @Test("lets a node wait that has got another name while it has no broker")
    func nameWithoutBroker() {
        let outcome = play([
            .init(20, .stopBroker(member: 0, keepsRetained: true, for: .seconds(60))),
            .init(40, .reload(node: "lectern", .rename("Stage"))),
        ])
        #expect(outcome.violation == nil)
    }

    @Test("replays each node's tape without a difference", arguments: SeededGenerator.seeds(4))
    func tapes(seed: UInt64) {
        var teller = StoryTeller(seed: seed)
        var story = teller.story(hours: 0.5)
        story.isTaped = true
        #expect(World.play(story).violation == nil)
    }

    @Test("has the same history each time that a story is played")
    func repeatable() {
        let (one, other) = (play(7, hours: 0.3), play(7, hours: 0.3))
        #expect(one.counts == other.counts && one.reached == other.reached && !one.reached.isEmpty)
    }

    private func play(_ seed: UInt64, hours: Double) -> World.Outcome {
        var teller = StoryTeller(seed: seed)
        return World.play(teller.story(hours: hours))
    }

    /// Plays a story of one client, and of one node unless the setting names others, that lasts three minutes.
    private func play(_ events: [Story.Event], _ setting: Story.Setting? = nil) -> World.Outcome {
        var one = Story.Setting()
        one.nodes = [Story.Node("lectern")]
        return World.play(Story(seed: 1, setting: setting ?? one, duration: .seconds(180), events: events))
    }
}
