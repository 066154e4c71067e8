import ArgumentParser
import Foundation
import World
import WorldChecker

@main
struct RunWorld: AsyncParsableCommand {
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

    func run() async throws {
        let seeds = seed.map { $0...$0 } ?? seeds
        var (reached, counts, played) = ([RareState: Int](), Counts(), 0)
        var failed: (seed: UInt64, violation: Violation)?
        await withTaskGroup(of: (UInt64, World.Outcome).self) { outcomes in
            var waiting = seeds.makeIterator()
            func playNext() {
                guard failed == nil, let seed = waiting.next() else { return }
                outcomes.addTask { [story = story(seed), start = verbose ? Duration.zero : nil] in
                    (seed, World.play(story, tellingFrom: start))
                }
            }
            // The history of one story must not be mixed with that of another one.
            for _ in 0..<(verbose ? 1 : ProcessInfo.processInfo.activeProcessorCount) { playNext() }
            for await (seed, outcome) in outcomes {
                reached.merge(outcome.reached) { $0 + $1 }
                counts = counts + outcome.counts
                played += 1
                if played.isMultiple(of: 100) {
                    print("\(played) stories")
                    // A file would otherwise show it only at the end.
                    fflush(nil)
                }
                // A story with a lower seed may still be playing.
                if let violation = outcome.violation, failed.map({ seed < $0.seed }) ?? true {
                    failed = (seed, violation)
                }
                playNext()
            }
        }
        if let (seed, violation) = failed {
            print("seed \(seed): \(violation)")
            if !verbose { explain(story(seed), violation) }
        }
        let missing = RareState.allCases.filter { reached[$0] == nil }
        if states { for state in RareState.allCases { print("  \(state.rawValue): \(reached[state] ?? 0)") } }
        let time = Double(played) * hours
        print("\((time * 10).rounded() / 10) h: \(counts)")
        print("reached \(RareState.allCases.count - missing.count) of \(RareState.allCases.count) rare states")
        // A thousand hours reach every state; otherwise the stories are too tame.
        let isTame = time >= 1000 && !missing.isEmpty
        if isTame { print("not reached: \(missing.map(\.rawValue).joined(separator: ", "))") }
        if failed != nil || isTame { throw ExitCode.failure }
    }

    private func story(_ seed: UInt64) -> Story {
        var teller = StoryTeller(seed: seed)
        var story = teller.story(hours: hours)
        story.isTaped = tapes
        return story
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
