internal import TimerEngine

/// What the node counts of itself since its process began.
struct Health: Hashable, Sendable {
    /// A tick that comes later than this after its second is counted as late.
    static let lateness: Duration = .milliseconds(50)

    /// When the process began; until then nothing is due.
    private(set) var begunAt: TimerEngine.Instant?
    /// Where the lamps are, once they were held.
    var outputs: HeldOutputs?
    private(set) var connections = 0
    private(set) var answered = 0
    private(set) var refused = 0
    private(set) var dropped = 0
    private(set) var lateTicks = 0
    private(set) var longestLateness: Duration = .zero

    var interval: Duration
    private var dueAt: TimerEngine.Instant?
    private var reportedFault: String?

    /// - Parameter interval: how often it is told; zero for at changes of a fault alone.
    init(interval: Duration) {
        self.interval = interval
    }

    /// When it is to be told next.
    var nextInstant: TimerEngine.Instant? { dueAt }
}

// MARK: - What is counted

extension Health {
    mutating func begin(at now: TimerEngine.Instant) { begunAt = now }

    /// A connection was made, which is told of at once.
    mutating func connected(at now: TimerEngine.Instant) {
        connections += 1
        dueAt = now
    }

    /// Without a connection there is nobody to tell.
    mutating func disconnected() { dueAt = nil }

    /// Somebody asks.
    mutating func ask(at now: TimerEngine.Instant) { dueAt = now }

    /// A command was carried out or refused.
    mutating func count(refused isRefused: Bool) {
        if isRefused { refused += 1 } else { answered += 1 }
    }

    /// Messages that have their meaning in their moment only could not be sent in it.
    mutating func drop(_ count: Int = 1) { dropped += count }

    /// Notes how late ticks are.
    mutating func take(_ events: [TimerPlayer.Event], at now: TimerEngine.Instant) {
        for case .tick(_, let due) in events {
            let late = due.duration(to: now)
            if late > Self.lateness { lateTicks += 1 }
            longestLateness = max(longestLateness, late)
        }
    }

    /// Whether it is to be told now, with this fault of the lines: when its time came, and at a change of the fault.
    mutating func isDue(fault: String?, at now: TimerEngine.Instant) -> Bool {
        guard fault != reportedFault || dueAt.map({ $0 <= now }) == true else { return false }
        reportedFault = fault
        dueAt = interval > .zero ? now + interval : nil
        return true
    }
}
