internal import BrokerLink
internal import FoundationEssentials
internal import NodeConfiguration
internal import TimerEngine
package import TimerProtocol

/// A node that shows the timer of another node, its leader, and forwards commands to it.
///
/// It counts down on its own, by the leader's clock: messages report changes, not the passing of time.
struct Follower: Sendable {
    /// A change of the offset by no more than this is not saved.
    private static let worthSaving = Duration.milliseconds(5)
    /// The maximum error at which the node counts as in step.
    private static let inStep: Duration = .milliseconds(20)

    let node: String
    let leader: NodeConfiguration.Follow
    @Boxed var timer: RunningTimer
    var talk: Talk
    /// The saved data about the leader.
    @Boxed var saved: SavedFollow
    @Boxed var forwarded: ForwardedCommands
    @Boxed var known = Leader()
    /// The known data about the leader's boot clock. The follower assumes that the leader runs on another machine.
    @Boxed var time: NodeTime
    /// When the sequence last moved on.
    var movedAt: Instant?
    private var isConnected = false
    /// Whether the node was in step in the last health report.
    private var wasInStep = false
    var warnings = ReportedRejections()

    init(_ leader: NodeConfiguration.Follow, node: String, seed: UInt64) {
        (self.node, self.leader) = (node, leader)
        let unknown = TimerModel(timer: TimerItem(id: UUID(configured: TimerPath(group: 0, item: 0))))
        timer = RunningTimer(TimerPlayer(unknown), seed: seed)
        talk = Talk(unknown)
        saved = SavedFollow(leader: leader, isStoppedAlone: false)
        // The seeds differ, so commands and time requests never have the same id.
        forwarded = ForwardedCommands(node: node, seed: seed)
        time = NodeTime(ownBoot: nil, requests: TimeRequests(name: node, seed: ~seed))
    }

    /// The consequences of a message from the leader.
    struct News {
        var steps: [RunningTimer.Step] = []
        /// When the lamps began to ask for attention; nil if they are not asking for it.
        var attention: Instant?
        /// The response to a command that was forwarded.
        var answer: (to: ForwardedCommands.Pending, Response)?
        /// Whether the leader must be asked for its state, because a newer one was lost.
        var isOutdated = false
        /// A warning for the log.
        var warning: String?
    }

    /// Whether a command can currently reach the leader.
    var mayReachLeader: Bool { isConnected && known.availability != .offline }

    var nextInstant: Instant? {
        var earliest: Instant? = .earliest(timer.nextInstant, talk.nextInstant)
        earliest = .earliest(earliest, forwarded.nextInstant)
        return mayReachLeader ? .earliest(earliest, time.nextInstant) : earliest
    }

    /// The leader's current meeting; `left` excludes the time of the current timer.
    var meeting: StateMessage.Meeting? {
        guard let state = known.state, var meeting = state.meeting else { return nil }
        meeting.left = meeting.left.map { max(0, $0 - state.remaining) }
        return meeting
    }

    /// Returns the follower's section of the health report.
    func report(at now: Instant) -> HealthMessage.Follow {
        let offset = time.offset
        let error = offset == nil ? nil : time.best(at: now)?.sample.error(at: now)
        let isExact = !time.isCounting || error.map { $0 <= Self.inStep } == true
        var report = HealthMessage.Follow()
        (report.leader, report.offset, report.error) = (leader.node, offset, error)
        report.isInStep = mayReachLeader && offset != nil && isExact
        return report
    }

    /// Returns whether the node has come into step or fallen out of step since the last call. Always false without a
    /// connection, because the change could not be published.
    mutating func stepHasChanged(at now: Instant) -> Bool {
        let isInStep = report(at: now).isInStep
        guard isConnected, isInStep != wasInStep else { return false }
        wasInStep = isInStep
        return true
    }
}

// MARK: - The connection

extension Follower {
    /// The subscriptions to the leader's topics.
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

    /// Returns the time request that is due, with the id that its response will have.
    mutating func consumeQuestion(at now: Instant) -> OutgoingMessage? {
        guard mayReachLeader, let id = time.consumeDue(at: now) else { return nil }
        // A lost request is sent again, and the response to a late request would be less accurate.
        return message(Request(id: id, command: .time), qos: .atMostOnce)
    }

    /// Returns the message that sends a command to the leader.
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
    /// The budget of the leader's group, on this machine's clock; it is not counted down while the offset is unknown.
    var budget: StateMessage.Budget? {
        guard var budget = known.state?.budget else { return nil }
        budget.zero = budget.zero.flatMap { zero in time.offset.map { zero - $0 } }
        return budget
    }
}

extension Follower {
    /// Advances the timer to the current moment.
    mutating func advance(to now: Instant) -> [RunningTimer.Step] {
        let steps = timer.advance(to: now)
        for step in steps { if case .movedOn(_, _, let instant) = step.event { movedAt = instant } }
        return steps
    }

    mutating func endMessage(at now: Instant) { talk.advance(to: now) }

    /// Stops only this node, until the leader publishes a new state.
    mutating func stopAlone(at now: Instant) -> [RunningTimer.Step] {
        saved.isStoppedAlone = true
        return timer.act(at: now) { $0.stop(at: now) }
    }

    /// Shows the current state of the leader's timer.
    mutating func show(at now: Instant) -> [RunningTimer.Step] {
        guard !saved.isStoppedAlone, let run = known.run(offset: time.offset, at: now) else { return [] }
        return timer.show(run, at: now)
    }

    /// Saves the offset of the leader's clock if it has changed enough.
    mutating func saveOffset(at now: Instant) {
        guard let (boot, sample) = time.best(at: now) else { return }
        let new = SavedFollow.Clock(boot: boot, sample)
        let range = Duration.zero - Self.worthSaving...Self.worthSaving
        if let old = saved.clock, old.boot == boot, range.contains(new.offset - old.offset) { return }
        saved.clock = new
    }
}

/// The data that a follower saves about its leader. It is valid only until either machine reboots.
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
    /// The maximum size of a saved message in bytes. A larger one is not saved, because the broker sends it again.
    static let maximumMessage = 128 * 1024

    /// Returns a message in its saved form; nil if it is too large.
    static func text(of message: some MessagePayload) -> String? {
        let bytes = message.bytes
        return bytes.count <= maximumMessage ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension SavedFollow: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("leader", &leader, "The node that is followed.")
        try visitor.field("clock", &clock, .omitted, "The leader's clock; absent if it is unknown.")
        try visitor.field("state", &state, .own, .omitted, "The leader's state as the follower decoded it, as JSON.")
        try visitor.field("timers", &timers, .own, .omitted, "The leader's timers in the same form.")
        try visitor.field("message", &message, .own, .omitted, "The leader's message in the same form.")
        try visitor.field("stopped_alone", &isStoppedAlone, "Whether only this follower was stopped.")
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
            "offset", &offset, TimeBounds(.zero - longest...longest, in: .microseconds), "How far its clock is ahead.")
        try visitor.field("way", &way, .clocks, "How long the response took.")
        try visitor.field("at", &at, "When the response arrived.")
    }

    init(boot: String, _ sample: OtherClock.Sample) {
        (self.boot, offset, way, at) = (boot, sample.offset, sample.way, sample.at)
    }

    var sample: OtherClock.Sample { OtherClock.Sample(offset: offset, way: way, at: at) }
}
