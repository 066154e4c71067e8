internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine
internal import TimerProtocol

/// The node's statistics since its process began.
struct Health: Hashable, Sendable {
    /// A tick counts as late if it is published more than this long after it was due.
    static let lateness: Duration = .milliseconds(50)

    /// When the process began; nil before that, when nothing is due.
    private(set) var begunAt: Instant?
    /// The node's display name.
    var name: String
    /// The output lines, once they have been held.
    var outputs: HeldOutputs?
    private(set) var connections = 0
    private(set) var answered = 0
    private(set) var refused = 0
    private(set) var dropped = 0
    private(set) var lateTicks = 0
    private(set) var longestLateness: Duration = .zero

    var interval: Duration
    private var dueAt: Instant?
    private var reportedFault: String?

    /// - Parameters:
    ///   - name: the node's display name.
    ///   - interval: how often health is published; if zero, health is published only after connecting and when the
    ///     fault changes.
    init(name: String, interval: Duration) {
        self.name = name
        self.interval = interval
    }

    /// When health is published next.
    var nextInstant: Instant? { dueAt }
}

// MARK: - What is counted

extension Health {
    mutating func begin(at now: Instant) { begunAt = now }

    /// Counts a connection; health is then published at once.
    mutating func connected(at now: Instant) {
        connections += 1
        dueAt = now
    }

    /// Makes the health report due now.
    mutating func ask(at now: Instant) { dueAt = now }

    /// Counts a command that was executed or refused.
    mutating func count(refused isRefused: Bool) {
        if isRefused { refused += 1 } else { answered += 1 }
    }

    /// Counts messages (ticks and events) that were dropped because they would be useless later.
    mutating func drop(_ count: Int = 1) { dropped += count }

    /// Counts late ticks. Seconds that were skipped during a stall are counted with the next tick.
    ///
    /// - Parameters:
    ///   - steps: the steps that were due; only the last second produces a tick.
    ///   - first: when the first second was due.
    ///   - now: when the ticks are published.
    mutating func noteTicks(
        _ steps: [RunningTimer.Step], firstDue first: Instant?, at now: Instant
    ) {
        let tick = steps.last { if case .tick = $0.event { true } else { false } }?.event
        guard let first, let last = tick?.instant else { return }
        let late = first.duration(to: now)
        longestLateness = max(longestLateness, late)
        guard late > Self.lateness else { return }
        let seconds = first.duration(to: last).count(of: .seconds(1)) + 1
        // Each tick is one second less late than the previous one.
        lateTicks += min(seconds, (late - Self.lateness).shownSeconds)
    }

    /// Whether to publish health now: when it is due, or when the fault of the lines has changed.
    mutating func isDue(fault: String?, at now: Instant) -> Bool {
        guard fault != reportedFault || dueAt.map({ $0 <= now }) == true else { return false }
        reportedFault = fault
        dueAt = interval > .zero ? now + interval : nil
        return true
    }
}

extension Health {
    /// Returns the health message.
    ///
    /// - Parameter bytes: the memory that the process uses; nil if that is unknown.
    func message(residentBytes bytes: Int?, broker: Broker, linesFault: String?, at now: Moment) -> HealthMessage {
        let begunAt = begunAt ?? now.instant
        var message = HealthMessage()
        message.version = NodeVersion.current
        message.name = name
        message.startedAt = now.date(of: begunAt)
        message.date = now.date
        message.uptimeSeconds = begunAt.duration(to: now.instant).wholeSeconds
        message.broker = broker.description
        message.reconnects = max(0, connections - 1)
        (message.commands.ok, message.commands.error) = (answered, refused)
        message.dropped = dropped
        (message.gpio.chip, message.gpio.backend, message.gpio.fault) = (outputs?.chip, outputs?.backend, linesFault)
        message.lateTicks = lateTicks
        message.maxTickLatenessMilliseconds = longestLateness.count(of: .milliseconds(1))
        message.residentBytes = bytes
        return message
    }
}
