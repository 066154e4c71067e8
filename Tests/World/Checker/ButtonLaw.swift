import TimerEngine
import TimerProtocol

/// A push of a button does on time what its gesture is bound to. A push is judged if nothing else happens until its
/// gesture is recognised.
struct ButtonLaw {
    /// What the buttons do that `StoryTeller` gives to nodes; each also has a command for a double press.
    private enum Bound {
        case toggle, stop, add(Duration), other

        init(_ line: String, isHold: Bool) {
            self =
                switch (line, isHold) {
                case ("A", false): .toggle
                case ("A", true): .stop
                case ("B", false): .add(.seconds(10))
                default: .other
                }
        }
    }

    private struct Push {
        let line: String
        let down: Duration
        var up: Duration?
        /// The last state before the gesture.
        var before: StateMessage

        private static let doubleWithin = Duration.milliseconds(300)
        private static let holdFrom = Duration.milliseconds(800)

        /// When its gesture is recognised: a hold while it lasts, a press once it can no longer become a double press.
        var due: Duration {
            guard let up, up - down < Self.holdFrom else { return down + Self.holdFrom }
            return max(up, down + Self.doubleWithin)
        }
        var bound: Bound { Bound(line, isHold: due - down >= Self.holdFrom) }
    }

    private var pushes: [String: Push] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var push = pushes[entry.machine]
        defer { pushes[entry.machine] = push }
        if let open = push, entry.time > open.due + .milliseconds(5) {
            push = nil
            return expected(of: open).map { "a push at \(open.down.clockText) was not followed by \($0)" }
        }
        switch entry.what {
        case .button(let line, isDown: true, isWatched: true):
            push = isAlone(entry, view) ? view.state.map { Push(line: line, down: entry.time, before: $0) } : nil
        case .button(_, isDown: false, _): push?.up = entry.time
        case .said(_, .message(.state(let state))):
            guard let open = push else { break }
            // Its own time may change the state before the gesture does.
            let isEarly = entry.time < open.due - .milliseconds(5)
            let isOpen = isEarly || expected(of: open) != nil && !isMade(state, of: open)
            if isOpen { push?.before = state } else { push = nil }
        case .said(_, .message(.event(let event))): if case .meetingBegan = event.kind { push = nil }
        case .booted, .started, .askedToStop, .ended, .hung, .chip, .clockSet, .heard, .connected, .reloaded: push = nil
        default: break
        }
        return nil
    }

    /// Whether nothing disturbs a push that begins now.
    private func isAlone(_ entry: Entry, _ view: NodeView) -> Bool {
        let isQuiet = view.lastButton.map { entry.time - $0 > .seconds(2) } ?? true
        return isQuiet && view.isAlive && !view.isHung && view.hasChip && view.isConnected && !view.isFollower
            && view.state?.locked == nil && entry.time - view.aliveSince > .seconds(2)
    }

    /// Returns what a push must do, in words; nil if it is not judged.
    private func expected(of push: Push) -> String? {
        let before = push.before
        switch push.bound {
        case .toggle:
            switch before.mode {
            case .stopped: return before.start > 0 ? "a start" : nil
            case .paused: return "a resumption"
            case .countdown, .warning, .final: return "a pause"
            case .alarm: return nil
            }
        case .stop: return before.mode == .stopped ? nil : "a stop"
        case .add(let time): return before.mode.isRunning && before.until == nil ? "\(time) more" : nil
        case .other: return nil
        }
    }

    private func isMade(_ state: StateMessage, of push: Push) -> Bool {
        switch push.bound {
        case .toggle where push.before.mode.isRunning: state.mode == .paused
        // A timer whose account is spent is in alarm at once.
        case .toggle: state.mode.isRunning || state.mode == .alarm
        case .stop: state.mode == .stopped
        case .add(let time):
            if let zero = state.clock.zero, let before = push.before.clock.zero {
                abs((zero - before - time) / .milliseconds(1)) < 2
            } else {
                false
            }
        case .other: true
        }
    }
}
