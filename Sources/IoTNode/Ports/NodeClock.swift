package import TimerEngine

/// Tells the time and waits. The real one is ``BootClock``, the one for tests ``VirtualClock``.
package protocol NodeClock: AnyObject {
    /// The present moment.
    var now: Moment { get }

    /// What tells this boot of the machine, in which instants have their meaning, from all others.
    var boot: String { get }

    /// Waits until a descriptor is ready or the deadline is there, whichever comes first; perhaps less.
    ///
    /// - Returns: the descriptors that are ready, each with what it is ready for.
    func wait(for interests: [Interest], until deadline: TimerEngine.Instant?) -> [Interest]

    /// Leaves the processor to others for a moment, about a tenth of a millisecond.
    func rest()
}
