internal import NodeConfiguration
internal import TimerEngine

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
