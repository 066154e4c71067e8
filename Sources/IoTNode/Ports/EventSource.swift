package import TimerEngine

/// Something the loop waits for: descriptors that become ready, a deadline, or both.
package protocol EventSource: AnyObject {
    /// The descriptors to watch during the next wait.
    var interests: [Interest] { get }

    /// When ``takeEvents(ready:at:)`` wants to be called though nothing is ready; nil for never.
    var nextInstant: Instant? { get }

    /// Does what is due for the ready descriptors and the time, without blocking, and returns what happened.
    ///
    /// The loop calls it after each wait, mostly with nothing ready and nothing due. It returns a bounded number of
    /// events; what remains makes a descriptor ready again, or ``nextInstant`` due.
    ///
    /// - Parameters:
    ///   - ready: those of ``interests`` that are ready; a descriptor in error is ready for all it was watched for.
    ///   - now: the present instant.
    func takeEvents(ready: [Interest], at now: Instant) -> [NodeEvent]
}

extension EventSource {
    /// Most sources have no deadline of their own.
    package var nextInstant: Instant? { nil }
}

/// A file descriptor and what it is watched for.
package struct Interest: Hashable, Sendable {
    /// The kinds of readiness.
    package struct Events: OptionSet, Hashable, Sendable {
        /// The bits.
        package let rawValue: UInt8

        /// Makes a set from its bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// There is something to read.
        package static let read = Events(rawValue: 1)
        /// There is room to write.
        package static let write = Events(rawValue: 2)
    }

    /// The file descriptor; its owner keeps it open while it is watched.
    package let descriptor: Int32
    /// What to watch for, or what it is ready for.
    package let events: Events

    /// Pairs a descriptor with events.
    package init(descriptor: Int32, events: Events) {
        self.descriptor = descriptor
        self.events = events
    }
}
