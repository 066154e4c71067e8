#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Plays the timers in a model: the countdown of the selected timer, and the sequence in its group.
///
/// A player is a value, like the ``TimerEngine/Countdown`` that it contains: it takes the current time and returns the
/// resulting events. Each call first advances the player to the given instant; a call that throws changes nothing.
///
/// A sequence loses no time between two timers: the next one starts at the instant at which zero was due, however late
/// that is noticed.
public struct TimerPlayer: Hashable, Sendable {
    /// An event that a call reports; the returned arrays are in chronological order.
    public enum Event: Hashable, Sendable {
        /// A new second is shown; it was due at this instant.
        case tick(Int, at: TimerEngine.Instant)
        /// The mode changed; the change was due at this instant.
        case modeChanged(from: TimerEngine.Mode, to: TimerEngine.Mode, at: TimerEngine.Instant)
        /// The sequence moved on to another timer; the change was due at this instant.
        case movedOn(from: TimerPath, to: TimerPath, at: TimerEngine.Instant)
        /// A run ended: by a stop, by a new start, or by moving on to the next timer.
        case runEnded(Run, at: TimerEngine.Instant)
    }

    /// A run that ended.
    public struct Run: Hashable, Sendable {
        /// The path that the timer had when the run ended.
        public package(set) var path: TimerPath
        /// The name of the run when it ended.
        public package(set) var name: String
        /// How long the run took, excluding pauses but including the alarm.
        public package(set) var used: Duration
        /// How much of ``used`` was alarm time.
        public package(set) var over: Duration
        /// How long all runs have taken since the timer's account was filled; nil for a timer without an account.
        package var total: Duration?

        package init(path: TimerPath, name: String, used: Duration, over: Duration, total: Duration? = nil) {
            (self.path, self.name, self.used, self.over, self.total) = (path, name, used, over, total)
        }
    }

    /// The account of a timer.
    package struct Account: Hashable, Sendable {
        /// What is left; nil for a timer that does not keep it.
        package var left: Duration?
        /// How long its runs have taken since it was filled.
        package var used: Duration
        /// How much of the group's budget its runs have spent.
        package var spent: Duration = .zero

        package init(left: Duration? = nil, used: Duration = .zero) { (self.left, self.used) = (left, used) }
    }

    /// The settings of a one-off run, which leave the timer unchanged.
    public struct OneOff: Hashable, Sendable {
        /// The times of this run.
        public var thresholds: TimerEngine.Thresholds
        /// The name of this run; nil for the timer's name.
        public var name: String?
        /// How long this run must take to qualify.
        public var qualifying: QualifyingTime

        /// Creates the settings of a one-off run.
        public init(
            thresholds: TimerEngine.Thresholds, name: String? = nil, qualifying: QualifyingTime = .none
        ) {
            self.thresholds = thresholds
            self.name = name
            self.qualifying = qualifying
        }
    }

    /// The timers and the selection.
    public internal(set) var model: TimerModel
    /// The countdown of the selected timer.
    public internal(set) var countdown: TimerEngine.Countdown
    /// The settings of the current one-off run; nil while stopped or in an ordinary run.
    public internal(set) var oneOff: OneOff?
    /// The settings that each start uses instead of the selected timer's, until another timer is selected; nil for none.
    package internal(set) var prepared: OneOff?
    /// The last run that ended; nil if no run has ended yet.
    public internal(set) var lastRun: Run?
    /// The accounts that have been used since they were filled.
    package internal(set) var accounts: [UUID: Account] = [:]

    /// Creates a stopped player.
    public init(_ model: TimerModel = TimerModel()) {
        self.model = model
        countdown = TimerEngine.Countdown(model.selectedTimer.thresholds)
    }

    /// The mode of the selected timer, as of the last call.
    public var mode: TimerEngine.Mode { countdown.mode }

    /// The name of the current or the prepared one-off run, if it has one, or of the selected timer.
    public var name: String { (oneOff ?? prepared)?.name ?? model.selectedTimer.name }

    /// The times that a start uses.
    var startingThresholds: TimerEngine.Thresholds { prepared?.thresholds ?? model.selectedTimer.thresholds }

    /// When ``advance(to:)`` next has something to report; nil while not running.
    public var nextInstant: TimerEngine.Instant? { countdown.nextInstant }

    /// The path of the timer that follows at zero; nil if the alarm follows.
    ///
    /// A one-off run is not part of a sequence.
    public var upNext: TimerPath? {
        oneOff == nil ? model.successor(of: model.selected) : nil
    }

    /// Moves all instants `duration` later, for a clock whose zero is earlier by that duration.
    public mutating func shift(by duration: Duration) {
        countdown.shift(by: duration)
    }
}

extension TimerPlayer.Event {
    init(_ event: TimerEngine.Countdown.Event) {
        self =
            switch event {
            case .tick(let second, let instant): .tick(second, at: instant)
            case .transition(let from, let to, let instant): .modeChanged(from: from, to: to, at: instant)
            }
    }

    /// The instant at which the event was due.
    public var instant: TimerEngine.Instant {
        switch self {
        case .tick(_, let instant), .modeChanged(_, _, let instant), .movedOn(_, _, let instant),
            .runEnded(_, let instant):
            instant
        }
    }
}

/// The reason why a player refused an action; nothing changed.
public enum PlayerError: Error, Hashable {
    /// The countdown refused it.
    case countdown(TimerEngine.CountdownError)
    /// The model refused it.
    case model(ModelError)
    /// The clock cannot wake a ``PlayerEngine``. A ``TimerPlayer``, which has no clock, never throws this.
    case clock(TimerEngine.ClockError)
    /// The saved values are not valid for a player; the string says why.
    case notAPlayer(String)
}

extension PlayerError: CustomStringConvertible {
    /// A message that states what was found and what was expected.
    public var description: String {
        switch self {
        case .countdown(let error): error.description
        case .model(let error): error.description
        case .clock(let error): error.description
        case .notAPlayer(let fault): "not a saved player: \(fault)"
        }
    }
}
