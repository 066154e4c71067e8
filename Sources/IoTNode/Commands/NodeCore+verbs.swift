internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What each command does.
extension NodeCore {
    /// Does what the command says, or throws with nothing changed.
    mutating func execute(_ command: Command, into batch: inout EffectBatch) throws(Refusal) {
        switch command {
        case .state:
            // Nobody would hear it, and what was asked for would stay due.
            guard reconnection?.isConnected == true else { return }
            published.forget()
            publish(player.mode, into: &batch)
            health.ask(at: batch.now.instant)
        case .edit where configuration.timers.isReadOnly, .timers where configuration.timers.isReadOnly:
            throw Refusal(.readOnly, "the configuration has timers.read_only: true; its timers are edited in the file")
        case .edit(let selector, let edit): try self.edit(selector, edit, into: &batch)
        case .timers(let model): try replaceTimers(with: model, into: &batch)
        case .silence, .beep, .lampTest, .identify: try signal(command, at: batch.now.instant)
        default:
            let before = player
            try apply(play(command, at: batch.now), from: before, into: &batch)
        }
    }

    /// The commands that the player carries out.
    private mutating func play(_ command: Command, at now: Moment) throws(Refusal) -> [TimerPlayer.Event] {
        let model = player.model
        let instant = now.instant
        let start = player.countdown.thresholds.start
        switch command {
        case .start(let selector?):
            let path = try model.path(selector: selector)
            return try player.refusing { (player) throws(PlayerError) in try player.start(path, at: instant) }
        case .select(let selector):
            let path = try model.path(selector: selector)
            return try player.refusing { (player) throws(PlayerError) in try player.select(path, at: instant) }
        case .startOnce(let run):
            let oneOff = TimerPlayer.OneOff(thresholds: try run.thresholds, name: run.name)
            return try player.refusing { (player) throws(PlayerError) in try player.start(oneOff, at: instant) }
        case .set(let seconds):
            return player.setRemaining(.seconds(try Self.check(seconds, within: start)), at: instant)
        case .sync(let seconds, let date):
            let seconds = try Self.check(seconds, within: start)
            let then = instant + .seconds(now.date.distance(to: date))
            return try player.refusing { (player) throws(PlayerError) in
                try player.sync(to: seconds, at: then, now: instant)
            }
        default:
            return try player.refusing { (player) throws(PlayerError) in try player.play(command, at: instant) }
        }
    }

    private static func check(_ seconds: Int, within start: Int) throws(Refusal) -> Int {
        guard (0...start).contains(seconds) else {
            throw Refusal(.invalidPayload, "found \(seconds) s, expected 0 to \(start), where this timer starts")
        }
        return seconds
    }

    private mutating func edit(_ selector: String?, _ edit: Command.Edit, into batch: inout EffectBatch) throws(Refusal)
    {
        let path =
            try selector.map { (text) throws(Refusal) in try player.model.path(selector: text) }
            ?? player.model.selected
        let (before, now) = (player, batch.now.instant)
        let events = try player.refusing { (player) throws(PlayerError) in
            try player.edit(at: now) { (model) throws(ModelError) in try model.edit(path) { edit.apply(to: &$0) } }
        }
        apply(events, from: before, into: &batch)
        reportEdit(of: path, into: &batch)
    }

    private mutating func replaceTimers(with json: JSON, into batch: inout EffectBatch) throws(Refusal) {
        let payload = try ModelPayload(json, patterns: lamps.table.patterns.keys)
        var new = payload.model
        if !payload.selects { new.keepSelection(of: player.model) }
        let (before, now) = (player, batch.now.instant)
        let events = try player.refusing { (player) throws(PlayerError) in
            try player.edit(at: now) { (model) throws(ModelError) in model = new }
        }
        apply(events, from: before, into: &batch)
        reportEdit(of: player.model.selected, into: &batch)
    }
}

extension TimerModel {
    /// Selects the timer that another model has selected, where it is in this one too.
    mutating func keepSelection(of other: TimerModel) {
        if let path = path(of: other.selectedTimer.id) { try? select(path) }
    }
}

extension TimerPlayer {
    /// The commands that are the player's own, one for one.
    fileprivate mutating func play(_ command: Command, at now: Instant) throws(PlayerError) -> [Event] {
        switch command {
        case .start: try start(at: now)
        case .pause: try pause(at: now)
        case .resume: try resume(at: now)
        case .stop: stop(at: now)
        case .end: end(at: now)
        case .toggle: try toggle(at: now)
        case .rewind: rewind(at: now)
        case .fastForward: fastForward(at: now)
        case .next: try next(within: .model, at: now)
        case .previous: try previous(within: .model, at: now)
        case .add(let seconds): try add(seconds, at: now)
        case .startOnce, .select, .set, .sync, .state, .edit, .timers, .silence, .beep, .lampTest, .identify: []
        }
    }

    /// Acts, and turns what the player refuses into the response's code.
    fileprivate mutating func refusing(
        _ action: (inout TimerPlayer) throws(PlayerError) -> [Event]
    ) throws(Refusal) -> [Event] {
        do throws(PlayerError) { return try action(&self) } catch { throw Refusal(error) }
    }
}

extension Refusal {
    fileprivate init(_ error: PlayerError) {
        let code: Code =
            switch error {
            case .countdown(.notAllowed), .countdown(.nothingToRun), .model(.noNext), .model(.noPrevious): .notAllowed
            case .model(.noTimer), .model(.noGroup): .notFound
            case .countdown, .model, .clock, .notAPlayer: .invalidPayload
            }
        self.init(code, error.description)
    }
}

extension Command.OneRun {
    fileprivate var thresholds: TimerEngine.Thresholds {
        get throws(Refusal) {
            do throws(TimerEngine.ThresholdsError) {
                return try TimerEngine.Thresholds(start: duration, warning: warning, final: final)
            } catch {
                throw Refusal(.invalidPayload, error.description)
            }
        }
    }
}

extension Command.Edit {
    /// Changes what is to be changed; times that do not fit are clamped as in an editor.
    fileprivate func apply(to timer: inout TimerItem) {
        if let start { timer.thresholds = timer.thresholds.setting(start: start) }
        if let warning { timer.thresholds = timer.thresholds.setting(warning: warning) }
        if let final { timer.thresholds = timer.thresholds.setting(final: final) }
        if let name { timer.name = name }
        if let event { timer.event = event.isEmpty ? nil : event }
        if let location { timer.location = location.isEmpty ? nil : location }
    }
}
