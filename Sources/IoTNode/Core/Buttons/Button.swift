internal import TimerEngine

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
    var nextInstant: TimerEngine.Instant? {
        [debouncer.nextInstant, recogniser.nextInstant].compactMap { $0 }.min()
    }

    /// Takes an edge, after all steps that were due by then.
    mutating func process(_ edge: Edge) { debouncer.process(edge) }

    /// Does what is due at ``nextInstant``; returns the gesture that it completes.
    mutating func step() -> Gesture? {
        guard let now = nextInstant else { return nil }
        // A time that is over comes before what happens at its end: held for exactly 800 ms is a hold.
        if recogniser.nextInstant == now { return recogniser.elapse() }
        debouncer.settle()
        return recogniser.change(to: debouncer.isActive, at: now)
    }
}
