public import FoundationEssentials

/// The payload of the `health` topic: the node's own condition. All counts are since ``startedAt``.
public struct HealthMessage: Hashable, Sendable {
    /// How many commands were answered.
    public struct Commands: Hashable, Sendable {
        /// Those that were carried out.
        public var ok: Int
        /// Those that were refused, also where the refusal was not answered.
        public var error: Int

        /// Counts of commands.
        public init(ok: Int, error: Int) {
            self.ok = ok
            self.error = error
        }
    }

    /// Where the lamps and buttons are.
    public struct Lines: Hashable, Sendable {
        /// The chip, such as `gpiochip0`; nil until its lines were held once.
        public var chip: String?
        /// `libgpiod` or `simulated`; nil until lines were held once.
        public var backend: String?
        /// Why lamps or buttons are not held; nil while all is well.
        public var fault: String?

        /// The lines of a chip.
        public init(chip: String?, backend: String?, fault: String?) {
            self.chip = chip
            self.backend = backend
            self.fault = fault
        }
    }

    /// How well a follower keeps time with its leader.
    public struct Follow: Hashable, Sendable {
        /// The node that it follows.
        public var leader: String
        /// How far the leader's boot clock is ahead of its own; nil where that is not known.
        public var offset: Duration?
        /// How wrong ``offset`` may be.
        public var error: Duration?
        /// Whether the leader is there, and what is counted is exact to 20 ms.
        public var isInStep: Bool

        /// A follower's clock.
        public init(leader: String, offset: Duration?, error: Duration?, isInStep: Bool) {
            self.leader = leader
            self.offset = offset
            self.error = error
            self.isInStep = isInStep
        }
    }

    /// The version of the program.
    public var version: String
    /// When the process began.
    public var startedAt: Date
    /// The node's name for people; nil from a version that does not tell it.
    public var name: String?
    /// When the message was made, by the node's clock; nil from a version that does not tell it. A node says it again and
    /// again, so that an old one is a sign that the node, or the way to it, is gone.
    public var date: Date?
    /// The whole seconds since the process began.
    public var uptimeSeconds: Int
    /// The URL of the broker, without user name and password.
    public var broker: String
    /// How many connections were made after the first one.
    public var reconnects: Int
    /// How many commands were answered.
    public var commands: Commands
    /// The ticks, events and responses that nobody got, and in MQTT 5 the messages that the broker does not take.
    public var dropped: Int
    /// Where the lamps and buttons are.
    public var gpio: Lines
    /// The seconds that were told more than 50 ms late.
    public var lateTicks: Int
    /// The worst lateness of a second, in whole milliseconds.
    public var maxTickLatenessMilliseconds: Int
    /// The memory that the process has, in bytes; nil where that is not known.
    public var residentBytes: Int?
    /// How well it keeps time with its leader; nil for a node with timers of its own.
    public var follow: Follow?
    /// What it means by each mode; nil from a version that does not tell it, and most likely means
    /// ``ModeSignals/podium``.
    public var signals: ModeSignals?

    /// The condition of a node.
    public init(
        version: String, name: String? = nil, startedAt: Date, date: Date? = nil, uptimeSeconds: Int, broker: String,
        reconnects: Int,
        commands: Commands,
        dropped: Int, gpio: Lines, lateTicks: Int, maxTickLatenessMilliseconds: Int, residentBytes: Int?,
        follow: Follow? = nil, signals: ModeSignals? = nil
    ) {
        self.version = version
        self.name = name
        self.startedAt = startedAt
        self.date = date
        self.uptimeSeconds = uptimeSeconds
        self.broker = broker
        self.reconnects = reconnects
        self.commands = commands
        self.dropped = dropped
        self.gpio = gpio
        self.lateTicks = lateTicks
        self.maxTickLatenessMilliseconds = maxTickLatenessMilliseconds
        self.residentBytes = residentBytes
        self.follow = follow
        self.signals = signals
    }
}

// MARK: - JSON

extension HealthMessage: MessagePayload {
    /// The condition as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        writer.object { writer in
            writer.member(.version, version)
            writer.member(.name, name)
            writer.member(.startedAt, startedAt)
            writer.member(.at, date)
            writer.member(.uptime, uptimeSeconds)
            writer.member(.broker, broker)
            writer.member(.reconnects, reconnects)
            writer.member(.commands) { writer in
                writer.member(.ok, commands.ok)
                writer.member(.error, commands.error)
            }
            writer.member(.dropped, dropped)
            writer.member(.gpio) { writer in
                writer.member(.chip, gpio.chip)
                writer.member(.backend, gpio.backend)
                writer.member(.fault, gpio.fault)
            }
            writer.member(.lateTicks, lateTicks)
            writer.member(.maxTickLateness, maxTickLatenessMilliseconds)
            writer.member(.residentBytes, residentBytes)
            if let follow {
                writer.member(.follow) { writer in
                    writer.member(.leader, follow.leader)
                    writer.member(.offsetMicroseconds, microseconds: follow.offset)
                    writer.member(.errorMicroseconds, microseconds: follow.error)
                    writer.member(.inStep, follow.isInStep)
                }
            } else {
                writer.member(.follow, String?.none)
            }
            if let signals { writer.member(.signals) { signals.write(to: &$0) } }
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            var commands = try fields.requiredObject(.commands)
            var gpio = try fields.requiredObject(.gpio)
            return Self(
                version: try fields.required(.version, .name),
                name: try fields.optional(.name, .name),
                startedAt: try fields.required(.startedAt),
                date: try fields.optional(.at),
                uptimeSeconds: try fields.required(.uptime, in: .counts),
                broker: try fields.required(.broker, .sentence),
                reconnects: try fields.required(.reconnects, in: .counts),
                commands: Commands(
                    ok: try commands.required(.ok, in: .counts), error: try commands.required(.error, in: .counts)),
                dropped: try fields.required(.dropped, in: .counts),
                gpio: Lines(
                    chip: try gpio.optional(.chip, .name), backend: try gpio.optional(.backend, .name),
                    fault: try gpio.optional(.fault, .sentence)),
                lateTicks: try fields.required(.lateTicks, in: .counts),
                maxTickLatenessMilliseconds: try fields.required(.maxTickLateness, in: .counts),
                residentBytes: try fields.optional(.residentBytes, in: .counts),
                follow: try fields.object(JSONKey.follow.name).map { (follow) throws(Refusal) in try Follow(follow) },
                signals: try fields.object(JSONKey.signals.name)
                    .map { (signals) throws(Refusal) in try ModeSignals(signals) })
        }
    }
}

extension HealthMessage.Follow {
    fileprivate init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            leader: try fields.required(.leader, .identifier),
            offset: try fields.microseconds(.offsetMicroseconds, in: .instants),
            error: try fields.microseconds(.errorMicroseconds, in: .lengths), isInStep: try fields.required(.inStep))
    }
}
