internal import TimerEngine

/// The buttons: each gesture is carried out as a command that is answered nowhere.
extension NodeCore {
    mutating func inputsAcquired(_ lines: HeldInputs, in turn: inout Turn) {
        if inputClaim.succeeded() { turn.log(.info, "buttons are back") }
        buttons.hold(lines)
    }

    mutating func inputsFailed(_ fault: LinesFault, in turn: inout Turn) {
        if inputClaim.failed(fault, at: turn.now.instant) { turn.log(.error, "buttons: \(fault)") }
        // Lines that were held are lost when their chip goes away, and inputs notice it before the next write does.
        if buttons.areHeld, lines.claim.fault == nil { lines.claim.begin(at: turn.now.instant) }
        buttons.release()
    }

    /// Takes the buttons' lines when it is time to.
    mutating func retryInputs(in turn: inout Turn) {
        if inputClaim.tries(at: turn.now.instant) { turn.lines.append(.acquireInputs) }
    }

    /// Takes edges, all there were up to the present.
    mutating func take(_ edges: [Edge], in turn: inout Turn) {
        carryOut(buttons.take(edges, at: turn.now.instant), in: &turn)
    }

    /// Lets the buttons' time pass: only once no edge from before may still come.
    mutating func advanceButtons(in turn: inout Turn) {
        carryOut(buttons.advance(to: turn.now.instant), in: &turn)
    }

    private mutating func carryOut(_ actions: [Buttons.Action], in turn: inout Turn) {
        for action in actions {
            guard let bound = buttons.command(for: action) else { continue }
            carryOut(bound, of: "button \(action.line), \(action.gesture.rawValue)", in: &turn)
        }
    }

    /// Carries out what somebody did here or with a remote; a refusal is logged, as there is nobody to be answered.
    mutating func carryOut(_ bound: BoundCommand, of source: String, in turn: inout Turn) {
        let name = "\(source): \(bound.description.brief)"
        turn.log(.debug, name)
        do throws(Refusal) {
            try carryOut(bound.command, in: &turn)
        } catch {
            guard refusalLog.take(at: turn.now.instant) else { return }
            turn.log(.warning, "refused \(name): \(error.code.rawValue): \(error.message)")
        }
    }
}
