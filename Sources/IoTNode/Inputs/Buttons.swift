package import NodeConfiguration
package import NodePorts
package import TimerEngine

/// All the buttons of a node.
package struct Buttons: Hashable, Sendable {
    /// What somebody did with a button.
    package struct Action: Hashable, Sendable {
        package let line: InputName
        package let gesture: Gesture
    }

    private let settings: [NodeConfiguration.Button]
    /// In the order of the settings; empty while the lines are not held.
    private var buttons: [ButtonState] = []

    /// Buttons whose lines are not held yet.
    package init(_ settings: [NodeConfiguration.Button]) { self.settings = settings }

    /// Whether there are lines to hold.
    var areConfigured: Bool { !settings.isEmpty }
    /// Whether the lines are held.
    var areHeld: Bool { !buttons.isEmpty }

    /// When ``advance(to:)`` wants to be called; nil while no time is waited for.
    package var nextInstant: Instant? { buttons.compactMap(\.nextInstant).min() }

    /// The lines are held from now on. A button that is down does nothing until it is released.
    package mutating func hold(_ lines: HeldInputs) {
        buttons = settings.map {
            ButtonState($0, isActive: lines.active.contains($0.line), isDebounced: lines.areDebounced)
        }
    }

    /// The lines are lost, and with them every gesture that had begun.
    mutating func release() { buttons = [] }

    /// Processes all the edges up to the present.
    ///
    /// - Parameters:
    ///   - edges: of any lines, in any order; those of one instant in the order in which they happened.
    ///   - now: the present instant.
    /// - Returns: what was done, in order.
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

    /// Lets time pass without an edge.
    package mutating func advance(to now: Instant) -> [Action] {
        var actions: [Action] = []
        while let next = nextInstant, next <= now, let index = buttons.firstIndex(where: { $0.nextInstant == next }) {
            if let gesture = buttons[index].step() {
                actions.append(Action(line: settings[index].line, gesture: gesture))
            }
        }
        return actions
    }

    /// The command that is bound to what was done.
    func command(for action: Action) -> BoundCommand? {
        settings.first { $0.line == action.line }?.commands[action.gesture]
    }
}

/// One button: edges and the passing of time in, gestures out.
struct ButtonState: Hashable, Sendable {
    private var debouncer: Debouncer
    private var recogniser: GestureRecogniser

    /// A button whose level is known.
    ///
    /// - Parameter isDebounced: whether the kernel debounces its line.
    init(_ settings: NodeConfiguration.Button, isActive: Bool, isDebounced: Bool) {
        debouncer = Debouncer(period: isDebounced ? .zero : settings.debounce, isActive: isActive)
        recogniser = GestureRecogniser(
            Set(settings.commands.keys), doubleWithin: settings.doubleWithin, holdFrom: settings.holdFrom,
            isActive: isActive)
    }

    /// When ``step()`` is due; nil while no time is waited for.
    var nextInstant: Instant? {
        [debouncer.nextInstant, recogniser.nextInstant].compactMap { $0 }.min()
    }

    /// Processes an edge, after all steps that were due before it.
    mutating func process(_ edge: Edge) { debouncer.process(edge) }

    /// Does what is due at ``nextInstant``; returns the gesture that it completes.
    mutating func step() -> Gesture? {
        guard let now = nextInstant else { return nil }
        // The end of a time comes before what happens at that instant: held for exactly 800 ms is a hold.
        if recogniser.nextInstant == now { return recogniser.elapse() }
        debouncer.settle()
        return recogniser.change(to: debouncer.isActive, at: now)
    }
}

/// Accepts a change of level once the line has been stable for a while. This is the kernel's rule, for a libgpiod that
/// cannot ask the kernel to apply it.
///
/// Each edge restarts the wait, and the change counts from its end. A shorter pulse is ignored: the bouncing of a
/// contact, or a spark beside a long wire.
struct Debouncer: Hashable, Sendable {
    /// How long the line has to be stable; with zero each edge counts at once.
    let period: Duration
    /// The level that counts.
    private(set) var isActive: Bool
    /// When the other level will count unless an edge comes before; nil while the line is at the level that counts.
    private(set) var nextInstant: Instant?

    /// A line that has been at a level for long enough.
    init(period: Duration, isActive: Bool) {
        self.period = period
        self.isActive = isActive
    }

    /// Processes an edge. Two edges in a row may have the same level, because one of a fast pair may be lost.
    mutating func process(_ edge: Edge) {
        nextInstant = edge.isActive == isActive ? nil : edge.instant + period
    }

    /// The other level counts from now on.
    mutating func settle() {
        nextInstant = nil
        isActive.toggle()
    }
}

/// Recognises a press, a double and a hold of one button, from a level that does not bounce.
///
/// A gesture is recognised as soon as no other configured gesture is possible. One push leads to one gesture at most:
/// after a hold or a double nothing more follows until the button is released.
struct GestureRecogniser: Hashable, Sendable {
    /// What is known of the present push.
    private enum State: Hashable {
        /// The button is up, and no gesture has begun.
        case released
        /// It is down since an instant; the gesture is not decided.
        case pushed(since: Instant)
        /// It is up after a short push; another push before an instant makes it a double.
        case releasedOnce(until: Instant)
        /// It is down, and its gesture was recognised.
        case spent
    }

    private let tellsDouble: Bool
    private let tellsHold: Bool
    private let doubleWithin: Duration
    private let holdFrom: Duration
    private var state: State

    /// A button whose level is known.
    ///
    /// - Parameters:
    ///   - gestures: those that have a command; no time is spent waiting for the others.
    ///   - doubleWithin: two pushes that begin within less than this time are a double.
    ///   - holdFrom: how long a push is until it is a hold.
    ///   - isActive: whether the button is down; one that is down at first does nothing until it is released.
    init(_ gestures: Set<Gesture>, doubleWithin: Duration, holdFrom: Duration, isActive: Bool) {
        tellsDouble = gestures.contains(.double)
        tellsHold = gestures.contains(.hold)
        self.doubleWithin = doubleWithin
        self.holdFrom = holdFrom
        state = isActive ? .spent : .released
    }

    /// When ``elapse()`` is due; nil while no time is waited for.
    var nextInstant: Instant? {
        switch state {
        case .released, .spent: nil
        case .pushed(let since): since + (tellsHold ? holdFrom : doubleWithin)
        case .releasedOnce(let until): until
        }
    }

    /// The time that was waited for is over.
    mutating func elapse() -> Gesture? {
        switch state {
        case .released, .spent: return nil
        case .pushed:
            state = .spent
            return tellsHold ? .hold : .press
        case .releasedOnce:
            state = .released
            return .press
        }
    }

    /// The button goes down or up, before ``nextInstant``.
    mutating func change(to isActive: Bool, at instant: Instant) -> Gesture? {
        switch (state, isActive) {
        case (.released, true):
            state = tellsDouble || tellsHold ? .pushed(since: instant) : .spent
            return state == .spent ? .press : nil
        case (.pushed(let since), false):
            let until = since + doubleWithin
            state = tellsDouble && instant < until ? .releasedOnce(until: until) : .released
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
