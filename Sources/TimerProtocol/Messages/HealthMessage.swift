public import FoundationEssentials

/// The payload of the `health` topic: the health of the node. All counts begin at ``startedAt``.
public struct HealthMessage: Hashable, Sendable {
    /// How many commands were carried out and how many were refused.
    public struct Commands: Hashable, Sendable {
        /// The number of commands that were carried out.
        public var ok = 0
        /// The number of commands that were refused, including commands that got no response.
        public var error = 0

        /// No commands.
        public init() {}
    }

    /// The GPIO lines for the lamps and buttons.
    public struct Lines: Hashable, Sendable {
        /// The chip, such as `gpiochip0`; nil until its lines have been held once.
        public var chip: String?
        /// `libgpiod` or `simulated`; nil until lines have been held once.
        public var backend: String?
        /// Why the lines for lamps or buttons are not held; nil while there is no fault.
        public var fault: String?

        /// Lines that have never been held.
        public init() {}
    }

    /// The state of a follower's synchronisation with its leader.
    public struct Follow: Hashable, Sendable {
        /// The node that this one follows.
        public var leader = ""
        /// The offset of the leader's boot clock from the follower's; positive if the leader's is ahead; nil if
        /// unknown.
        public var offset: Duration?
        /// The maximum error of ``offset``; nil if unknown.
        public var error: Duration?
        /// Whether the leader is connected and, while its timer runs, the error is at most 20 ms.
        public var isInStep = false

        /// A follower without a leader.
        public init() {}
    }

    /// The version of the program.
    public var version = ""
    /// When the process started.
    public var startedAt = Date.unread
    /// The node's display name; nil from a version that does not publish it.
    public var name: String?
    /// When the message was created, by the node's clock; nil from a version that does not publish it. A node
    /// republishes its health regularly, so an old date means that the node or the connection to it has failed.
    public var date: Date?
    /// The whole seconds since the process started.
    public var uptimeSeconds = 0
    /// The URL of the broker, without user name and password.
    public var broker = ""
    /// The number of connections after the first one.
    public var reconnects = 0
    /// How many commands were carried out and how many were refused.
    public var commands = Commands()
    /// The number of ticks, events and responses that were not delivered and, with MQTT 5, of messages that are larger
    /// than the broker accepts.
    public var dropped = 0
    /// The GPIO lines for the lamps and buttons.
    public var gpio = Lines()
    /// The number of seconds that were published more than 50 ms late.
    public var lateTicks = 0
    /// The longest delay in publishing a second, in whole milliseconds.
    public var maxTickLatenessMilliseconds = 0
    /// The resident memory of the process, in bytes; nil if unknown.
    public var residentBytes: Int?
    /// The state of the node's synchronisation with its leader; nil for a node with its own timers.
    public var follow: Follow?
    /// The meaning of each mode on the node; nil from a version that does not publish it. Such a node most likely uses
    /// ``ModeSignals/podium``.
    public var signals: ModeSignals?

    /// The health of a node that has just started, without a version.
    public init() {}
}

// MARK: - Fields

extension HealthMessage: MessagePayload {
    /// The topic that the health is published on.
    public static let kind = TopicKind.health

    /// The health as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: A ``PayloadError`` that names the invalid field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension HealthMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("version", &version, .name, "The version of timer-node.")
        try visitor.field("name", &name, .name, "The node's display name.")
        try visitor.field("started_at", &startedAt, "When the process started.")
        try visitor.field("at", &date, "When the message was created.")
        try visitor.field("uptime_s", &uptimeSeconds, .counts, "The seconds since the process started.")
        try visitor.field("broker", &broker, .sentence, "The URL of the broker, without user name and password.")
        try visitor.field("reconnects", &reconnects, .counts, "The number of connections after the first one.")
        try visitor.field("commands", &commands, "How many commands were carried out and how many were refused.")
        try visitor.field(
            "dropped", &dropped, .counts, "The number of ticks, events and responses that were not delivered.")
        try visitor.field("gpio", &gpio, "The GPIO lines for the lamps and buttons.")
        try visitor.field(
            "late_ticks", &lateTicks, .counts, "The number of seconds that were published more than 50 ms late.")
        try visitor.field(
            "max_tick_lateness_ms", &maxTickLatenessMilliseconds, .counts,
            "The longest delay in publishing a second, in milliseconds.")
        try visitor.field("rss_bytes", &residentBytes, .counts, "The resident memory of the process, in bytes.")
        try visitor.field("follow", &follow, "A follower's clock synchronisation; null for a node with its own timers.")
        try visitor.field("signals", &signals, .omitted, "The meaning of each mode on the node.")
    }
}

extension HealthMessage.Commands: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("ok", &ok, .counts, "The number of commands that were carried out.")
        try visitor.field("error", &error, .counts, "The number of commands that were refused.")
    }
}

extension HealthMessage.Lines: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("chip", &chip, .name, "The chip; null until its lines have been held once.")
        try visitor.field(
            "backend", &backend, .name, "`libgpiod` or `simulated`; null until lines have been held once.")
        try visitor.field("fault", &fault, .sentence, "Why the lines are not held; null while there is no fault.")
    }
}

extension HealthMessage.Follow: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("leader", &leader, .identifier, "The node that this one follows.")
        try visitor.field("offset_us", &offset, .instants, "The leader's boot clock minus the node's, in microseconds.")
        try visitor.field(
            "error_us", &error, TimeBounds(.lengths, in: .microseconds),
            "The maximum error of `offset_us`, in microseconds.")
        try visitor.field(
            "in_step", &isInStep,
            "Whether the leader is connected and, while its timer runs, the error is at most 20 ms.")
    }
}
