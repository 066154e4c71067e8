#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// Gives an engine the time and wakes it.
    ///
    /// ``SystemClock`` is the real clock, ``ManualClock`` is for tests and simulations.
    public protocol Clock: Sendable {
        /// The current instant; it never goes back, even if the wall clock does.
        var now: Instant { get }

        /// The date on the wall clock; only ``TimerEngine/sync(to:date:)`` uses it.
        var date: Date { get }

        /// Creates a waker for one engine.
        func makeWaker() -> any Waker
    }

    /// Calls back once, at an instant of its clock.
    ///
    /// An engine calls these methods while holding its own lock. So they must not run or release a body before they
    /// return, unless the caller cannot be waiting for that body.
    public protocol Waker: AnyObject, Sendable {
        /// Calls `body` once, at or soon after `instant`, on a thread of the clock. This replaces a call that is still
        /// scheduled.
        ///
        /// The body is retained until it was called or replaced; this keeps a running engine alive.
        ///
        /// - Throws: ``ClockError`` if the clock cannot make calls; a scheduled call is kept then. It does not throw
        ///   within a body that it calls.
        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) throws(ClockError)

        /// Cancels the scheduled call, if there is one.
        func cancel()
    }

    /// Why a clock cannot make calls; for the system clock, that no thread can be created.
    public struct ClockError: Error, Hashable, CustomStringConvertible {
        /// The reason.
        public let description: String

        /// Creates an error with a reason.
        public init(_ description: String) {
            self.description = description
        }
    }
}
