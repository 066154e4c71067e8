import TimerEngine
import TimerProtocol

/// Each change of the talk has its reason: a command that was answered with `ok` and did what its verb says, a button,
/// or the passing of time. What was refused changed nothing.
struct TalkLaw {
    private struct Turn {
        var state: StateMessage
        let before: StateMessage
        let time: Duration
        /// When it was, on the boot clock.
        let now: Duration
        /// Whether no state was published, because nothing changed.
        var isSilent = false
        /// The answers that followed the state in the same instant.
        var answers: [Response] = []
        /// Whether the process was restarted in between.
        var isRestart = false
        /// Whether a meeting began, which may select or start a timer.
        var hasMeeting = false
    }

    private struct Node {
        /// The last state of this connection.
        var last: StateMessage?
        var lastAt = Duration.zero
        var turn: Turn?
        /// Whether the last state has been saved, and no input has arrived since.
        var isSaved = false
        /// Whether a command has arrived that the node has not answered. If it was disconnected meanwhile, it has done
        /// the command and published nothing.
        var isUnanswered = false
        /// What was saved when the process ended.
        var saved: StateMessage?
        /// The payloads of the commands by their ids, and by their verbs.
        var payloads: [String: [UInt8]] = [:]
        /// Whether a timer keeps what is left of it.
        var hasAccounts = false
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let turn = node.turn, turn.time < entry.time {
            node.turn = nil
            if let text = judge(turn, node, view) { return text }
        }
        switch entry.what {
        case .heard(let topic, let payload, _):
            guard let verb = topic.split(separator: "/").last.map(String.init), topic.isCommand else {
                return nil
            }
            (node.isSaved, node.saved, node.isUnanswered) = (false, nil, true)
            node.payloads[(try? JSON(parsing: payload))?["id"]?.text ?? verb] = payload
        case .said(_, .message(.state(let state))):
            var answers: [Response] = []
            if let turn = node.turn {
                node.turn = nil
                // What was answered before the state was published.
                if turn.isSilent { answers = turn.answers }
                if !turn.isSilent, let text = judge(turn, node, view) { return text }
            }
            if let before = node.last ?? node.saved {
                node.turn = Turn(
                    state: state, before: before, time: entry.time, now: state.clock.now.now, answers: answers,
                    isRestart: node.last == nil)
            }
            (node.last, node.lastAt, node.saved, node.isSaved) = (state, entry.time, nil, false)
            node.isUnanswered = false
        case .said(let topic, .message(.response(let response))):
            guard topic.hasSuffix("/response") else { return nil }
            node.isUnanswered = false
            if node.turn == nil, let last = node.last, node.lastAt < entry.time {
                node.turn = Turn(
                    state: last, before: last, time: entry.time, now: view.clock.reading(at: entry.time),
                    isSilent: true)
            }
            node.turn?.answers.append(response)
        case .said(_, .message(.event(let event))):
            if case .meetingBegan = event.kind { node.turn?.hasMeeting = true }
        case .said(_, .message(.timers(let timers))):
            node.hasAccounts = timers.model.groups.contains { $0.timers.contains(where: \.carry) }
        case .saved: node.isSaved = node.last != nil && !node.isUnanswered
        case .button: (node.isSaved, node.saved) = (false, nil)
        case .ended(.killed) where node.isSaved, .ended(.exited) where node.isSaved:
            (node.saved, node.last, node.turn) = (node.last, nil, nil)
        case .connected(true): (node.last, node.turn) = (nil, nil)
        // The node may begin to follow another one.
        case .reloaded: (node.last, node.turn, node.saved, node.isSaved) = (nil, nil, nil, false)
        case .booted:
            (node.last, node.turn, node.saved, node.isSaved) = (nil, nil, nil, false)
        case .started, .ended, .connected, .clockSet:
            (node.last, node.turn) = (nil, nil)
            node.payloads = [:]
        default: break
        }
        return nil
    }

    private func judge(_ turn: Turn, _ node: Node, _ view: NodeView) -> String? {
        // A follower changes with its leader, and a run that ends by the clock with the clock.
        if turn.hasMeeting || turn.state.follows != nil || turn.before.until != nil || turn.state.until != nil {
            return nil
        }
        if turn.isRestart { return turn.before.comesBack(as: turn.state).map { "after a restart, \($0)" } }
        // A button may be recognised as a hold or a double press later.
        if let button = view.lastButton, turn.time - button < .seconds(2) { return nil }
        let done = turn.answers.filter { if case .ok = $0.outcome { !$0.duplicate } else { false } }
        guard done.count <= 1 else { return nil }
        guard let answer = done.first, let verb = answer.command.flatMap(Verb.init(rawValue:)) else {
            if turn.isSilent { return nil }
            return turn.before.continues(as: turn.state, hasAccounts: node.hasAccounts).map {
                "without a command, \($0)"
            }
        }
        if node.hasAccounts, verb == .start || verb == .stop { return nil }
        let payload = node.payloads[answer.id ?? verb.rawValue].flatMap { try? JSON(parsing: $0) }
        return turn.before.difference(to: turn.state, at: turn.now, after: verb, payload).map {
            "after \(verb.rawValue), \($0)"
        }
    }
}

extension String {
    /// Whether a topic is one of a node's command topics.
    var isCommand: Bool { contains("/command") }
}

extension JSON {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var number: Int? { if case .integer(let number) = self { number } else { nil } }
}

extension StateMessage {
    /// Returns how another state differs from what this one becomes by time alone; nil if it does not.
    fileprivate func continues(as other: StateMessage, hasAccounts: Bool = false) -> String? {
        switch mode {
        case .stopped:
            return other.mode == .stopped ? nil : "stopped became \(other.mode.rawValue)"
        case .paused:
            guard other.mode == .paused else { return "paused became \(other.mode.rawValue)" }
            return isNear(preciseRemaining, other.preciseRemaining)
                ? nil : "\(preciseRemaining) paused became \(other.preciseRemaining)"
        case .alarm:
            guard other.mode == .alarm else { return "alarm became \(other.mode.rawValue)" }
            return isNear(clock.zero, other.clock.zero) ? nil : "the alarm moved"
        case .countdown, .warning, .final:
            guard let zero = clock.zero, let otherZero = other.clock.zero else {
                return "\(mode.rawValue) became \(other.mode.rawValue)"
            }
            if timer.id == other.timer.id {
                if isNear(zero, otherZero) { return nil }
                // A sequence of one timer that is repeated does not exist.
                return "zero moved from \(zero) to \(otherZero)"
            }
            guard let next else { return "the timer became \(other.timer.path)" }
            guard zero <= other.clock.now.now + .milliseconds(1) else { return "the sequence went on early" }
            if next == other.timer.path, !hasAccounts, !isNear(zero + .seconds(other.start), otherZero) {
                return "the next timer ends at \(otherZero), expected \(zero) and \(other.start) s"
            }
            return nil
        }
    }

    /// Returns how another state differs from what this one becomes while there is no process; nil if it does not.
    fileprivate func comesBack(as other: StateMessage) -> String? {
        guard mode.isRunning, let zero = clock.zero else { return continues(as: other) }
        let late = other.clock.now.now - zero
        if late < .zero {
            guard let otherZero = other.clock.zero, other.mode.isRunning else { return "it is \(other.mode.rawValue)" }
            return isNear(zero, otherZero) ? nil : "zero moved from \(zero) to \(otherZero)"
        }
        // What ended up to a minute ago is caught up with, and what ended before is stopped.
        guard late < .seconds(59) else { return nil }
        if next != nil { return other.timer.id == timer.id ? "the sequence did not go on" : nil }
        return other.mode == .alarm ? nil : "it is \(other.mode.rawValue) and not in alarm"
    }

    /// Returns how another state differs from what a command makes of this one at a reading of the boot clock; nil if it
    /// does not.
    fileprivate func difference(
        to other: StateMessage, at now: Duration, after verb: Verb, _ payload: JSON?
    ) -> String? {
        let isPlain = payload?["ago"] == nil && payload?["since"] == nil && payload?["until"] == nil
        switch verb {
        case .start:
            guard isPlain else { return nil }
            guard let zero = other.clock.zero else { return "it is \(other.mode.rawValue)" }
            return isNear(zero, now + .seconds(other.start)) ? nil : "zero is at \(zero), \(other.start) s from \(now)"
        case .stop:
            guard other.mode == .stopped else { return "it is \(other.mode.rawValue)" }
            return other.remaining == other.start ? nil : "\(other.remaining) s are left of \(other.start)"
        case .pause:
            guard other.mode == .paused else { return "it is \(other.mode.rawValue)" }
            guard let zero = clock.zero, timer.id == other.timer.id else { return nil }
            return isNear(other.preciseRemaining, zero - now) ? nil : "\(other.preciseRemaining) is left at \(now)"
        case .resume:
            guard mode == .paused else { return nil }
            guard let zero = other.clock.zero else { return "it is \(other.mode.rawValue)" }
            return isNear(zero, now + preciseRemaining) ? nil : "zero is at \(zero), at \(now)"
        case .add:
            guard let seconds = payload?["seconds"]?.number else { return nil }
            if mode == .paused, other.mode == .paused {
                return isNear(preciseRemaining + .seconds(seconds), other.preciseRemaining)
                    ? nil : "\(preciseRemaining) became \(other.preciseRemaining)"
            }
            guard mode.isRunning, other.mode.isRunning, timer.id == other.timer.id, let zero = clock.zero,
                let otherZero = other.clock.zero
            else { return nil }
            // While the process hung, the alarm may have begun. What is added to it counts from now.
            return isNear(max(zero, now) + .seconds(seconds), otherZero)
                ? nil : "zero moved from \(zero) to \(otherZero)"
        case .set:
            guard let seconds = payload?["remaining"]?.number, seconds > 0 else { return nil }
            guard let zero = other.clock.zero else {
                return isNear(other.preciseRemaining, .seconds(seconds)) ? nil : "\(other.preciseRemaining) is left"
            }
            return isNear(zero, now + .seconds(seconds)) ? nil : "zero is at \(zero), at \(now)"
        case .end:
            return other.mode == .alarm ? nil : "it is \(other.mode.rawValue)"
        case .silence, .beep, .lampTest, .identify, .speaker, .message, .lock, .unlock, .runs, .state, .time:
            return continues(as: other)
        default: return nil
        }
    }

    private func isNear(_ one: Duration?, _ other: Duration?) -> Bool {
        guard let one, let other else { return one == other }
        let difference = one - other
        return difference <= .milliseconds(2) && difference >= .milliseconds(-2)
    }
}
