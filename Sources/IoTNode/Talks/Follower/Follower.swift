internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
package import TimerProtocol

/// A node that shows what another one's timer does, its leader's, and has what is done to it done there.
///
/// It counts by itself, by the leader's clock: messages tell it what is new, and not what time it is.
struct Follower: Sendable {
    /// An offset that is better by less than this is not worth a write.
    private static let worthSaving = Duration.milliseconds(5)
    /// Up to this error the node is in step.
    private static let inStep: Duration = .milliseconds(20)

    let node: String
    let leader: NodeConfiguration.Follow
    var timer: RunningTimer
    var talk: Talk
    /// What is saved of the leader.
    var saved: SavedFollow
    var forwarded: ForwardedCommands
    var known = Leader()
    /// What is known of the leader's boot clock. It is another machine's, as far as the follower knows.
    var time: NodeTime
    /// When the sequence went on last.
    var movedAt: Instant?
    private var isConnected = false
    /// What the health report said.
    private var wasInStep = false
    var warnings = ReportedRejections()

    init(_ leader: NodeConfiguration.Follow, node: String, seed: UInt64) {
        (self.node, self.leader) = (node, leader)
        timer = RunningTimer(TimerPlayer(), seed: seed)
        talk = Talk(TimerModel())
        saved = SavedFollow(leader: leader, isStoppedAlone: false)
        // Different seeds, so that no id of one is one of the other.
        forwarded = ForwardedCommands(node: node, seed: seed)
        time = NodeTime(ownBoot: nil, requests: TimeRequests(name: node, seed: ~seed))
    }

    /// What follows from something that the leader published.
    struct News {
        var steps: [RunningTimer.Step] = []
        /// Since when the lamps ask for attention; nil where they do not.
        var attention: Instant?
        /// The answer to a command that was forwarded.
        var answer: (to: ForwardedCommands.Pending, Response)?
        /// For the log.
        var warning: String?
    }

    /// Whether the leader can hear a command.
    var mayReachLeader: Bool { isConnected && known.availability != .offline }

    var nextInstant: Instant? {
        var earliest: Instant? = .earliest(timer.nextInstant, talk.nextInstant)
        earliest = .earliest(earliest, forwarded.nextInstant)
        return mayReachLeader ? .earliest(earliest, time.nextInstant) : earliest
    }

    /// The meeting that the leader has in progress; `left` is without the present timer's time.
    var meeting: StateMessage.Meeting? {
        guard let state = known.state, var meeting = state.meeting else { return nil }
        meeting.left = meeting.left.map { max(0, $0 - state.remaining) }
        return meeting
    }

    /// What the health report says.
    func report(at now: Instant) -> HealthMessage.Follow {
        let offset = time.offset
        let error = offset == nil ? nil : time.best(at: now)?.sample.error(at: now)
        let isExact = !time.isCounting || error.map { $0 <= Self.inStep } == true
        var report = HealthMessage.Follow()
        (report.leader, report.offset, report.error) = (leader.node, offset, error)
        report.isInStep = mayReachLeader && offset != nil && isExact
        return report
    }

    /// Whether it is in step, or is not any more, since this was asked last, and somebody can be told.
    mutating func stepHasChanged(at now: Instant) -> Bool {
        let isInStep = report(at: now).isInStep
        guard isConnected, isInStep != wasInStep else { return false }
        wasInStep = isInStep
        return true
    }
}

// MARK: - The connection

extension Follower {
    /// What it hears of its leader.
    var subscriptions: [Subscription] {
        let retained: [TopicKind] = [.availability, .timers, .state, .message]
        let name = { (kind: TopicKind) in kind.name(prefix: leader.prefix, node: leader.node) }
        return retained.map { Subscription(name($0), sendsRetained: true) } + [
            Subscription(name(.event)), Subscription(name(.response)),
        ]
    }

    mutating func connected(at now: Instant) {
        isConnected = true
        time.connected(at: now)
    }

    mutating func disconnected() {
        isConnected = false
        time.disconnected()
    }

    /// The question that is due, with the id of its answer.
    mutating func consumeQuestion(at now: Instant) -> OutgoingMessage? {
        guard mayReachLeader, let id = time.consumeDue(at: now) else { return nil }
        // One that is lost is asked again; one that comes late would tell less.
        return message(Request(id: id, command: .time), qos: .atMostOnce)
    }

    /// A command to the leader.
    ///
    /// - Parameter expiry: how long the broker may hold it back.
    func message(
        _ request: Request, qos: OutgoingMessage.QoS = .atLeastOnce, expiry: Duration? = nil
    ) -> OutgoingMessage {
        OutgoingMessage(
            topic: request.topic(prefix: leader.prefix, for: .node(leader.node)), payload: request.payload, qos: qos,
            expiry: expiry)
    }
}

// MARK: - What it shows

extension Follower {
    /// Brings the timer and the message up to the present.
    mutating func advance(to now: Instant) -> [RunningTimer.Step] {
        let steps = timer.advance(to: now)
        for step in steps { if case .movedOn(_, _, let instant) = step.event { movedAt = instant } }
        return steps
    }

    mutating func endMessage(at now: Instant) { talk.advance(to: now) }

    /// Stops this node alone, until the leader tells another state.
    mutating func stopAlone(at now: Instant) -> [RunningTimer.Step] {
        saved.isStoppedAlone = true
        return timer.act(at: now) { $0.stop(at: now) }
    }

    /// Shows what the leader does by now.
    mutating func show(at now: Instant) -> [RunningTimer.Step] {
        guard !saved.isStoppedAlone, let run = known.run(offset: time.offset, at: now) else { return [] }
        return timer.show(run, at: now)
    }

    /// Saves how far the leader's clock is ahead, where that has changed by enough.
    mutating func saveOffset(at now: Instant) {
        guard let (boot, sample) = time.best(at: now) else { return }
        let new = SavedFollow.Clock(boot: boot, sample)
        let range = Duration.zero - Self.worthSaving...Self.worthSaving
        if let old = saved.clock, old.boot == boot, range.contains(new.offset - old.offset) { return }
        saved.clock = new
    }
}

/// What a follower knows of its leader, as it is saved. It is of use as long as neither machine is booted anew.
struct SavedFollow: Hashable, Sendable {
    var leader = NodeConfiguration.Follow(node: "", prefix: "")
    var clock: Clock?
    var state: String?
    var timers: String?
    var message: String?
    var isStoppedAlone = false

    struct Clock: Hashable, Sendable {
        var boot = ""
        var offset = Duration.zero
        var way = Duration.zero
        var at = Instant()
    }
}

extension SavedFollow {
    /// The most bytes that are saved of one message. A larger one is not: the broker tells it again.
    static let maximumMessage = 128 * 1024

    /// What is saved of a message; nil for nothing.
    static func text(of message: some MessagePayload) -> String? {
        let bytes = message.bytes
        return bytes.count <= maximumMessage ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension SavedFollow: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("leader", &leader, "The node that is followed.")
        try visitor.field("clock", &clock, .omitted, "The leader's clock; absent where it is not known.")
        try visitor.field("state", &state, .own, .omitted, "What was understood of the leader's state, as JSON.")
        try visitor.field("timers", &timers, .own, .omitted, "The same of its timers.")
        try visitor.field("message", &message, .own, .omitted, "The same of its message.")
        try visitor.field("stopped_alone", &isStoppedAlone, "Whether this follower alone was stopped.")
    }
}

extension NodeConfiguration.Follow: Record {
    package init() { self.init(node: "", prefix: "") }

    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("node", &node, .own, "The node's id.")
        try visitor.field("prefix", &prefix, .own, "The first levels of its topics.")
    }
}

extension SavedFollow.Clock: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        let longest = Duration.longest + Duration.longest
        try visitor.field("boot", &boot, .own, "The leader's boot.")
        try visitor.field(
            "offset", &offset, TimeBounds(.zero - longest...longest, in: .microseconds), "How far it is ahead.")
        try visitor.field("way", &way, .clocks, "How long the answer took.")
        try visitor.field("at", &at, "When the answer came.")
    }

    init(boot: String, _ sample: OtherClock.Sample) {
        (self.boot, offset, way, at) = (boot, sample.offset, sample.way, sample.at)
    }

    var sample: OtherClock.Sample { OtherClock.Sample(offset: offset, way: way, at: at) }
}
