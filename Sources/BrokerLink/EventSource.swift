package import FoundationEssentials
package import TimerEngine

/// A source of events that a loop waits for: descriptors that become ready, a deadline, or both.
package protocol EventSource<Event>: AnyObject {
    /// The type of the events that it reports.
    associatedtype Event

    /// The descriptors to watch during the next wait.
    var interests: [Interest] { get }

    /// When ``takeEvents(ready:at:)`` must be called even if no descriptor is ready; nil for never.
    var nextInstant: Instant? { get }

    /// Handles the ready descriptors and the expired deadlines, without blocking, and returns the resulting events.
    ///
    /// The loop calls it when a descriptor is ready or ``nextInstant`` has come. It returns a bounded number of events;
    /// the rest makes a descriptor ready again, or ``nextInstant`` due.
    ///
    /// - Parameters:
    ///   - ready: the entries of ``interests`` that are ready; a descriptor in error is ready for everything that it
    ///     was watched for.
    ///   - now: the current instant.
    func takeEvents(ready: [Interest], at now: Instant) -> [Event]
}

extension EventSource {
    /// Most sources have no deadline.
    package var nextInstant: Instant? { nil }

    /// Wraps the source for a loop that waits for several sources: each event is converted to an event of the loop.
    package func reporting<Mapped>(as wider: @escaping (Event) -> Mapped) -> any EventSource<Mapped> {
        MappedSource(base: self, wider: wider)
    }
}

extension EventSource where Event == Never {
    /// Adapts a source that has no events for a loop that waits on several sources.
    package func reporting<Mapped>() -> any EventSource<Mapped> { reporting(as: impossible) }
}

private func impossible<Mapped>(_ never: Never) -> Mapped {}

private final class MappedSource<Base: EventSource, Event>: EventSource {
    private let base: Base
    private let wider: (Base.Event) -> Event

    init(base: Base, wider: @escaping (Base.Event) -> Event) { (self.base, self.wider) = (base, wider) }

    var interests: [Interest] { base.interests }
    var nextInstant: Instant? { base.nextInstant }

    func takeEvents(ready: [Interest], at now: Instant) -> [Event] {
        base.takeEvents(ready: ready, at: now).map(wider)
    }
}

/// A file descriptor and the events to watch for.
package struct Interest: Hashable, Sendable {
    /// The kinds of readiness.
    package struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        package let rawValue: UInt8

        /// Makes a set from its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Data can be read.
        package static let read = Events(rawValue: 1)
        /// Data can be written.
        package static let write = Events(rawValue: 2)
    }

    /// The file descriptor, which its owner keeps open while it is watched.
    package let descriptor: Int32
    /// The events to watch for, or that it is ready for.
    package let events: Events

    /// Pairs a descriptor with events.
    package init(descriptor: Int32, events: Events) {
        self.descriptor = descriptor
        self.events = events
    }
}

extension [Interest] {
    /// Returns the ready descriptors that one source watches.
    package func among(_ watched: [Interest]) -> [Interest] {
        if isEmpty || watched.isEmpty { return [] }
        return filter { found in watched.contains { $0.descriptor == found.descriptor } }
    }
}

/// A clock that can also wait.
package protocol NodeClock: AnyObject {
    /// The current moment.
    var now: Moment { get }

    /// Identifies the current boot of the machine, from which instants are counted.
    var boot: String { get }

    /// Waits until a descriptor is ready or the deadline passes; may return earlier.
    ///
    /// - Returns: the descriptors that are ready, each with its kinds of readiness.
    func wait(for interests: [Interest], until deadline: Instant?) -> [Interest]

    /// Yields the processor to other threads for about a tenth of a millisecond.
    func yieldBriefly()
}

/// One reading of both clocks.
package struct Moment: Hashable, Sendable {
    /// The time of the monotonic clock, which all arithmetic uses.
    package let instant: Instant
    /// The time of the wall clock, for dates that people and other systems read.
    package let date: Date

    /// Combines one reading of each clock.
    package init(instant: Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    /// Returns the wall-clock date of another instant, according to this reading.
    package func date(of instant: Instant) -> Date {
        date.addingTimeInterval(self.instant.duration(to: instant).inSeconds)
    }
}

extension Instant? {
    /// Returns the earlier of two instants, where nil means never.
    package static func earliest(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
