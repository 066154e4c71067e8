import Glibc
import World
import WorldChecker

// run-world --seeds A-B --hours H: plays a story for each seed and stops at the first difference.

var (first, last, hours): (UInt64, UInt64, Double) = (1, 1, 1)
var (isVerbose, isListing, violated) = (false, false, false)
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch (argument, arguments.first) {
    case ("--seed", let value?):
        guard let seed = UInt64(value) else { fatalError("found the seed \(value), expected a number") }
        (first, last) = (seed, seed)
        arguments.removeFirst()
    case ("--seeds", let value?):
        let ends = value.split(separator: "-").compactMap { UInt64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { fatalError("found the seeds \(value), expected A-B") }
        (first, last) = (ends[0], ends[1])
        arguments.removeFirst()
    case ("--hours", let value?):
        guard let number = Double(value), number > 0 else { fatalError("found \(value) hours, expected a number") }
        hours = number
        arguments.removeFirst()
    case ("--verbose", _): isVerbose = true
    case ("--states", _): isListing = true
    default: fatalError("usage: run-world [--seed N | --seeds A-B] [--hours H] [--verbose]")
    }
}

var (reached, counts, played) = ([RareState: Int](), Counts(), 0.0)
for seed in first...last {
    var teller = StoryTeller(seed: seed)
    let story = teller.story(hours: hours)
    let outcome = World.play(story, tellingFrom: isVerbose ? .zero : nil)
    reached.merge(outcome.reached) { $0 + $1 }
    played += hours
    counts = counts + outcome.counts
    guard let violation = outcome.violation else { continue }
    violated = true
    print("seed \(seed): \(violation)")
    if !isVerbose {
        let (shorter, found) = story.shrunk(breaking: violation)
        print("the shortest story that still fails, with \(shorter.events.count) of \(story.events.count) events:")
        for event in shorter.events { print("  \(event)") }
        print("its end:")
        _ = World.play(shorter, tellingFrom: found.time - .seconds(3))
        print("  \(found)")
    }
    break
}
let missing = RareState.allCases.filter { reached[$0] == nil }
if isListing { for state in RareState.allCases { print("  \(state.rawValue): \(reached[state] ?? 0)") } }
print("reached \(RareState.allCases.count - missing.count) of \(RareState.allCases.count) rare states")
print("seeds \(first)-\(last), \(hours) h each: \(counts)")
// A thousand hours reach every state, or the world is not cruel enough.
if played >= 1000, !missing.isEmpty {
    print("not reached: \(missing.map(\.rawValue).joined(separator: ", "))")
    exit(1)
}
exit(violated ? 1 : 0)
