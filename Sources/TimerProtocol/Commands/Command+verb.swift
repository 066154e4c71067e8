extension Command {
    /// The verb of the command.
    public var verb: Verb {
        switch self {
        case .player(let command): command.verb
        case .correction(.began): .began
        case .correction(.undo): .undo
        case .signal(.silence): .silence
        case .signal(.beep): .beep
        case .signal(.lampTest): .lampTest
        case .signal(.identify): .identify
        case .model(.edit): .edit
        case .model(.timers): .timers
        case .model(.reset): .resetTimers
        case .model(.resetAccounts): .resetAccounts
        case .talk(.speaker): .speaker
        case .talk(.message): .message
        case .talk(.lock): .lock
        case .talk(.unlock): .unlock
        case .runs(.page), .runs(.amend): .runs
        case .runs(.clear): .clearRuns
        case .agenda(.replace): .agenda
        case .agenda(.begin): .begin
        case .programme(.replace): .programme
        case .programme(.go), .programme(.skip): .entry
        case .state: .state
        case .time: .time
        }
    }
}

extension PlayerCommand {
    fileprivate var verb: Verb {
        switch self {
        case .start, .startOnce, .startUntil: .start
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
        case .switchTo: .switch
        case .set: .set
        case .add: .add
        case .sync: .sync
        }
    }
}
