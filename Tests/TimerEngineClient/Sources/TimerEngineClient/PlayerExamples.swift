import TimerEngine

/// Two timers of a group, which an engine plays one after the other without a gap.
func playByItself(on clock: any TimerEngine.Clock) throws -> PlayerEngine {
    let talk = TimerItem(name: "Talk", thresholds: try TimerEngine.Thresholds(start: 1200, warning: 300, final: 60))
    let questions = TimerItem(name: "Questions", thresholds: try TimerEngine.Thresholds(start: 300, warning: 60))
    let model = try TimerModel(groups: [TimerGroup(name: "Morning", timers: [talk, questions])])
    let engine = PlayerEngine(model, clock: clock) { _, event in
        if case .movedOn(_, let path, _) = event { print("now", path) }
    }
    try engine.start()
    return engine
}

/// The same timers in a separate loop.
func playSequence() throws -> [TimerPlayer.Event] {
    let talk = TimerItem(name: "Talk", thresholds: try TimerEngine.Thresholds(start: 1200, warning: 300, final: 60))
    let questions = TimerItem(name: "Questions", thresholds: try TimerEngine.Thresholds(start: 300, warning: 60))
    var player = TimerPlayer(try TimerModel(groups: [TimerGroup(name: "Morning", timers: [talk, questions])]))

    let start = TimerEngine.Instant(sinceEpoch: .zero)
    var events = try player.start(at: start)
    events += try player.pause(at: start + .seconds(600))
    events += try player.toggle(at: start + .seconds(630))
    while let next = player.nextInstant { events += player.advance(to: next) }
    events += player.stop(at: start + .seconds(2000))
    return events
}

/// An edit by a closure without a declared error type.
func rename(_ player: inout TimerPlayer, at now: TimerEngine.Instant) throws {
    _ = try player.edit(at: now) { try $0.edit($0.selected) { $0.name = "Keynote" } }
}

/// An edit during a run; it is applied or refused as a whole.
func edit(_ player: inout TimerPlayer, at now: TimerEngine.Instant) -> String {
    do {
        _ = try player.edit(at: now) { (model) throws(ModelError) in
            try model.edit(model.selected) { $0.thresholds = $0.thresholds.setting(warning: 120) }
            try model.move(TimerPath(group: 0, item: 1), to: TimerPath(group: 1, item: 0))
        }
        return "done"
    } catch {
        return error.description
    }
}
