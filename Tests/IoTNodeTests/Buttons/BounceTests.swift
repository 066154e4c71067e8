import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

@Suite("A contact that bounces")
struct BounceTests {
    typealias Move = ButtonStory.Move

    /// Edges at regular intervals in milliseconds. The first and the last one change the level to `isActive`.
    private func burst(_ times: [Int], to isActive: Bool) -> [Move] {
        times.enumerated().map { Move(at: $1, isActive: ($0.isMultiple(of: 2)) == isActive) }
    }

    @Test("is pressed once, after it has been down for the debounce period")
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

    @Test("is not released by a gap, nor held longer by bouncing at its end")
    func gap() throws {
        var story = ButtonStory([try .init([.press, .hold], debounce: 20)])
        story.live([.down(0), .up(400), .down(415), .up(790)] + burst([1000, 1001, 1002, 1003], to: true))
        // Down from 0, seen at 20; up from 790, seen at 810: that is before 820, where a hold would be.
        #expect(story.diary == ["810 A press"])
    }

    @Test("may lose edges in quick succession: the last level is the correct one")
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
}
