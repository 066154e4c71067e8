import NodeConfiguration
import NodePorts
import NodeTestSupport
import Testing

@testable import IoTNode
@testable import TimerProtocol

/// The moves of one button, and the expected gestures.
struct GestureCase: Sendable, CustomTestStringConvertible {
    let gestures: Set<Gesture>
    let moves: [ButtonStory.Move]
    let diary: [String]

    init(_ gestures: Set<Gesture>, _ moves: [ButtonStory.Move], _ diary: String...) {
        self.gestures = gestures
        self.moves = moves
        self.diary = diary.map { $0.replacing(" ", with: " A ") }
    }

    var testDescription: String {
        let known = gestures.map(\.rawValue).sorted().joined(separator: "+")
        return "\(known): " + moves.map { "\($0.isActive ? "down" : "up") \($0.at)" }.joined(separator: ", ")
    }

    static let all: [GestureCase] = [
        // If only a press has a command, it acts on its edge, however long it lasts.
        .init([.press], [.down(0), .up(100)], "0 press"),
        .init([.press], [.down(0), .up(5000)], "0 press"),
        .init([.press], [.down(0), .up(100), .down(200), .up(300)], "0 press", "200 press"),

        // If a hold is possible, a press acts on release, because only then is it known not to be a hold.
        .init([.press, .hold], [.down(0), .up(1)], "1 press"),
        .init([.press, .hold], [.down(0), .up(799)], "799 press"),
        .init([.press, .hold], [.down(0), .up(800)], "800 hold"),
        .init([.press, .hold], [.down(0), .up(801)], "800 hold"),
        .init([.press, .hold], [.down(0), .up(9000)], "800 hold"),
        .init([.press, .hold], [.down(0), .up(100), .down(150), .up(250)], "100 press", "250 press"),
        .init([.press, .hold], [.down(0), .up(900), .down(950), .up(960)], "800 hold", "960 press"),

        // If a double is possible, a press acts if no second push arrives in time, counted from the first edge.
        .init([.press, .double], [.down(0), .up(100)], "300 press"),
        .init([.press, .double], [.down(0), .up(5000)], "300 press"),
        .init([.press, .double], [.down(0), .up(100), .down(299), .up(400)], "299 double"),
        .init([.press, .double], [.down(0), .up(100), .down(300), .up(400)], "300 press", "600 press"),
        .init([.press, .double], [.down(0), .up(299), .down(301), .up(400)], "300 press", "601 press"),
        .init([.press, .double], [.down(0), .up(50), .down(100), .up(5000)], "100 double"),
        .init(
            [.press, .double], [.down(0), .up(50), .down(100), .up(150), .down(200), .up(250)], "100 double",
            "500 press"),
        .init(
            [.press, .double],
            [.down(0), .up(50), .down(100), .up(150), .down(200), .up(250), .down(300), .up(350)], "100 double",
            "300 double"),

        // All three gestures are possible.
        .init([.press, .double, .hold], [.down(0), .up(100)], "300 press"),
        .init([.press, .double, .hold], [.down(0), .up(299)], "300 press"),
        .init([.press, .double, .hold], [.down(0), .up(300)], "300 press"),
        .init([.press, .double, .hold], [.down(0), .up(500)], "500 press"),
        .init([.press, .double, .hold], [.down(0), .up(799)], "799 press"),
        .init([.press, .double, .hold], [.down(0), .up(800)], "800 hold"),
        .init([.press, .double, .hold], [.down(0), .up(100), .down(200), .up(2000)], "200 double"),
        .init(
            [.press, .double, .hold], [.down(0), .up(100), .down(310), .up(1110)], "300 press", "1110 hold"),

        // A gesture without a command is recognised as well, and not mistaken for another one.
        .init([.hold], [.down(0), .up(100)], "100 press"),
        .init([.hold], [.down(0), .up(1000)], "800 hold"),
        .init([.double], [.down(0), .up(1000)], "300 press"),
        .init([.double], [.down(0), .up(100), .down(200), .up(300)], "200 double"),
    ]
}

@Suite("A button")
struct GestureTests {
    @Test("distinguishes its gestures to the millisecond", arguments: GestureCase.all)
    func gestures(of example: GestureCase) throws {
        var story = ButtonStory([try .init(example.gestures)])
        story.live(example.moves)
        #expect(story.diary == example.diary)
    }

    @Test("recognises the same gestures from edges that are read late", arguments: GestureCase.all)
    func late(example: GestureCase) throws {
        var (live, late) = (ButtonStory([try .init(example.gestures)]), ButtonStory([try .init(example.gestures)]))
        live.live(example.moves)
        late.playLate(example.moves)
        #expect(late.gestures == live.gestures)
    }

    @Test("that is down at first does nothing until it is released", arguments: [[.press], Set(Gesture.allCases)])
    func heldAtFirst(gestures: Set<Gesture>) throws {
        var story = ButtonStory([try .init(gestures)], held: ["A"])
        story.live([.up(5000), .down(6000), .up(6100)])
        #expect(story.diary == [gestures == [.press] ? "6000 A press" : "6300 A press"])
    }

    @Test("takes its times from the settings")
    func times() throws {
        var button = try NodeConfiguration.Button([.press, .double, .hold])
        button.doubleWithin = .milliseconds(500)
        button.holdFrom = .milliseconds(2000)
        var story = ButtonStory([button])
        story.live([.down(0), .up(100), .down(499), .up(600), .down(1000), .up(2999), .down(4000), .up(6001)])
        #expect(story.diary == ["499 A double", "2999 A press", "6000 A hold"])
    }

    @Test("works independently of other buttons, each with its own times")
    func several() throws {
        let settings: [NodeConfiguration.Button] = [
            try .init([.press, .hold], on: "A"), try .init([.press], on: "B"), try .init([.press, .double], on: "C"),
        ]
        var story = ButtonStory(settings)
        story.live([
            .down(0, "A"), .down(10, "C"), .down(20, "B"), .up(30, "C"), .up(40, "B"), .down(100, "C"),
            .up(150, "C"), .down(700, "B"), .up(900, "A"), .up(950, "B"),
        ])
        #expect(story.diary == ["20 B press", "100 C double", "700 B press", "800 A hold"])
    }

    @Test("processes the edges of several descriptors in the order of their time stamps")
    func order() throws {
        var story = ButtonStory([try .init([.press, .hold], on: "A"), try .init([.press], on: "B")])
        // Two descriptors of libgpiod 1 are read in this way: one after the other.
        story.playLate([.down(0, "A"), .up(900, "A"), .down(100, "B"), .up(200, "B"), .down(850, "B")])
        #expect(
            story.diary.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                "B press", "A hold", "B press",
            ])
    }

    @Test("that is lost forgets pending gestures, and edges of unknown lines are ignored")
    func lost() throws {
        var buttons = Buttons([try .init([.press, .hold])])
        #expect(buttons.process([ButtonStory.Move.down(0).edge], at: ButtonStory.instant(0)).isEmpty)
        #expect(buttons.nextInstant == nil, "not held yet")
        buttons.hold(HeldInputs(areDebounced: true))
        _ = buttons.process(
            [ButtonStory.Move.down(0).edge, ButtonStory.Move.down(0, "X").edge], at: ButtonStory.instant(0))
        #expect(buttons.nextInstant == ButtonStory.instant(800))
        buttons.release()
        #expect(buttons.nextInstant == nil)
        #expect(buttons.advance(to: ButtonStory.instant(900)).isEmpty)
    }
}
