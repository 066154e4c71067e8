internal import TimerEngine

/// The remotes: what another device publishes is carried out as if it were a button of the node's own.
extension NodeCore {
    /// Takes a message that is none of the node's own commands.
    mutating func heed(_ message: IncomingMessage, in turn: inout Turn) {
        for (remote, finding) in remotes.take(message, at: turn.now.instant) {
            let name = "remote \(remote.topic)"
            switch finding {
            case .pressed(let bound, let value):
                carryOut(bound, of: "\(name), \(value.quoted)", in: &turn)
            case .nothing(let reason):
                turn.log(.debug, "\(name): nothing done on \(message.topic.quoted): \(reason)")
            case .unreadable(let reason):
                let level: LogLevel = remoteLog.take(at: turn.now.instant) ? .warning : .debug
                turn.log(level, "\(name): ignored a message on \(message.topic.quoted): \(reason)")
            }
        }
    }
}
