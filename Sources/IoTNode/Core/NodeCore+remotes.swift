internal import TimerEngine

/// The remotes: what another device publishes is carried out as if it were a button of the node's own.
extension NodeCore {
    /// Takes a message that is none of the node's own commands.
    mutating func handleRemote(_ message: IncomingMessage, into batch: inout EffectBatch) {
        for (remote, finding) in remotes.match(message, at: batch.now.instant) {
            let name = "remote \(remote.topic)"
            switch finding {
            case .pressed(let bound, let value):
                execute(bound, of: "\(name), \(value.quoted)", into: &batch)
            case .nothing(let reason):
                batch.log(.debug, "\(name): nothing done on \(message.topic.quoted): \(reason)")
            case .unreadable(let reason):
                let level: LogLevel = remoteLog.consume(at: batch.now.instant) ? .warning : .debug
                batch.log(level, "\(name): ignored a message on \(message.topic.quoted): \(reason)")
            }
        }
    }
}
