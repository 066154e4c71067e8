public import FoundationEssentials

/// The payload of the `health` topic: the node's own condition. All counts are since ``startedAt``.
public struct HealthMessage: Hashable, Sendable {
    /// How many commands were answered.
    public struct Commands: Hashable, Sendable {
        /// Those that were carried out.
        public var ok = 0
        /// Those that were refused, also where the refusal was not answered.
        public var error = 0

        /// No commands.
        public init() {}
    }

    /// Where the lamps and buttons are.
    public struct Lines: Hashable, Sendable {
        /// The chip, such as `gpiochip0`; nil until its lines were held once.
        public var chip: String?
        /// `libgpiod` or `simulated`; nil until lines were held once.
        public var backend: String?
        /// Why lamps or buttons are not held; nil while all is well.
        public var fault: String?

        /// Lines that were never held.
        public init() {}
    }

    /// How well a follower keeps time with its leader.
    public struct Follow: Hashable, Sendable {
        /// The node that it follows.
        public var leader = ""
        /// How far the leader's boot clock is ahead of its own; nil where that is not known.
        public var offset: Duration?
        /// How wrong ``offset`` may be.
        public var error: Duration?
        /// Whether the leader is there, and what is counted is exact to 20 ms.
        public var isInStep = false

        /// The clock of nobody's follower.
        public init() {}
    }

    /// The version of the program.
    public var version = ""
    /// When the process began.
    public var startedAt = Date.unread
    /// The node's name for people; nil from a version that does not tell it.
    public var name: String?
    /// When the message was made, by the node's clock; nil from a version that does not tell it. A node says it again and
    /// again, so that an old one is a sign that the node, or the way to it, is gone.
    public var date: Date?
    /// The whole seconds since the process began.
    public var uptimeSeconds = 0
    /// The URL of the broker, without user name and password.
    public var broker = ""
    /// How many connections were made after the first one.
    public var reconnects = 0
    /// How many commands were answered.
    public var commands = Commands()
    /// The ticks, events and responses that nobody got, and in MQTT 5 the messages that the broker does not take.
    public var dropped = 0
    /// Where the lamps and buttons are.
    public var gpio = Lines()
    /// The seconds that were told more than 50 ms late.
    public var lateTicks = 0
    /// The worst lateness of a second, in whole milliseconds.
    public var maxTickLatenessMilliseconds = 0
    /// The memory that the process has, in bytes; nil where that is not known.
    public var residentBytes: Int?
    /// How well it keeps time with its leader; nil for a node with timers of its own.
    public var follow: Follow?
    /// What it means by each mode; nil from a version that does not tell it, and most likely means
    /// ``ModeSignals/podium``.
    public var signals: ModeSignals?

    /// The condition of a node that has just begun, without a version.
    public init() {}
}

// MARK: - Fields

extension HealthMessage: MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.health

    /// The condition as a JSON object.
    public var bytes: [UInt8] { json(capacity: 1024) }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) { self = try Self.read(payload) }
}

extension HealthMessage: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("version", &version, .name, "The version of timer-node.")
        try visitor.field("name", &name, .name, "The node's name for people.")
        try visitor.field("started_at", &startedAt, "When the process began.")
        try visitor.field("at", &date, "When the message was made.")
        try visitor.field("uptime_s", &uptimeSeconds, .counts, "The seconds since the process began.")
        try visitor.field("broker", &broker, .sentence, "The URL of the broker, without user name and password.")
        try visitor.field("reconnects", &reconnects, .counts, "How many connections were made after the first one.")
        try visitor.field("commands", &commands, "How many commands were carried out and refused.")
        try visitor.field(
            "dropped", &dropped, .counts, "The ticks, events and responses that were published to nobody.")
        try visitor.field("gpio", &gpio, "Where the lamps and buttons are.")
        try visitor.field("late_ticks", &lateTicks, .counts, "The seconds that were told more than 50 ms late.")
        try visitor.field(
            "max_tick_lateness_ms", &maxTickLatenessMilliseconds, .counts, "The worst lateness of a second.")
        try visitor.field("rss_bytes", &residentBytes, .counts, "The memory that the process has.")
        try visitor.field("follow", &follow, "How well a follower keeps time; null for a node with timers of its own.")
        try visitor.field("signals", &signals, .omitted, "What the node means by each mode.")
    }
}

extension HealthMessage.Commands: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("ok", &ok, .counts, "Those that were carried out.")
        try visitor.field("error", &error, .counts, "Those that were refused.")
    }
}

extension HealthMessage.Lines: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("chip", &chip, .name, "The chip; null until its lines were held once.")
        try visitor.field("backend", &backend, .name, "`libgpiod` or `simulated`; null until lines were held once.")
        try visitor.field("fault", &fault, .sentence, "Why lines are not held.")
    }
}

extension HealthMessage.Follow: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("leader", &leader, .identifier, "The node that it follows.")
        try visitor.field("offset_us", &offset, .instants, "How far the leader's boot clock is ahead, in microseconds.")
        try visitor.field("error_us", &error, TimeBounds(.lengths, in: .microseconds), "How wrong that may be.")
        try visitor.field("in_step", &isInStep, "Whether the leader is there, and what is counted is exact to 20 ms.")
    }
}
