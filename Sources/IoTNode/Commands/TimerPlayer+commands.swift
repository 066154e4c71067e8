internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

extension TimerModel {
    /// Selects the timer that another model has selected, if this model contains it.
    mutating func keepSelection(of other: TimerModel) {
        if let path = path(of: other.selectedTimer.id) { try? select(path) }
    }
}

extension TimerPlayer {
    /// Executes a command, or throws without changing anything.
    mutating func act(on command: PlayerCommand, at now: Moment) throws(Refusal) -> [Event] {
        let instant = now.instant
        switch command {
        case .start(let selector?, _, _):
            let path = try model.path(selector: selector)
            return try Refusal.of(try start(path, at: instant))
        case .start(nil, _, _): return try Refusal.of(try start(at: instant))
        case .startOnce(let run, _, _):
            let oneOff = OneOff(thresholds: try run.thresholds, name: run.name)
            return try Refusal.of(try start(oneOff, at: instant))
        // The node, which knows the zone and the clock, starts it.
        case .startUntil: return []
        case .pause: return try Refusal.of(try pause(at: instant))
        case .resume: return try Refusal.of(try resume(at: instant))
        case .stop: return stop(at: instant)
        case .end: return end(at: instant)
        case .toggle: return try Refusal.of(try toggle(at: instant))
        case .rewind: return rewind(at: instant)
        case .fastForward: return fastForward(at: instant)
        case .next: return try Refusal.of(try next(within: .model, at: instant))
        case .previous: return try Refusal.of(try previous(within: .model, at: instant))
        case .select(let selector):
            let path = try model.path(selector: selector)
            return try Refusal.of(try select(path, at: instant))
        case .switchTo(let selector): return try switchAccount(to: selector, at: instant)
        case .set(let seconds): return setRemaining(.seconds(try check(remaining: seconds)), at: instant)
        case .add(let seconds): return try Refusal.of(try add(seconds, at: instant))
        case .sync(let seconds, let date):
            let seconds = try check(remaining: seconds)
            let then = instant + .seconds(now.date.distance(to: date))
            return try Refusal.of(try sync(to: seconds, at: then, now: instant))
        }
    }

    private func check(remaining seconds: Int) throws(Refusal) -> Int {
        let start = countdown.thresholds.start
        guard (0...start).contains(seconds) else {
            throw Refusal(.invalidPayload, "found \(seconds) s, expected 0 to \(start), the start of this timer")
        }
        return seconds
    }
}

extension PlayerCommand {
    /// Whether the command may start the selected timer.
    var mayStart: Bool {
        switch self {
        case .start(nil, _, _), .toggle: true
        default: false
        }
    }

    /// Whether the command changes the time that is left.
    var changesTimeLeft: Bool {
        switch self {
        case .add, .set, .sync: true
        default: false
        }
    }
}

extension Refusal {
    /// Returns the result of a player call, and converts an error to a refusal.
    static func of<Value>(_ call: @autoclosure () throws(PlayerError) -> Value) throws(Refusal) -> Value {
        do throws(PlayerError) { return try call() } catch { throw Refusal(error) }
    }

    /// Creates a refusal of a command that is based on an outdated revision.
    init(revision found: Int, of field: String, is present: Int) {
        self.init(.conflict, "field \"\(field)\": found \(found), but it is now \(present)")
    }

    init(_ error: PlayerError) {
        let code: Code =
            switch error {
            case .countdown(.notAllowed), .countdown(.nothingToRun), .model(.noNext), .model(.noPrevious): .notAllowed
            case .model(.noTimer), .model(.noGroup): .notFound
            case .countdown, .model, .clock, .notAPlayer: .invalidPayload
            }
        self.init(code, error.description)
    }
}

extension PlayerCommand.OneRun {
    fileprivate var thresholds: Thresholds {
        get throws(Refusal) {
            do throws(TimerEngine.ThresholdsError) {
                return try Thresholds(start: duration, warning: warning, final: final)
            } catch {
                throw Refusal(.invalidPayload, error.description)
            }
        }
    }
}

extension ModelCommand.Edit {
    /// Applies the changes; times that are out of range are clamped, as in an editor.
    func apply(to timer: inout TimerItem) {
        if let start { timer.thresholds = timer.thresholds.setting(start: start) }
        if let warning { timer.thresholds = timer.thresholds.setting(warning: warning) }
        if let final { timer.thresholds = timer.thresholds.setting(final: final) }
        if let maximum { timer.qualifying = timer.qualifying.setting(maximum: maximum) }
        if let minimum { timer.qualifying = timer.qualifying.setting(minimum: minimum) }
        if let name { timer.name = name }
        if let event { timer.event = event.isEmpty ? nil : event }
        if let location { timer.location = location.isEmpty ? nil : location }
    }
}
