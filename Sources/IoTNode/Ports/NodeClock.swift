/// Tells the time. The real one is ``BootClock``, the one for tests ``ManualClock``.
public protocol NodeClock {
    /// The present moment.
    var now: Moment { get }
}
