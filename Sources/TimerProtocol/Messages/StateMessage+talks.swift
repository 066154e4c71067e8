public import FoundationEssentials

extension StateMessage {
    /// A meeting of the agenda that is in progress and attended.
    public struct Meeting: Hashable, Sendable {
        /// The meeting's name.
        public var name: String
        /// When it began.
        public var beganAt: Date
        /// When it is to end.
        public var plannedEnd: Date
        /// The seconds of this and the following timers of its group; nil unless its group is selected.
        ///
        /// Whoever shows it computes the expected end, which is so long from now while the timer runs, and how far behind
        /// or ahead the meeting is; but only where the timers of the group take as long as the meeting, within a tenth.
        public var left: Int?

        /// A meeting in progress.
        public init(name: String, beganAt: Date, plannedEnd: Date, left: Int?) {
            self.name = name
            self.beganAt = beganAt
            self.plannedEnd = plannedEnd
            self.left = left
        }
    }

    /// What the state says on the clock that counts from the boot, which nobody sets. So a display counts without ticks.
    public struct Clock: Hashable, Sendable {
        /// When the state was made.
        public var now: BootTime
        /// When the mode began; nil where that is not known.
        public var since: Duration?
        /// When 0 is, or was, due; nil while stopped or paused.
        public var zero: Duration?

        /// Points on one clock.
        public init(now: BootTime, since: Duration?, zero: Duration?) {
            self.now = now
            self.since = since
            self.zero = zero
        }
    }
}

extension StateMessage {
    /// Whether the node made this state before another one. Messages that come by several brokers overtake each other.
    ///
    /// Nobody sets the clock that counts from the boot. Where the boot has no id, nobody knows.
    package func isOlder(than other: StateMessage) -> Bool {
        guard let now = clock?.now, let otherNow = other.clock?.now, now.boot == otherNow.boot, !now.boot.isEmpty else {
            return false
        }
        return (now.now, revision) < (otherNow.now, other.revision)
    }
}

// MARK: - JSON

extension StateMessage.Meeting {
    func write(to writer: inout JSONWriter) {
        writer.member(.name, name)
        writer.member(.beganAt, beganAt)
        writer.member(.plannedEnd, plannedEnd)
        writer.member(.left, left)
    }

    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            name: try fields.required(.name, .name), beganAt: try fields.required(.beganAt),
            plannedEnd: try fields.required(.plannedEnd), left: try fields.optional(.left, in: .groupSeconds))
    }
}

extension StateMessage.Clock {
    func write(to writer: inout JSONWriter) {
        now.write(to: &writer)
        writer.member(.since, microseconds: since)
        writer.member(.zero, microseconds: zero)
    }

    init(_ fields: PayloadFields) throws(Refusal) {
        var fields = fields
        self.init(
            now: try BootTime(reading: &fields), since: try fields.microseconds(.since, in: .instants),
            zero: try fields.microseconds(.zero, in: .instants))
    }
}

/// A lock as the state has it: `false` or what is locked.
struct LockField: FieldValue {
    static let expected = "false, inputs or commands"

    let level: LockLevel?

    init?(field: JSON) {
        switch field {
        case .bool(false): level = nil
        case .string(let text):
            guard let level = LockLevel(rawValue: text) else { return nil }
            self.level = level
        default: return nil
        }
    }
}

extension JSONWriter {
    mutating func member(_ key: JSONKey, _ lock: LockLevel?) {
        self.key(key)
        if let lock { value(lock.rawValue) } else { value(false) }
    }
}
