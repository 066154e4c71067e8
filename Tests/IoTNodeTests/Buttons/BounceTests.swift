import TestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A contact that bounces")
struct BounceTests {
    typealias Move = ButtonStory.Move

    /// Edges every so many milliseconds, beginning and ending with one to `isActive`.
    private func burst(_ times: [Int], to isActive: Bool) -> [Move] {
        times.enumerated().map { Move(at: $1, isActive: ($0.isMultiple(of: 2)) == isActive) }
    }

    @Test("is pressed once, when it has been down for as long as it has to be stable")
    func press() throws {
        var story = ButtonStory([try .init([.press], debounce: 20)])
        story.live(burst([0, 1, 3, 8, 12], to: true) + burst([500, 501, 515], to: false))
        #expect(story.diary == ["32 A press"])
    }

    @Test(
        "counts from the end of its period, to the millisecond",
        arguments: [(19, []), (20, ["20 A press"]), (21, ["20 A press"])])
    func period(length: Int, diary: [String]) throws {
        var story = ButtonStory([try .init([.press], debounce: 20)])
        story.live([.down(0), .up(length)])
        #expect(story.diary == diary)
    }

    @Test("is not let go by a gap, nor held longer by bouncing at its end")
    func gap() throws {
        var story = ButtonStory([try .init([.press, .hold], debounce: 20)])
        story.live([.down(0), .up(400), .down(415), .up(790)] + burst([1000, 1001, 1002, 1003], to: true))
        // Down from 0, seen at 20; up from 790, seen at 810: that is before 820, where a hold would be.
        #expect(story.diary == ["810 A press"])
    }

    @Test("may lose edges that follow one another too fast to be told apart: the last level is the right one")
    func lostEdges() throws {
        var story = ButtonStory([try .init([.press], debounce: 20)])
        story.live([.down(0), .down(1), .down(9), .up(300), .up(305), .down(600)])
        #expect(story.diary == ["29 A press", "620 A press"])
    }

    @Test("that the kernel debounces is not debounced again")
    func kernel() throws {
        var story = ButtonStory([try .init([.press], debounce: 20)], isDebounced: true)
        story.live([.down(0), .up(5), .down(10)])
        #expect(story.diary == ["0 A press", "10 A press"])
    }

    @Test("is one action for each push, whatever the edges are", arguments: SeededGenerator.seeds(200))
    func random(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let debounce = Int.random(in: 1...40, using: &numbers)
        let moves = ["A", "B"].flatMap { bouncing($0, using: &numbers) }.sorted { $0.at < $1.at }

        let settings: [NodeConfiguration.Button] = try ["A", "B"].map {
            try .init(Set(Gesture.allCases), on: $0, debounce: debounce)
        }
        var (live, late) = (ButtonStory(settings), ButtonStory(settings))
        live.live(moves)
        late.oversleep(moves.shuffledAmongLines(using: &numbers))
        let count = ["A", "B"].map { line in
            pushes(of: moves.filter { $0.line == line }, stableFor: debounce)
        }.reduce(0, +)

        // Of each push comes one press or one hold, and of each two one double: nothing twice, and nothing is lost.
        let pushesMeant = live.gestures.map { $0 == .double ? 2 : 1 }.reduce(0, +)
        #expect(pushesMeant == count)
        #expect(late.gestures == live.gestures)

        // And where a press acts on its edge, one for each.
        var pressed = ButtonStory(try ["A", "B"].map { try .init([.press], on: $0, debounce: debounce) })
        pressed.live(moves)
        #expect(pressed.gestures.count == count)
    }

    /// A hundred edges of one line, in bursts and with pauses, the last one up.
    private func bouncing(_ line: String, using numbers: inout SeededGenerator) -> [Move] {
        var at = 0
        var moves = (0..<100).map { _ in
            let pause = [0...3, 0...3, 10...60, 10...60, 100...400, 500...1500].randomElement(using: &numbers) ?? 0...0
            at += Int.random(in: pause, using: &numbers)
            return Move(at: at, isActive: Bool.random(using: &numbers), line: line)
        }
        moves.append(.up(at + 50, line))
        return moves
    }

    /// How often a line has come to be down for long enough, told in another way: by where it is quiet.
    private func pushes(of moves: [Move], stableFor period: Int) -> Int {
        let ends = moves.dropFirst().map(\.at) + [Int.max]
        let quiet = zip(moves, ends).filter { $1 - $0.at >= period }.map(\.0.isActive)
        return zip([false] + quiet, quiet).filter { !$0 && $1 }.count
    }
}

extension [ButtonStory.Move] {
    /// The moves of each line in their order, one line after the other, as descriptors are read.
    fileprivate func shuffledAmongLines(using numbers: inout SeededGenerator) -> [ButtonStory.Move] {
        Set(map(\.line)).shuffled(using: &numbers).flatMap { line in filter { $0.line == line } }
    }
}
