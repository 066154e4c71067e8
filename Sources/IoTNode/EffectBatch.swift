/// What the events of one moment led to, collected in any order and given out in the one that others rely on.
package struct EffectBatch {
    let now: Moment
    /// What the lines need before they are set.
    var lines: [NodeEffect] = []
    /// Ticks and modes, in the timer's order.
    var progress: [OutgoingMessage] = []
    var events: [OutgoingMessage] = []
    var answers: [OutgoingMessage] = []
    /// What the connection needs before anything is published.
    var connection: [NodeEffect] = []
    /// Logs and announcements.
    private var last: [NodeEffect] = []

    init(now: Moment) {
        self.now = now
    }

    mutating func log(_ level: LogLevel, _ message: String) {
        last.append(.log(level, message))
    }

    mutating func announce(_ announcement: Announcement) {
        last.append(.announce(announcement))
    }

    /// What must not wait for anything else.
    func firstEffects(outputs: [NodeEffect]) -> [NodeEffect] {
        var effects = lines
        effects += outputs
        effects += connection
        for publication in progress { effects.append(.publish(publication)) }
        return effects
    }

    /// All the rest.
    func laterEffects(timers: [NodeEffect], state: [NodeEffect], saves: [NodeEffect]) -> [NodeEffect] {
        var effects = timers
        effects.reserveCapacity(timers.count + state.count + events.count + answers.count + saves.count + last.count)
        effects += state
        for publication in events { effects.append(.publish(publication)) }
        for publication in answers { effects.append(.publish(publication)) }
        effects += saves
        effects += last
        return effects
    }
}
