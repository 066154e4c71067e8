internal import TimerEngine

/// Lets a change of level count once the line has been stable for a while: the kernel's rule, for a libgpiod that
/// cannot ask the kernel for it.
///
/// Each edge begins the wait anew, and the change counts from its end. What is over sooner never was: neither the
/// bouncing of a contact nor a spark beside a long wire.
struct Debouncer: Hashable, Sendable {
    /// How long the line has to be stable; zero lets each edge count at once.
    let period: Duration
    /// The level that counts.
    private(set) var isActive: Bool
    /// When the other level counts, if there is no edge before; nil while the line is at the level that counts.
    private(set) var nextInstant: TimerEngine.Instant?

    /// A line that has been at a level for long enough.
    init(period: Duration, isActive: Bool) {
        self.period = period
        self.isActive = isActive
    }

    /// Takes an edge; its level need not be another than that of the one before, of a fast pair one may be lost.
    mutating func process(_ edge: Edge) {
        nextInstant = edge.isActive == isActive ? nil : edge.instant + period
    }

    /// Lets the other level count.
    mutating func settle() {
        nextInstant = nil
        isActive.toggle()
    }
}
