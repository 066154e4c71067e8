internal import BrokerLink
internal import TimerEngine
internal import TimerProtocol

/// The commands that a follower handed on to its leader, and that are not answered yet.
struct HandedCommands: Sendable {
    /// How long the leader may take.
    static let patience: Duration = .seconds(2)
    /// More than these at once are refused.
    private static let capacity = 256

    /// Where a command came from.
    enum Origin: Sendable {
        /// Somebody sent it, and is answered.
        case received(CommandIntake.Received)
        /// Somebody pressed a button; the text is for the log.
        case input(String)
    }

    struct Pending: Sendable {
        /// The follower's own.
        let id: String
        let command: Command
        let origin: Origin
        let deadline: Instant
        /// How often the same command came again meanwhile.
        var repeats = 0
    }

    private let name: String
    private var pending: [Pending] = []
    private var random: SplitMix64

    init(node: String, seed: UInt64) {
        name = "\(node)-"
        random = SplitMix64(state: seed)
    }

    var nextInstant: Instant? { pending.first?.deadline }

    /// Notes a command that is handed on; returns its id, or nil where too many wait.
    mutating func add(_ command: Command, from origin: Origin, at now: Instant) -> String? {
        guard pending.count < Self.capacity else { return nil }
        let id = name + String(random.next(), radix: 16)
        pending.append(Pending(id: id, command: command, origin: origin, deadline: now + Self.patience))
        return id
    }

    /// Whether the same message was handed on and waits for its answer, which the repeat then gets too.
    mutating func isRepeat(_ received: CommandIntake.Received) -> Bool {
        guard received.id != nil else { return false }
        let place = pending.firstIndex {
            guard case .received(let first) = $0.origin else { return false }
            return first.message.topic == received.message.topic && first.message.payload == received.message.payload
        }
        if let place { pending[place].repeats += 1 }
        return place != nil
    }

    /// The command that the leader answers; nil for an answer to somebody else.
    mutating func answered(_ id: String) -> Pending? {
        pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
    }

    /// The commands that the leader has not answered in time.
    mutating func expire(at now: Instant) -> [Pending] {
        let late = pending.prefix { $0.deadline <= now }
        pending.removeFirst(late.count)
        return Array(late)
    }
}
