/// What a command asks for, by the name it has in topics and payloads.
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
    /// ``PlayerCommand/set(seconds:)``.
    case set
    /// ``PlayerCommand/add(seconds:)``.
    case add
    /// ``PlayerCommand/sync(seconds:at:)``.
    case sync
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
    /// ``RunsCommand/page(_:)`` or ``RunsCommand/amend(id:speaker:)``.
    case runs
    /// ``RunsCommand/clear``.
    case clearRuns = "clear_runs"
    /// ``AgendaCommand/replace(_:revision:)``.
    case agenda
    /// ``AgendaCommand/begin(_:)``.
    case begin
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
}

// Verbs and commands stand for each other: each switch names all of them.
extension Command {
    /// The verb that asks for the command.
    public var verb: Verb {
        switch self {
        case .player(let command): command.verb
        case .signal(.silence): .silence
        case .signal(.beep): .beep
        case .signal(.lampTest): .lampTest
        case .signal(.identify): .identify
        case .model(.edit): .edit
        case .model(.timers): .timers
        case .model(.reset): .resetTimers
        case .talk(.speaker): .speaker
        case .talk(.message): .message
        case .talk(.lock): .lock
        case .talk(.unlock): .unlock
        case .runs(.page), .runs(.amend): .runs
        case .runs(.clear): .clearRuns
        case .agenda(.replace): .agenda
        case .agenda(.begin): .begin
        case .state: .state
        case .time: .time
        }
    }
}

extension PlayerCommand {
    fileprivate var verb: Verb {
        switch self {
        case .start, .startOnce: .start
        case .pause: .pause
        case .resume: .resume
        case .stop: .stop
        case .end: .end
        case .toggle: .toggle
        case .rewind: .rewind
        case .fastForward: .fastForward
        case .next: .next
        case .previous: .previous
        case .select: .select
        case .set: .set
        case .add: .add
        case .sync: .sync
        }
    }
}
