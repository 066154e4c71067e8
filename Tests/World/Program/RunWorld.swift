import ArgumentParser
import World
import WorldChecker

@main
struct RunWorld: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "world",
        abstract: "Plays a story for each seed, and stops at the first difference from what must happen.")

    @Option(help: "The seed of the only story.")
    var seed: UInt64?

    @Option(help: "The first and the last seed, such as 1-100.", transform: Self.range)
    var seeds: ClosedRange<UInt64> = 1...1

    @Option(help: "How many hours each story lasts.")
    var hours = 1.0

    @Flag(help: "Print the whole history.")
    var verbose = false

    @Flag(help: "Record a tape of each node, and replay it.")
    var tapes = false

    @Flag(help: "Print how often each rare state was reached.")
    var states = false

    func validate() throws {
        guard hours > 0 else { throw ValidationError("found \(hours) hours, expected more than 0") }
    }

    private static func range(_ text: String) throws -> ClosedRange<UInt64> {
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else {
            throw ValidationError("found \(text), expected two seeds such as 1-100")
        }
        return ends[0]...ends[1]
    }

    func run() throws {
        var (reached, counts, played) = ([RareState: Int](), Counts(), 0.0)
        var hasFailed = false
        for seed in seed.map({ $0...$0 }) ?? seeds where !hasFailed {
            var teller = StoryTeller(seed: seed)
            var story = teller.story(hours: hours)
            story.isTaped = tapes
            let outcome = World.play(story, tellingFrom: verbose ? .zero : nil)
            reached.merge(outcome.reached) { $0 + $1 }
            played += hours
            counts = counts + outcome.counts
            guard let violation = outcome.violation else { continue }
            hasFailed = true
            print("seed \(seed): \(violation)")
            if !verbose { explain(story, violation) }
        }
        let missing = RareState.allCases.filter { reached[$0] == nil }
        if states { for state in RareState.allCases { print("  \(state.rawValue): \(reached[state] ?? 0)") } }
        print("\((played * 10).rounded() / 10) h: \(counts)")
        print("reached \(RareState.allCases.count - missing.count) of \(RareState.allCases.count) rare states")
        // A thousand hours reach every state; otherwise the stories are too tame.
        let isTame = played >= 1000 && !missing.isEmpty
        if isTame { print("not reached: \(missing.map(\.rawValue).joined(separator: ", "))") }
        if hasFailed || isTame { throw ExitCode.failure }
    }

    /// Prints the shortest story that still fails, and the history of its last seconds.
    private func explain(_ story: Story, _ violation: Violation) {
        let (shorter, found) = story.shrunk(breaking: violation)
        print("the shortest story that still fails, with \(shorter.events.count) of \(story.events.count) events:")
        for event in shorter.events { print("  \(event)") }
        print("its end:")
        _ = World.play(shorter, tellingFrom: found.time - .seconds(3))
        print("  \(found)")
    }
}
