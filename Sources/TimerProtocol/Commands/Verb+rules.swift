extension Verb {
    /// Commands that are limited together. Those of one allowance cannot crowd out those of another.
    package enum Allowance: Hashable, Sendable {
        /// What ends a run or a noise.
        case stopping
        /// Asking for the time.
        case time
        /// All else.
        case ordinary
    }

    /// What holds for a command, whatever its arguments are.
    package struct Rules: Sendable {
        /// What a plain text as payload means.
        package var plainText = PlainText.nothing
        /// Which rate limit holds.
        package var allowance = Allowance.ordinary
        /// The largest payload that a node takes, in bytes.
        package var largestPayload = 4 * 1024
        /// Whether it may be sent to several nodes at once. One that changes what is one node's own may not.
        package var mayBeBroadcast = true
        /// Whether a node obeys although it is locked, commands included.
        package var worksLocked = false
        /// Whether a follower does it itself; else it hands it on to its leader.
        package var isOwnOfFollower = false
        /// The least role that may send it by the web; nil for nobody.
        package var role: Role? = .remote
        /// The least role that may send it with one of some fields; nil for nobody.
        package var roleWithFields: (names: [String], role: Role?)?
        /// The least role that the shipped access list of mosquitto lets send it.
        package var brokerRole = Role.remote
    }

    /// What holds for the command.
    package var rules: Rules {
        switch self {
        // A run with times of its own is nobody's timer.
        case .start: Rules(plainText: .optional("timer"), roleWithFields: (["duration"], .operator))
        case .pause, .stop, .end: Rules(allowance: .stopping)
        case .resume, .toggle, .rewind, .fastForward, .next, .previous: Rules()
        case .select: Rules(plainText: .required("timer", needs: "a timer, such as 2/1"))
        case .set: Rules(plainText: .required("remaining"))
        case .add: Rules(plainText: .required("seconds"))
        case .sync: Rules(plainText: .refused, role: .operator)
        case .silence: Rules(allowance: .stopping, worksLocked: true, isOwnOfFollower: true)
        case .beep: Rules(plainText: .optional("sound"), isOwnOfFollower: true, role: .operator)
        case .lampTest:
            Rules(
                isOwnOfFollower: true, role: .operator, roleWithFields: (["force"], nil), brokerRole: .operator)
        case .identify: Rules(isOwnOfFollower: true, brokerRole: .operator)
        case .speaker: Rules(plainText: .required("name"), mayBeBroadcast: false)
        case .message: Rules(plainText: .required("text"), worksLocked: true)
        case .lock: Rules(role: .operator, brokerRole: .operator)
        case .unlock: Rules(worksLocked: true, role: .operator, brokerRole: .operator)
        // Reading the report is one thing, changing it is another.
        case .runs:
            Rules(
                mayBeBroadcast: false, worksLocked: true, roleWithFields: (["run", "speaker"], .operator),
                brokerRole: .operator)
        case .clearRuns: Rules(mayBeBroadcast: false, role: nil, brokerRole: .operator)
        case .agenda:
            Rules(
                plainText: .refused, largestPayload: 64 * 1024, mayBeBroadcast: false, role: .operator,
                brokerRole: .operator)
        case .begin:
            Rules(
                plainText: .required("meeting", needs: "a meeting: its place in the agenda, or its name"),
                mayBeBroadcast: false, role: .operator, brokerRole: .operator)
        case .state: Rules(worksLocked: true, isOwnOfFollower: true)
        case .time:
            Rules(allowance: .time, worksLocked: true, isOwnOfFollower: true, role: nil, brokerRole: .viewer)
        case .edit: Rules(plainText: .refused, mayBeBroadcast: false, role: .operator, brokerRole: .operator)
        case .timers:
            Rules(
                plainText: .refused, largestPayload: 64 * 1024, mayBeBroadcast: false, role: .operator,
                brokerRole: .operator)
        case .resetTimers: Rules(mayBeBroadcast: false, role: .operator, brokerRole: .operator)
        }
    }

    /// The largest payload that a node takes, in bytes.
    public var largestPayload: Int { rules.largestPayload }

    /// Whether the command may be sent to several nodes at once. One that changes what is one node's own may not.
    public var mayBeBroadcast: Bool { rules.mayBeBroadcast }

    /// Whether a node obeys the command although it is locked, commands included.
    public var worksLocked: Bool { rules.worksLocked }
}
