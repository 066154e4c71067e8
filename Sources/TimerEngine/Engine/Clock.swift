#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// Provides the time to an engine and wakes it.
    ///
    /// ``SystemClock`` is the real clock; ``ManualClock`` is for tests and simulations.
    public protocol Clock: Sendable {
        /// The current instant; it never goes back, even if the wall clock does.
        var now: Instant { get }

        /// The date on the wall clock; only ``TimerEngine/sync(to:date:)`` uses it.
        var date: Date { get }

        /// Creates a waker for one engine.
        func makeWaker() -> any Waker
    }

    /// Calls an engine back once, at an instant of its clock.
    ///
    /// An engine calls these methods while holding its lock. They must therefore not run or release a body before they
    /// return, unless the caller cannot be waiting for that body.
    public protocol Waker: AnyObject, Sendable {
        /// Calls `body` once, at or soon after `instant`, on a thread of the clock. This replaces a call that is still
        /// scheduled.
        ///
        /// The body is retained until it has been called or replaced; this keeps a running engine alive.
        ///
        /// - Throws: ``ClockError`` if the clock cannot make calls; in that case, a call already scheduled is kept. It
        ///   never throws when a body that the clock calls schedules the next call.
        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) throws(ClockError)

        /// Cancels the scheduled call, if there is one.
        func cancel()
    }

    /// The reason why a clock cannot make calls; for the system clock, no thread could be created.
    public struct ClockError: Error, Hashable, CustomStringConvertible {
        /// The reason.
        public let description: String

        /// Creates an error with a reason.
        public init(_ description: String) {
            self.description = description
        }
    }
}

/// Scheduled calls, at most one per waker.
struct CallQueue: Sendable {
    struct Call: Sendable {
        let instant: TimerEngine.Instant
        /// A sequence number: calls for the same instant are made in the order in which they were scheduled.
        fileprivate let number: Int
        /// Retained while the call is scheduled, so that no other waker can have the same identity.
        fileprivate let waker: any TimerEngine.Waker
        let body: @Sendable () -> Void
    }

    private var calls: [ObjectIdentifier: Call] = [:]
    private var asked = 0

    /// The next call.
    var first: Call? { calls.values.min { ($0.instant, $0.number) < ($1.instant, $1.number) } }

    /// Schedules a call.
    ///
    /// - Returns: The call that it replaces; if you hold a lock, release that call after unlocking.
    mutating func schedule(
        _ body: @escaping @Sendable () -> Void, at instant: TimerEngine.Instant, of waker: any TimerEngine.Waker
    ) -> Call? {
        asked += 1
        return calls.updateValue(
            Call(instant: instant, number: asked, waker: waker, body: body), forKey: ObjectIdentifier(waker))
    }

    mutating func cancel(of waker: any TimerEngine.Waker) -> Call? {
        calls.removeValue(forKey: ObjectIdentifier(waker))
    }

    /// Removes and returns the next call if it is due by `instant`.
    mutating func removeFirst(upTo instant: TimerEngine.Instant) -> Call? {
        guard let first, first.instant <= instant else { return nil }
        return cancel(of: first.waker)
    }
}
