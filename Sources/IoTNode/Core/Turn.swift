/// What the events of one moment led to, collected in any order and given out in the one that others rely on.
struct Turn {
    let now: Moment
    /// What the lines need before they are set.
    var lines: [NodeEffect] = []
    /// Ticks and modes, in the timer's order.
    var progress: [Publication] = []
    var events: [Publication] = []
    var answers: [Publication] = []
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

    func effects(
        outputs: [NodeEffect], timers: [NodeEffect], state: [NodeEffect], saves: [NodeEffect]
    ) -> [NodeEffect] {
        var effects = lines
        effects += outputs
        effects += connection
        effects += timers
        for publication in progress { effects.append(.publish(publication)) }
        effects += state
        for publication in events { effects.append(.publish(publication)) }
        for publication in answers { effects.append(.publish(publication)) }
        effects += saves
        effects += last
        return effects
    }
}
