package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// All buttons of a node.
package struct Buttons: Hashable, Sendable {
    /// A gesture on a button.
    package struct Action: Hashable, Sendable {
        package let line: InputName
        package let gesture: Gesture
    }

    private let settings: [NodeConfiguration.Button]
    /// The buttons' states in configuration order; empty while the lines are not held.
    private var buttons: [ButtonState] = []

    /// Creates buttons whose lines are not held yet.
    package init(_ settings: [NodeConfiguration.Button]) { self.settings = settings }

    /// Whether any lines are configured.
    var areConfigured: Bool { !settings.isEmpty }
    /// Whether the lines are held.
    var areHeld: Bool { !buttons.isEmpty }

    /// When ``advance(to:)`` must be called; nil if nothing is pending.
    package var nextInstant: Instant? { buttons.compactMap(\.nextInstant).min() }

    /// Records that the lines are held. A button that is already down does nothing until it is released.
    package mutating func hold(_ lines: HeldInputs) {
        buttons = settings.map {
            ButtonState($0, isActive: lines.active.contains($0.line), isDebounced: lines.areDebounced)
        }
    }

    /// Records that the lines were lost; every gesture in progress is discarded.
    mutating func release() { buttons = [] }

    /// Processes all edges up to the current moment.
    ///
    /// - Parameters:
    ///   - edges: edges of any lines, in any order, except that edges at the same instant are in the order in which
    ///     they occurred.
    ///   - now: the current instant.
    /// - Returns: the completed gestures, in order.
    package mutating func process(_ edges: [Edge], at now: Instant) -> [Action] {
        var actions: [Action] = []
        for edge in edges.sorted(by: { $0.instant < $1.instant }) {
            actions += advance(to: edge.instant)
            if let index = settings.firstIndex(where: { $0.line == edge.line }), areHeld {
                buttons[index].process(edge)
            }
        }
        return actions + advance(to: now)
    }

    /// Advances to an instant without an edge.
    package mutating func advance(to now: Instant) -> [Action] {
        var actions: [Action] = []
        while let next = nextInstant, next <= now, let index = buttons.firstIndex(where: { $0.nextInstant == next }) {
            if let gesture = buttons[index].step() {
                actions.append(Action(line: settings[index].line, gesture: gesture))
            }
        }
        return actions
    }

    /// Returns the command bound to a gesture.
    func command(for action: Action) -> BoundCommand? {
        settings.first { $0.line == action.line }?.commands[action.gesture]
    }
}

/// One button: converts edges and the passing of time to gestures.
struct ButtonState: Hashable, Sendable {
    private var debouncer: Debouncer
    private var recogniser: GestureRecogniser

    /// Creates a button with a known level.
    ///
    /// - Parameter isDebounced: whether the kernel debounces its line.
    init(_ settings: NodeConfiguration.Button, isActive: Bool, isDebounced: Bool) {
        debouncer = Debouncer(period: isDebounced ? .zero : settings.debounce, isActive: isActive)
        recogniser = GestureRecogniser(
            Set(settings.commands.keys), doubleWithin: settings.doubleWithin, holdFrom: settings.holdFrom,
            isActive: isActive)
    }

    /// When ``step()`` is due; nil if nothing is pending.
    var nextInstant: Instant? {
        [debouncer.nextInstant, recogniser.nextInstant].compactMap { $0 }.min()
    }

    /// Processes an edge; all steps that were due before it must already be done.
    mutating func process(_ edge: Edge) { debouncer.process(edge) }

    /// Performs the step that is due at ``nextInstant``; returns the gesture that it completes.
    mutating func step() -> Gesture? {
        guard let now = nextInstant else { return nil }
        // The end of a period is handled before an edge at the same instant: a push of exactly 800 ms is a hold.
        if recogniser.nextInstant == now { return recogniser.elapse() }
        debouncer.settle()
        return recogniser.change(to: debouncer.isActive, at: now)
    }
}

/// Accepts a change of level once the line has been stable for a while. It follows the kernel's rule, for versions of
/// libgpiod that cannot ask the kernel to apply it.
///
/// Each edge restarts the wait, and the change takes effect at its end. A shorter pulse is ignored, such as a bouncing
/// contact or interference on a long wire.
struct Debouncer: Hashable, Sendable {
    /// How long the line has to be stable; if zero, each edge takes effect at once.
    let period: Duration
    /// The accepted level.
    private(set) var isActive: Bool
    /// When the other level will be accepted unless an edge arrives first; nil while the line is at the accepted level.
    private(set) var nextInstant: Instant?

    /// Creates a debouncer for a line with a stable level.
    init(period: Duration, isActive: Bool) {
        self.period = period
        self.isActive = isActive
    }

    /// Processes an edge. Two consecutive edges may have the same level, because one of two edges in quick succession
    /// may be lost.
    mutating func process(_ edge: Edge) {
        nextInstant = edge.isActive == isActive ? nil : edge.instant + period
    }

    /// Accepts the other level.
    mutating func settle() {
        nextInstant = nil
        isActive.toggle()
    }
}

/// Recognises single presses, double presses and holds of one button from its debounced level.
///
/// A gesture is recognised as soon as no other configured gesture is possible. One push gives at most one gesture:
/// after a hold or a double, nothing more happens until the button is released.
struct GestureRecogniser: Hashable, Sendable {
    /// The state of the current push.
    private enum State: Hashable {
        /// The button is up, and no gesture has begun.
        case released
        /// The button has been down since an instant; the gesture is not yet known.
        case pushed(since: Instant)
        /// The button is up after a short push; another push before an instant makes the gesture a double.
        case releasedOnce(until: Instant)
        /// The button is down, and its gesture has been recognised.
        case spent
    }

    private let recognisesDouble: Bool
    private let recognisesHold: Bool
    private let doubleWithin: Duration
    private let holdFrom: Duration
    private var state: State

    /// Creates a recogniser for a button with a known level.
    ///
    /// - Parameters:
    ///   - gestures: the gestures that have a command; the recogniser does not wait for any others.
    ///   - doubleWithin: two pushes that begin less than this time apart are a double.
    ///   - holdFrom: how long a push must last to be a hold.
    ///   - isActive: whether the button is down; a button that is down at first does nothing until it is released.
    init(_ gestures: Set<Gesture>, doubleWithin: Duration, holdFrom: Duration, isActive: Bool) {
        recognisesDouble = gestures.contains(.double)
        recognisesHold = gestures.contains(.hold)
        self.doubleWithin = doubleWithin
        self.holdFrom = holdFrom
        state = isActive ? .spent : .released
    }

    /// When ``elapse()`` is due; nil if nothing is pending.
    var nextInstant: Instant? {
        switch state {
        case .released, .spent: nil
        case .pushed(let since): since + (recognisesHold ? holdFrom : doubleWithin)
        case .releasedOnce(let until): until
        }
    }

    /// Handles the end of the current period; returns the gesture that it completes.
    mutating func elapse() -> Gesture? {
        switch state {
        case .released, .spent: return nil
        case .pushed:
            state = .spent
            return recognisesHold ? .hold : .press
        case .releasedOnce:
            state = .released
            return .press
        }
    }

    /// Handles the button going down or up before ``nextInstant``; returns the gesture that it completes.
    mutating func change(to isActive: Bool, at instant: Instant) -> Gesture? {
        switch (state, isActive) {
        case (.released, true):
            state = recognisesDouble || recognisesHold ? .pushed(since: instant) : .spent
            return state == .spent ? .press : nil
        case (.pushed(let since), false):
            let until = since + doubleWithin
            state = recognisesDouble && instant < until ? .releasedOnce(until: until) : .released
            return state == .released ? .press : nil
        case (.releasedOnce, true):
            state = .spent
            return .double
        case (.spent, false):
            state = .released
            return nil
        case (.released, false), (.pushed, true), (.releasedOnce, false), (.spent, true):
            return nil
        }
    }
}
