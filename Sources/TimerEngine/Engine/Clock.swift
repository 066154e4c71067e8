#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TimerEngine {
    /// What an engine takes the time from, and is woken by.
    ///
    /// ``SystemClock`` is the real one, ``ManualClock`` the one for tests and simulations.
    public protocol Clock: Sendable {
        /// The present instant; it never goes back, whatever the wall clock does.
        var now: Instant { get }

        /// The date on the wall clock, for ``TimerEngine/sync(to:date:)`` alone.
        var date: Date { get }

        /// Makes what wakes one engine.
        func makeWaker() -> any Waker
    }

    /// Calls back once, at an instant of its clock.
    ///
    /// An engine calls it under its own lock, so neither of the methods runs or drops a body before it returns, unless
    /// the caller cannot be waiting for that body.
    public protocol Waker: AnyObject, Sendable {
        /// Calls `body` once, at or soon after `instant`, on a thread of the clock; this takes the place of a call that
        /// is still to come.
        ///
        /// The body is held until it was called or its place is taken: that is what keeps a running engine alive.
        ///
        /// - Throws: ``ClockError`` where the clock cannot call anybody; a call that is still to come stays then. It does
        ///   not happen within a body that it calls.
        func wake(at instant: Instant, _ body: @escaping @Sendable () -> Void) throws(ClockError)

        /// Calls off the call that is still to come, if there is one.
        func cancel()
    }

    /// Why a clock cannot wake anybody: the machine's has no thread for it, and can have none.
    public struct ClockError: Error, Hashable, CustomStringConvertible {
        /// What is the matter.
        public let description: String

        /// An error that says what is the matter.
        public init(_ description: String) {
            self.description = description
        }
    }
}
