import FoundationEssentials
import TimerProtocol

/// Recognises rare states in a history.
struct Reached {
    private(set) var states: [RareState: Int] = [:]

    private struct Node {
        var state: StateMessage?
        var startedAt = Duration.zero
        var endedAt: Duration?
        var hungAt: Duration?
        var chipGoneAt: Duration?
        /// When a command was heard last.
        var commandAt: Duration?
        /// Whether the states that commands made have been saved.
        var isSaved = true
        /// What was published last on the topics that others may overwrite.
        var own: [String: What.Said] = [:]
        /// The topic on which another client's value was heard last, with the time.
        var strange: (topic: String, time: Duration)?
        var disk = ""
        var isButtonDown = false
        /// The commands that were heard without a connection.
        var lateCount = 0
        var isLate = false
        var movedOnAt: Duration?
        /// The state before the process ended.
        var stateBefore: StateMessage?
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) {
        var node = nodes[entry.machine] ?? Node()
        var found: [RareState] = []
        let isCounting = node.state?.mode.isRunning ?? false
        switch entry.what {
        case .rare(let state): found = [state]
        case .booted:
            if followers(of: entry.machine).contains(where: { $0.mode != .stopped }) { found.append(.leaderRebooted) }
        case .started:
            node.startedAt = entry.time
            if !view.hasChip { found.append(.startedWithoutChip) }
            if node.disk == "failing" || node.disk == "full" { found.append(.startedOnFailingDisk) }
            if followers(of: entry.machine).contains(where: \.mode.isRunning) { found.append(.leaderRestartedInRun) }
            node.stateBefore = node.state
            node.state = nil
        case .ended(let how):
            found = ended(how, node, entry.time)
            (node.endedAt, node.isSaved) = (entry.time, true)
        case .askedToStop:
            if node.disk == "stuck" { found.append(.stoppedWhileDiskStuck) }
            if view.isHung { found.append(.stoppedWhileHung) }
        case .hung(true): node.hungAt = entry.time
        case .hung(false):
            if let hungAt = node.hungAt, entry.time - hungAt > .seconds(23) { found.append(.hungBeyondKeepAlive) }
            if isCounting, let zero = node.state?.clock.zero, view.clock.reading(at: entry.time) > zero {
                found.append(.runEndedWhileHung)
            }
        case .chip(let isPresent):
            if isPresent {
                if isCounting, let gone = node.chipGoneAt, entry.time - gone < .seconds(1) {
                    found.append(.chipBackSoon)
                }
                node.chipGoneAt = nil
                node.isButtonDown = false
            } else {
                node.chipGoneAt = entry.time
                if node.state?.mode == .alarm { found.append(.unpluggedInAlarm) }
                if node.isButtonDown { found.append(.unpluggedWhileButtonDown) }
            }
        case .button(_, let isDown, _):
            node.isButtonDown = isDown
            if isDown, view.isHung { found.append(.pressedWhileHung) }
            if isDown, view.isAlive, !view.isConnected { found.append(.pressedWithoutConnection) }
        case .disk(let condition):
            node.disk = condition
            if isCounting, condition == "full" { found.append(.diskFullInRun) }
            if isCounting, condition == "stuck" { found.append(.diskStuckInRun) }
        case .clockSet(let seconds):
            if isCounting { found.append(.clockSetInRun) }
            if isCounting, let state = node.state, let start = state.startedAt, seconds < 0,
                state.date.addingTimeInterval(seconds + (entry.time - view.stateAt) / .seconds(1)) < start
            {
                found.append(.clockSetBeforeStart)
            }
            if node.state?.until != nil { found.append(.clockSetInClockRun) }
        case .saved: node.isSaved = true
        case .connected(true): node.isLate = node.lateCount > 0
        case .partitioned(true): if isCounting { found.append(.partitionedInRun) }
        case .lamps:
            guard view.isAlive, !view.isConnected, isCounting, let state = node.state, let zero = state.clock.zero,
                view.clock.reading(at: entry.time) >= zero
            else { break }
            found.append(state.next == nil ? .alarmWithoutConnection : .movedOnWithoutConnection)
        case .heard(let topic, let payload, let isRetained):
            if topic.isCommand { node.commandAt = entry.time }
            if topic.isCommand, view.isAlive, !view.isConnected { node.lateCount += 1 }
            if let own = node.own[topic], own.payload != payload { node.strange = (topic, entry.time) }
            if isRetained, topic.isCommand { found.append(.retainedCommand) }
        case .said(let topic, let what):
            if topic == "timer/\(entry.machine)/mode" || topic == "timer/\(entry.machine)/timers" {
                if let strange = node.strange, strange == (topic, entry.time) { found.append(.correctedTopic) }
                node.own[topic] = what
            }
            if case .message(let message) = what { found += said(message, &node, view, entry) }
        default: break
        }
        for state in found { states[state, default: 0] += 1 }
        nodes[entry.machine] = node
    }

    /// The states of the nodes that show another node's timer.
    private func followers(of leader: String) -> [StateMessage] {
        nodes.values.compactMap(\.state).filter { $0.follows == leader }
    }

    private func ended(_ how: What.Ending, _ node: Node, _ time: Duration) -> [RareState] {
        var found: [RareState] = []
        if !node.isSaved { found.append(.killedBeforeSaving) }
        if time - node.startedAt < .seconds(2) { found.append(.killedTwice) }
        if case .powerCut = how, node.state?.mode.isRunning == true { found.append(.powerCutInRun) }
        return found
    }

    private func said(
        _ message: PublishedMessage, _ node: inout Node, _ view: NodeView, _ entry: Entry
    ) -> [RareState] {
        switch message {
        case .state(let state):
            defer { node.state = state }
            if node.commandAt == entry.time { node.isSaved = false }
            return became(state, node, view, entry)
        case .response(let response): return answered(response, &node, entry.time)
        case .event(let event): return happened(event, &node, entry.time)
        default: return []
        }
    }

    private func answered(_ response: Response, _ node: inout Node, _ time: Duration) -> [RareState] {
        var found: [RareState] = []
        if node.isLate, response.command != "time" {
            (node.isLate, node.lateCount) = (false, 0)
            found.append(.answerAfterReconnection)
        }
        if response.duplicate { found.append(.repeatedCommand) }
        if response.forwardedTo != nil { found.append(.commandForwarded) }
        if case .error(let refusal) = response.outcome {
            if refusal.code == .locked { found.append(.lockedCommandRefused) }
            if refusal.code == .noLeader { found.append(.noLeader) }
        }
        guard case .ok = response.outcome, !response.duplicate else { return found }
        switch response.command {
        case "undo":
            found.append(.undone)
            if node.endedAt != nil, time - node.startedAt < .seconds(15) { found.append(.undoneAfterRestart) }
            if node.state?.next != nil { found.append(.undoneInSequence) }
        case "began": found.append(.begunEarlier)
        case "switch": found.append(.accountSwitched)
        case "entry":
            found.append(.entryBegan)
        default: break
        }
        return found
    }

    private func happened(_ event: EventMessage, _ node: inout Node, _ time: Duration) -> [RareState] {
        switch event.kind {
        case .movedOn:
            defer { node.movedOnAt = time }
            return node.movedOnAt == time ? [.movedOn, .movedOnTwiceAtOnce] : [.movedOn]
        case .budgetSpent: return [.budgetSpent]
        case .reminder: return [.reminder]
        case .meetingBegan:
            var found: [RareState] = [.meetingBegan]
            if node.state?.mode.isRunning == true { found.append(.meetingBeganInRun) }
            // In Berlin the hour from 2:00 comes twice, from 0:00 and from 1:00 UTC.
            let second = Int(event.date.timeIntervalSince1970) - 1_792_886_400
            if (0..<7200).contains(second) { found.append(.meetingInRepeatedHour) }
            return found
        default: return []
        }
    }

    private func became(_ state: StateMessage, _ node: Node, _ view: NodeView, _ entry: Entry) -> [RareState] {
        var found: [RareState] = []
        let isFollower = state.follows != nil
        if node.state == nil { found += cameBack(state, node, view) }
        if let before = node.state {
            if before.mode == .alarm, state.mode.isRunning, before.timer.id == state.timer.id,
                let start = before.startedAt, let newStart = state.startedAt, abs(start.distance(to: newStart)) < 0.1
            {
                found.append(.timeAddedInAlarm)
            }
            if before.until != nil, state.mode == .alarm { found.append(.clockRunEnded) }
            if before.entry?.id != state.entry?.id, before.mode.isRunning { found.append(.entryReplacedRun) }
        }
        if state.mode.isRunning, state.remaining > state.start { found.append(.moreThanStart) }
        if state.mode.isRunning, state.start == 1 { found.append(.oneSecondRun) }
        if state.mode == .alarm, !view.hasChip { found.append(.alarmWithoutChip) }
        if let leader = state.follows, nodes[leader]?.state?.follows != nil { found.append(.followerOfFollower) }
        if isFollower, state.timer.name.isEmpty, state.start == 0 { found.append(.followerWithoutLeader) }
        return found
    }

    /// What the first state of a process shows.
    private func cameBack(_ state: StateMessage, _ node: Node, _ view: NodeView) -> [RareState] {
        guard let before = node.stateBefore, node.endedAt != nil else { return [] }
        var found: [RareState] = []
        let isFollower = state.follows != nil
        if state.mode.isRunning { found.append(isFollower ? .followerRestartedInRun : .restartedInRun) }
        if state.mode == .paused { found.append(.restartedInPause) }
        if state.mode == .alarm { found.append(.restartedInAlarm) }
        if before.mode.isRunning, let zero = before.clock.zero, before.clock.now.boot == state.clock.now.boot,
            zero < state.clock.now.now, zero > before.clock.now.now
        {
            found.append(.runEndedWhileDown)
            if state.timer.id != before.timer.id { found.append(.movedOnWhileDown) }
        }
        return found
    }
}
