import NodeConfiguration
import NodeTestSupport
import TestSupport
import Testing

@testable import IoTNode

@Suite("Contacts that bounce at random")
struct BounceWalkTests {
    typealias Move = ButtonStory.Move

    @Test("cause one action for each push, whatever the edges are", arguments: SeededGenerator.seeds(200))
    func random(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let debounce = Int.random(in: 1...40, using: &numbers)
        let moves = ["A", "B"].flatMap { bouncing($0, using: &numbers) }.sorted { $0.at < $1.at }

        let settings: [NodeConfiguration.Button] = try ["A", "B"].map {
            try .init(Set(Gesture.allCases), on: $0, debounce: debounce)
        }
        var (live, late) = (ButtonStory(settings), ButtonStory(settings))
        live.live(moves)
        late.playLate(moves.shuffledAmongLines(using: &numbers))
        let count = ["A", "B"].map { line in
            pushes(of: moves.filter { $0.line == line }, stableFor: debounce)
        }.reduce(0, +)

        // Each push gives one press or one hold, or two pushes give one double: no push counts twice, and none is lost.
        let pushesMeant = live.gestures.map { $0 == .double ? 2 : 1 }.reduce(0, +)
        #expect(pushesMeant == count)
        #expect(late.gestures == live.gestures)

        // If a press acts on its edge, each push gives one press.
        var pressed = ButtonStory(try ["A", "B"].map { try .init([.press], on: $0, debounce: debounce) })
        pressed.live(moves)
        #expect(pressed.gestures.count == count)
    }

    /// Returns a hundred edges of one line, in bursts separated by pauses. The last edge is up.
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

    /// Returns how many times a line went down for long enough, computed differently: from its quiet periods.
    private func pushes(of moves: [Move], stableFor period: Int) -> Int {
        let ends = moves.dropFirst().map(\.at) + [Int.max]
        let quiet = zip(moves, ends).filter { $1 - $0.at >= period }.map(\.0.isActive)
        return zip([false] + quiet, quiet).filter { !$0 && $1 }.count
    }
}

extension [ButtonStory.Move] {
    /// Returns the moves of each line in order, one line after the other, as descriptors are read.
    fileprivate func shuffledAmongLines(using numbers: inout SeededGenerator) -> [ButtonStory.Move] {
        Set(map(\.line)).shuffled(using: &numbers).flatMap { line in filter { $0.line == line } }
    }
}
