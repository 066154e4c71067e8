extension TimerEngine {
    /// Why a countdown refused a call; nothing changed.
    public enum CountdownError: Error, Hashable {
        /// A call that is allowed only in some modes.
        public enum Call: String, Hashable, Sendable {
            /// ``TimerEngine/Countdown/pause(at:)``, which needs a running timer.
            case pause
            /// ``TimerEngine/Countdown/resume(at:)``, which needs a paused one.
            case resume
            /// ``TimerEngine/Countdown/sync(to:at:now:)``, which needs a running or paused one.
            case sync
            /// ``TimerEngine/Countdown/add(_:at:)``, which needs one that is not stopped.
            case add
        }

        /// The call is not allowed in this mode.
        case notAllowed(Call, in: Mode)
        /// The starting time is 0, so there is nothing to run.
        case nothingToRun
        /// More than ``TimerEngine/Thresholds/longest`` seconds would be left.
        case tooLong(seconds: Int)
        /// The saved values cannot be those of a countdown; the text says why.
        case notACountdown(String)
    }
}

extension TimerEngine.CountdownError: CustomStringConvertible {
    /// What was found and what was expected.
    public var description: String {
        switch self {
        case .notAllowed(let call, let mode): "\(call) needs a \(call.needs) timer; this one is \(mode.name)"
        case .nothingToRun: "start needs a starting time above 0; this one is 0"
        case .tooLong(let seconds): "\(seconds) s would be left, more than \(TimerEngine.Thresholds.longest)"
        case .notACountdown(let fault): "not a saved countdown: \(fault)"
        }
    }
}

extension TimerEngine.CountdownError.Call {
    fileprivate var needs: String {
        switch self {
        case .pause: "running"
        case .resume: "paused"
        case .sync: "running or paused"
        case .add: "running, paused or alarmed"
        }
    }
}
