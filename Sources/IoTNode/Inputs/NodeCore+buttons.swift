internal import TimerEngine
internal import TimerProtocol

/// The buttons: each gesture is carried out as a command that is answered nowhere.
extension NodeCore {
    mutating func inputsAcquired(_ lines: HeldInputs, into batch: inout EffectBatch) {
        if inputAcquisition.succeeded() { batch.log(.info, "buttons are back") }
        buttons.hold(lines)
    }

    mutating func inputsFailed(_ fault: LinesFault, into batch: inout EffectBatch) {
        if inputAcquisition.failed(fault, at: batch.now.instant) { batch.log(.error, "buttons: \(fault)") }
        // Lines that were held are lost when their chip goes away, and inputs notice it before the next write does.
        if buttons.areHeld, lines.acquisition.fault == nil { lines.acquisition.begin(at: batch.now.instant) }
        buttons.release()
    }

    /// Takes the buttons' lines when it is time to.
    mutating func retryInputs(into batch: inout EffectBatch) {
        if inputAcquisition.consumeAttempt(at: batch.now.instant) { batch.lines.append(.acquireInputs) }
    }

    /// Takes edges, all there were up to the present.
    mutating func process(_ edges: [Edge], into batch: inout EffectBatch) {
        execute(buttons.process(edges, at: batch.now.instant), into: &batch)
    }

    /// Lets the buttons' time pass: only once no edge from before may still come.
    mutating func advanceButtons(into batch: inout EffectBatch) {
        execute(buttons.advance(to: batch.now.instant), into: &batch)
    }

    private mutating func execute(_ actions: [Buttons.Action], into batch: inout EffectBatch) {
        for action in actions {
            guard let bound = buttons.command(for: action) else { continue }
            execute(bound, of: "button \(action.line), \(action.gesture.rawValue)", into: &batch)
        }
    }

    /// Carries out what somebody did here or with a remote; a refusal is logged, as there is nobody to be answered.
    package mutating func execute(_ bound: BoundCommand, of source: String, into batch: inout EffectBatch) {
        let name = "\(source): \(bound.description.brief)"
        batch.log(.debug, name)
        do throws(Refusal) {
            try execute(bound.command, into: &batch)
        } catch {
            guard refusalLog.consume(at: batch.now.instant) else { return }
            batch.log(.warning, "refused \(name): \(error.code.rawValue): \(error.message)")
        }
    }
}

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
