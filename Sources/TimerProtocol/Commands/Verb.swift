/// The verb of a command, as named in topics and payloads.
public enum Verb: String, CaseIterable, Hashable, Sendable {
    /// ``PlayerCommand/start(selector:)`` or ``PlayerCommand/startOnce(_:)``.
    case start
    /// ``PlayerCommand/pause``.
    case pause
    /// ``PlayerCommand/resume``.
    case resume
    /// ``PlayerCommand/stop``.
    case stop
    /// ``PlayerCommand/end``.
    case end
    /// ``PlayerCommand/toggle``.
    case toggle
    /// ``PlayerCommand/rewind``.
    case rewind
    /// ``PlayerCommand/fastForward``.
    case fastForward = "fast_forward"
    /// ``PlayerCommand/next``.
    case next
    /// ``PlayerCommand/previous``.
    case previous
    /// ``PlayerCommand/select(selector:)``.
    case select
    /// ``PlayerCommand/switchTo(selector:)``.
    case `switch`
    /// ``PlayerCommand/set(seconds:)``.
    case set
    /// ``PlayerCommand/add(seconds:)``.
    case add
    /// ``PlayerCommand/sync(seconds:at:)``.
    case sync
    /// ``CorrectionCommand/began(_:)``.
    case began
    /// ``CorrectionCommand/undo``.
    case undo
    /// ``SignalCommand/silence``.
    case silence
    /// ``SignalCommand/beep(pattern:)``.
    case beep
    /// ``SignalCommand/lampTest(force:)``.
    case lampTest = "lamp_test"
    /// ``SignalCommand/identify``.
    case identify
    /// ``TalkCommand/speaker(_:)``.
    case speaker
    /// ``TalkCommand/message(_:)``.
    case message
    /// ``TalkCommand/lock(_:)``.
    case lock
    /// ``TalkCommand/unlock``.
    case unlock
    /// ``RunsCommand/page(_:)`` or ``RunsCommand/amend(id:_:)``.
    case runs
    /// ``RunsCommand/clear``.
    case clearRuns = "clear_runs"
    /// ``AgendaCommand/replace(_:revision:)``.
    case agenda
    /// ``AgendaCommand/begin(_:)``.
    case begin
    /// ``ProgrammeCommand/replace(_:revision:)``.
    case programme
    /// ``ProgrammeCommand/go(_:start:)`` or ``ProgrammeCommand/skip(_:)``.
    case entry
    /// ``Command/state``.
    case state
    /// ``Command/time``.
    case time
    /// ``ModelCommand/edit(selector:_:)``.
    case edit
    /// ``ModelCommand/timers(_:)``.
    case timers
    /// ``ModelCommand/reset``.
    case resetTimers = "reset_timers"
    /// ``ModelCommand/resetAccounts(group:)``.
    case resetAccounts = "reset_accounts"
}

extension Verb {
    /// A group of commands with a common rate limit. Commands in one group cannot crowd out commands in another.
    package enum Allowance: Hashable, Sendable {
        /// Commands that end a run or a sound.
        case stopping
        /// Requests for the time.
        case time
        /// All other commands.
        case ordinary
    }

    /// The properties of a command that do not depend on its arguments.
    package struct Rules: Sendable {
        /// Creates the command, before its arguments are read.
        package let command: @Sendable () -> Command
        /// The meaning of plain text as the payload.
        package var plainText = PlainText.nothing
        /// The rate limit that applies.
        package var allowance = Allowance.ordinary
        /// The largest payload that a node accepts, in bytes.
        package var largestPayload = 4 * 1024
        /// Whether it may be sent to several nodes at once. A command that changes data specific to one node may not.
        package var mayBeBroadcast = true
        /// Whether a node carries it out even while it is locked for commands.
        package var worksLocked = false
        /// Whether a follower carries it out; otherwise the follower forwards it to its leader.
        package var isHandledByFollower = false
        /// The lowest role that may send it over the web; nil if no role may do so.
        package var role: Role? = .remote
        /// The lowest role that may send it with one of these fields; nil if no role may do so.
        package var roleWithFields: (names: [String], role: Role?)?
        /// The lowest role that mosquitto's shipped access list allows to send it.
        package var brokerRole = Role.remote
    }

    /// The properties of the command.
    package var rules: Rules {
        switch self {
        // A one-off run uses none of the configured timers, so it requires an operator.
        case .start:
            Rules(
                command: { .player(.start(selector: nil)) }, plainText: .optional("timer"),
                roleWithFields: (["duration", "until"], .operator))
        case .pause: Rules(command: { .player(.pause) }, allowance: .stopping)
        case .stop: Rules(command: { .player(.stop) }, allowance: .stopping)
        case .end: Rules(command: { .player(.end) }, allowance: .stopping)
        case .resume: Rules(command: { .player(.resume) })
        case .toggle: Rules(command: { .player(.toggle) })
        case .rewind: Rules(command: { .player(.rewind) })
        case .fastForward: Rules(command: { .player(.fastForward) })
        case .next: Rules(command: { .player(.next) })
        case .previous: Rules(command: { .player(.previous) })
        case .select:
            Rules(
                command: { .player(.select(selector: "")) },
                plainText: .required("timer", needs: "a timer, such as 2/1"))
        case .switch: Rules(command: { .player(.switchTo(selector: nil)) }, plainText: .optional("timer"))
        case .set: Rules(command: { .player(.set(seconds: 0)) }, plainText: .required("remaining"))
        case .add: Rules(command: { .player(.add(seconds: 0)) }, plainText: .required("seconds"))
        case .sync: Rules(command: { .player(.sync(seconds: 0, at: .unread)) }, plainText: .refused, role: .operator)
        case .began: Rules(command: { .correction(.began(.lastEnd)) }, plainText: .refused)
        case .undo: Rules(command: { .correction(.undo) })
        case .silence:
            Rules(command: { .signal(.silence) }, allowance: .stopping, worksLocked: true, isHandledByFollower: true)
        case .beep:
            Rules(
                command: { .signal(.beep(pattern: nil)) }, plainText: .optional("sound"), isHandledByFollower: true,
                role: .operator)
        case .lampTest:
            Rules(
                command: { .signal(.lampTest(force: false)) },
                isHandledByFollower: true, role: .operator, roleWithFields: (["force"], nil), brokerRole: .operator)
        case .identify: Rules(command: { .signal(.identify) }, isHandledByFollower: true, brokerRole: .operator)
        case .speaker: Rules(command: { .talk(.speaker(nil)) }, plainText: .required("name"), mayBeBroadcast: false)
        case .message: Rules(command: { .talk(.message(nil)) }, plainText: .required("text"), worksLocked: true)
        case .lock: Rules(command: { .talk(.lock(.inputs)) }, role: .operator, brokerRole: .operator)
        case .unlock: Rules(command: { .talk(.unlock) }, worksLocked: true, role: .operator, brokerRole: .operator)
        // A remote may read the report, but only an operator may change it.
        case .runs:
            Rules(
                command: { .runs(.page(1)) },
                mayBeBroadcast: false, worksLocked: true, roleWithFields: (["run", "speaker"], .operator),
                brokerRole: .operator)
        case .clearRuns: Rules(command: { .runs(.clear) }, mayBeBroadcast: false, role: nil, brokerRole: .operator)
        case .agenda:
            Rules(
                command: { .agenda(.replace(Agenda())) },
                plainText: .refused, largestPayload: 64 * 1024, mayBeBroadcast: false, role: .operator,
                brokerRole: .operator)
        case .begin:
            Rules(
                command: { .agenda(.begin("")) },
                plainText: .required("meeting", needs: "a meeting: its position in the agenda, or its name"),
                mayBeBroadcast: false, role: .operator, brokerRole: .operator)
        case .programme:
            Rules(
                command: { .programme(.replace(Programme())) }, largestPayload: 64 * 1024, mayBeBroadcast: false,
                role: .operator, brokerRole: .operator)
        case .entry:
            Rules(
                command: { .programme(.go(.entry(""))) },
                plainText: .required("entry", needs: "an entry: next, previous, its position or its id"),
                mayBeBroadcast: false)
        case .state: Rules(command: { .state }, worksLocked: true, isHandledByFollower: true)
        case .time:
            Rules(
                command: { .time }, allowance: .time, worksLocked: true, isHandledByFollower: true, role: nil,
                brokerRole: .viewer)
        case .edit:
            Rules(
                command: { .model(.edit(selector: nil, .init())) }, plainText: .refused, mayBeBroadcast: false,
                role: .operator, brokerRole: .operator)
        case .timers:
            Rules(
                command: { .model(.timers(ModelDocument(.null))) },
                plainText: .refused, largestPayload: 64 * 1024, mayBeBroadcast: false, role: .operator,
                brokerRole: .operator)
        case .resetAccounts: Rules(command: { .model(.resetAccounts(group: nil)) }, plainText: .optional("group"))
        case .resetTimers:
            Rules(command: { .model(.reset) }, mayBeBroadcast: false, role: .operator, brokerRole: .operator)
        }
    }

    /// The largest payload that a node accepts, in bytes.
    public var largestPayload: Int { rules.largestPayload }

    /// Whether the command may be sent to several nodes at once. A command that changes data specific to one node may
    /// not.
    public var mayBeBroadcast: Bool { rules.mayBeBroadcast }

    /// Whether a node carries out the command even while it is locked for commands.
    public var worksLocked: Bool { rules.worksLocked }
}
