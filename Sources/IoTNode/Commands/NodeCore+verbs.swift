internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// What each command does.
extension NodeCore {
    /// Does what the command says, or throws with nothing changed.
    mutating func execute(_ command: Command, into batch: inout EffectBatch) throws(Refusal) {
        switch command {
        case .player(let command):
            let before = player
            try apply(player.execute(command, at: batch.now), from: before, into: &batch)
        case .signal(let command): try execute(command, at: batch.now.instant)
        case .model where configuration.timers.isReadOnly:
            throw Refusal(.readOnly, "the configuration has timers.read_only: true; its timers are edited in the file")
        case .model(.edit(let selector, let edit)): try self.edit(selector, edit, into: &batch)
        case .model(.timers(let document)): try replaceTimers(with: document, into: &batch)
        case .state:
            // Nobody would hear it, and what was asked for would stay due.
            guard reconnection?.isConnected == true else { return }
            published.forget()
            publish(player.mode, into: &batch)
            health.ask(at: batch.now.instant)
        }
    }

    private mutating func edit(_ selector: String?, _ edit: ModelCommand.Edit, into batch: inout EffectBatch)
        throws(Refusal)
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

    private mutating func replaceTimers(with document: ModelDocument, into batch: inout EffectBatch) throws(Refusal) {
        let payload = try ModelPayload(document, patterns: lamps.table.patterns.keys)
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
    /// Does what the command says, or throws with nothing changed.
    fileprivate mutating func execute(_ command: PlayerCommand, at now: Moment) throws(Refusal) -> [Event] {
        let instant = now.instant
        switch command {
        case .start(let selector?):
            let path = try model.path(selector: selector)
            return try refusing { (player) throws(PlayerError) in try player.start(path, at: instant) }
        case .start(nil): return try refusing { (player) throws(PlayerError) in try player.start(at: instant) }
        case .startOnce(let run):
            let oneOff = OneOff(thresholds: try run.thresholds, name: run.name)
            return try refusing { (player) throws(PlayerError) in try player.start(oneOff, at: instant) }
        case .pause: return try refusing { (player) throws(PlayerError) in try player.pause(at: instant) }
        case .resume: return try refusing { (player) throws(PlayerError) in try player.resume(at: instant) }
        case .stop: return stop(at: instant)
        case .end: return end(at: instant)
        case .toggle: return try refusing { (player) throws(PlayerError) in try player.toggle(at: instant) }
        case .rewind: return rewind(at: instant)
        case .fastForward: return fastForward(at: instant)
        case .next: return try refusing { (player) throws(PlayerError) in try player.next(within: .model, at: instant) }
        case .previous:
            return try refusing { (player) throws(PlayerError) in try player.previous(within: .model, at: instant) }
        case .select(let selector):
            let path = try model.path(selector: selector)
            return try refusing { (player) throws(PlayerError) in try player.select(path, at: instant) }
        case .set(let seconds): return setRemaining(.seconds(try check(remaining: seconds)), at: instant)
        case .add(let seconds):
            return try refusing { (player) throws(PlayerError) in try player.add(seconds, at: instant) }
        case .sync(let seconds, let date):
            let seconds = try check(remaining: seconds)
            let then = instant + .seconds(now.date.distance(to: date))
            return try refusing { (player) throws(PlayerError) in
                try player.sync(to: seconds, at: then, now: instant)
            }
        }
    }

    private func check(remaining seconds: Int) throws(Refusal) -> Int {
        let start = countdown.thresholds.start
        guard (0...start).contains(seconds) else {
            throw Refusal(.invalidPayload, "found \(seconds) s, expected 0 to \(start), where this timer starts")
        }
        return seconds
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

extension PlayerCommand.OneRun {
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

extension ModelCommand.Edit {
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
