internal import TimerEngine

/// Tells a press, a double and a hold of one button apart, from a level that does not bounce.
///
/// A gesture is recognised as soon as it can be nothing else of those that are told apart, and of one push there is
/// never more than one: after a hold or a double, nothing comes of the push before the button is let go.
struct GestureRecogniser: Hashable, Sendable {
    /// What is known of the present push.
    private enum State: Hashable {
        /// The button is up, and nothing is open.
        case released
        /// It is down since an instant, and what this becomes is open.
        case pushed(since: TimerEngine.Instant)
        /// It is up after a short push; another push before an instant makes a double of it.
        case releasedOnce(until: TimerEngine.Instant)
        /// It is down, and nothing more comes of it.
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
    ///   - gestures: those that mean something; the others are not waited for.
    ///   - doubleWithin: the time from a push to the next, less than which makes a double.
    ///   - holdFrom: how long a push is until it is a hold.
    ///   - isActive: whether the button is down; one that is down at first does nothing until it is let go.
    init(_ gestures: Set<Gesture>, doubleWithin: Duration, holdFrom: Duration, isActive: Bool) {
        tellsDouble = gestures.contains(.double)
        tellsHold = gestures.contains(.hold)
        self.doubleWithin = doubleWithin
        self.holdFrom = holdFrom
        state = isActive ? .spent : .released
    }

    /// When ``elapse()`` is due; nil while no time is waited for.
    var nextInstant: TimerEngine.Instant? {
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
    mutating func change(to isActive: Bool, at instant: TimerEngine.Instant) -> Gesture? {
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

/// What is done with a button.
package enum Gesture: String, CaseIterable, Hashable, Sendable {
    /// Pressed once.
    case press
    /// Pressed twice, shortly after one another.
    case double
    /// Held down for a while.
    case hold
}
