import TestSupport
import Testing
import World
import WorldChecker

@Suite("A world of nodes, brokers, clients and people")
struct WorldTests {
    /// The seeds of stories in which something was wrong once, with the fault.
    static let found: [UInt64] = [
        151  // A state that an access list forbade was never published again after the list had been mended.
    ]

    @Test("obeys its laws in any story", arguments: SeededGenerator.seeds(12))
    func laws(seed: UInt64) {
        let outcome = play(seed, hours: 0.5)
        #expect(outcome.violation == nil)
        #expect(outcome.counts.commands > 0 && outcome.counts.lampChanges > 0)
    }

    @Test("obeys its laws in the stories that found a fault", arguments: found)
    func stories(seed: UInt64) { #expect(play(seed, hours: 1).violation == nil) }

    @Test("has the same history each time that a story is played")
    func repeatable() {
        let (one, other) = (play(7, hours: 0.3), play(7, hours: 0.3))
        #expect(one.counts == other.counts && one.reached == other.reached && !one.reached.isEmpty)
    }

    private func play(_ seed: UInt64, hours: Double) -> World.Outcome {
        var teller = StoryTeller(seed: seed)
        return World.play(teller.story(hours: hours))
    }
}
