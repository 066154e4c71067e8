internal import IoTNode
package import NodeConfiguration
package import NodePorts
package import TimerEngine
import TimerProtocol

/// Plays button edges in virtual time, and records which gestures are recognised and when.
package struct ButtonStory {
    /// A button going down or up, with the time in milliseconds since the beginning.
    package struct Move: Hashable, Sendable {
        package let at: Int
        package let isActive: Bool
        package let line: String

        package init(at: Int, isActive: Bool, line: String = "A") {
            self.at = at
            self.isActive = isActive
            self.line = line
        }

        package static func down(_ at: Int, _ line: String = "A") -> Move { Move(at: at, isActive: true, line: line) }
        package static func up(_ at: Int, _ line: String = "A") -> Move { Move(at: at, isActive: false, line: line) }

        package var edge: Edge { Edge(line: line, isActive: isActive, at: ButtonStory.instant(at)) }
    }

    private var buttons: Buttons
    /// The recognised gestures, each with its time in milliseconds and its line, such as `320 A press`.
    package private(set) var diary: [String] = []
    /// The recognised gestures without their times and lines.
    package private(set) var gestures: [Gesture] = []

    package init(_ settings: [NodeConfiguration.Button], held: Set<InputName> = [], isDebounced: Bool = false) {
        buttons = Buttons(settings)
        buttons.hold(HeldInputs(active: held, areDebounced: isDebounced))
    }

    package static func instant(_ milliseconds: Int) -> Instant {
        Instant(sinceEpoch: .seconds(50) + .milliseconds(milliseconds))
    }

    /// Processes each move at its time, and wakes whenever the buttons request it, until long after the last move.
    package mutating func live(_ moves: [Move]) {
        for move in moves {
            wait(until: Self.instant(move.at))
            note(buttons.process([move.edge], at: Self.instant(move.at)), at: Self.instant(move.at))
        }
        wait(until: Self.instant((moves.last?.at ?? 0) + 60_000))
    }

    /// Processes all moves at once, long after the last one.
    package mutating func playLate(_ moves: [Move]) {
        let end = Self.instant((moves.map(\.at).max() ?? 0) + 60_000)
        note(buttons.process(moves.map(\.edge), at: end), at: end)
    }

    private mutating func wait(until end: Instant) {
        while let next = buttons.nextInstant, next <= end { note(buttons.advance(to: next), at: next) }
    }

    private mutating func note(_ actions: [Buttons.Action], at instant: Instant) {
        let time = Int(Self.instant(0).duration(to: instant) / .milliseconds(1))
        diary += actions.map { "\(time) \($0.line) \($0.gesture.rawValue)" }
        gestures += actions.map(\.gesture)
    }
}

extension NodeConfiguration.Button {
    /// Creates a button with commands for the given gestures. It is not debounced unless `debounce`, in milliseconds,
    /// is set.
    package init(_ gestures: Set<Gesture>, on line: InputName = "A", debounce: Int = 0) throws {
        self.init(line: line)
        self.debounce = .milliseconds(debounce)
        for gesture in gestures { commands[gesture] = try BoundCommand("toggle") }
    }
}
