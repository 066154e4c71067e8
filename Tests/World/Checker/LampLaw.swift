import TimerProtocol

/// The lamps are what the talk demands at each instant, to within some milliseconds; two lamps are never on together;
/// without a process they are dark.
struct LampLaw {
    /// How long `identify` and `lamp_test` take at most.
    private static let longestTest = Duration.seconds(8)

    private struct Room {
        var lamps: Set<String> = []
        /// Until when everything has been compared.
        var checkedUntil = Duration.zero
        /// When the talk became what it is, which the lamps show at once.
        var since = Duration.zero
        var talk: StateMessage?
        /// Whether the talk has reached the disk.
        var isSaved = false
        var testUntil = Duration.zero
        /// When the lamps changed last.
        var changedAt = Duration.zero
        /// When the process ended, or began to stop.
        var endedAt: Duration?
        /// Whether a hung process was asked to stop.
        var mustStop = false
        /// When lamps that differ from the talk may have begun to flash.
        var flashedAt: Duration?

        /// Whether the lamps may be flashing for a reason that is not in the history: without a connection, reminders and
        /// spent budgets are not published.
        mutating func mayFlash(at moment: Duration, _ view: NodeView) -> Bool {
            guard !view.isConnected || moment - view.connectedSince < .seconds(2) else { return false }
            // The lamps flash three times, and they do not do so again at once.
            if let flashedAt, moment < flashedAt + .seconds(3) { return moment < flashedAt + .milliseconds(760) }
            flashedAt = moment
            return true
        }
    }

    private var rooms: [String: Room] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var room = rooms[entry.machine] ?? Room()
        defer { rooms[entry.machine] = room }
        if let text = compare(&room, view, until: entry.time) { return text }
        switch entry.what {
        case .lamps(let lamps):
            (room.lamps, room.changedAt) = (lamps, entry.time)
            let lit = lamps.intersection(["green", "yellow", "red"])
            if lit.count > 1, entry.time >= room.testUntil { return "\(lit.sorted()) are on together" }
            if let ended = room.endedAt, !lamps.isEmpty, entry.time > ended, !view.isHung {
                return "\(lamps.sorted()) on without a process"
            }
        case .said(_, .message(.state(let state))):
            room.talk = state
            room.isSaved = false
            room.since = entry.time
        case .said(_, .message(.event(let event))):
            if event.kind.mayAskForAttention { room.testUntil = max(room.testUntil, entry.time + .seconds(2)) }
        case .saved: room.isSaved = true
        case .booted:
            (room.talk, room.endedAt, room.mustStop) = (nil, nil, false)
        case .started:
            // A restart goes on as if nothing had happened, if what was going on is on the disk.
            (room.endedAt, room.mustStop) = (nil, false)
            room.since = entry.time
            if let zero = room.talk?.clock.zero, view.clock.time(of: zero) < entry.time { room.talk = nil }
            if !room.isSaved { room.talk = nil }
        case .ended(let how):
            room.endedAt = entry.time
            if how == .exited, !room.lamps.isEmpty { return "\(room.lamps.sorted()) on after the exit" }
        case .askedToStop:
            if view.isHung { room.mustStop = true } else { room.endedAt = entry.time }
        case .hung(false) where room.mustStop:
            room.endedAt = entry.time
        case .hung, .chip: room.since = entry.time
        case .clockSet:
            // Without a connection, the new end of a run that ends by the wall clock is not published.
            if !view.isConnected, room.talk?.until != nil { room.talk = nil }
        // What they change without a connection is not published.
        case .button, .reloaded: if !view.isConnected { room.talk = nil }
        case .connected(false):
            // Without a connection a button that is already down may change the talk unseen.
            if let button = view.lastButton, entry.time - button < .seconds(2) { room.talk = nil }
        case .heard(let topic, _, _):
            // What a message did that arrived with the end of the connection is not published before the next one.
            if !view.isConnected { room.talk = nil }
            if topic.hasSuffix("/identify") || topic.hasSuffix("/lamp_test") {
                room.testUntil = entry.time + Self.longestTest
            }
        default: break
        }
        return nil
    }

    /// Compares the lamps with the talk since the last comparison.
    private func compare(_ room: inout Room, _ view: NodeView, until time: Duration) -> String? {
        let bound = Duration.lateness(isFollower: room.talk?.follows != nil)
        let from = max(room.checkedUntil, max(room.since, room.changedAt) + bound)
        let end = time - bound
        guard end > from else { return nil }
        room.checkedUntil = end
        guard view.isAlive, !view.isHung, view.hasChip, room.endedAt == nil, let talk = room.talk, end >= room.testUntil
        else {
            guard let ended = room.endedAt, end > ended + .milliseconds(40), !room.lamps.isEmpty else { return nil }
            return "\(room.lamps.sorted()) on without a process since \(ended.clockText)"
        }
        var moment = from
        while moment <= end {
            let reading = view.clock.reading(at: moment)
            guard let expected = talk.lamps(at: reading, isConnected: view.isConnected) else { return nil }
            let lit = room.lamps.subtracting(["buzzer"])
            if !expected.isMet(by: lit), !room.mayFlash(at: moment, view) {
                return "\(lit.sorted()) at \(moment.clockText), but the talk demands \(expected.text)"
            }
            guard let change = expected.until else { break }
            moment = max(moment + .milliseconds(1), view.clock.time(of: change) + bound)
        }
        return nil
    }
}

/// The lamps that a talk demands.
struct ExpectedLamps {
    /// The lamp, or none.
    let lamp: String?
    let isOn: Bool
    /// Until when, on the boot clock; nil for ever.
    let until: Duration?

    func isMet(by lit: Set<String>) -> Bool { lit == (isOn ? Set([lamp].compactMap(\.self)) : []) }
    var text: String { isOn ? lamp ?? "none" : "none" }
}

extension StateMessage {
    /// Returns what the lamps show at a reading of the boot clock if nothing but time has passed since the state was
    /// published; nil if it is not known.
    func lamps(at reading: Duration, isConnected: Bool) -> ExpectedLamps? {
        switch mode {
        case .stopped: return ExpectedLamps(lamp: nil, isOn: false, until: nil)
        case .paused:
            guard let since = clock.since, let pausedMode else { return nil }
            return blink(Self.lamp(of: pausedMode), since, reading, on: .milliseconds(500), off: .milliseconds(1500))
        case .alarm:
            guard let since = clock.since else { return nil }
            return blink("red", since, reading, on: .milliseconds(425), off: .milliseconds(425))
        case .countdown, .warning, .final:
            guard let zero = clock.zero else { return nil }
            let left = zero - reading
            if left <= .zero {
                // In a sequence, the next timer's state follows at once, but it is published only with a connection.
                guard next == nil else { return nil }
                return blink("red", zero, reading, on: .milliseconds(425), off: .milliseconds(425))
            }
            let seconds = left.wholeSecondsUp
            // A final time of one second counts as off.
            // A follower takes its leader's word for a mode that its own clock has not reached yet.
            let isFinal = final > 1 && seconds <= final || follows != nil && mode == .final
            if isFinal {
                return ExpectedLamps(lamp: "red", isOn: true, until: zero)
            }
            if warning > 0, seconds <= warning || follows != nil && mode == .warning {
                let end = final > 1 ? zero - .seconds(final) : zero
                return ExpectedLamps(lamp: "yellow", isOn: true, until: end)
            }
            let end = warning > 0 ? zero - .seconds(warning) : final > 1 ? zero - .seconds(final) : zero
            return ExpectedLamps(lamp: "green", isOn: true, until: end)
        }
    }

    private func blink(
        _ lamp: String, _ since: Duration, _ reading: Duration, on: Duration, off: Duration
    ) -> ExpectedLamps {
        let passed = max(.zero, reading - since)
        let rounds = Int(passed / (on + off))
        let inRound = passed - (on + off) * rounds
        let start = since + (on + off) * rounds
        return inRound < on
            ? ExpectedLamps(lamp: lamp, isOn: true, until: start + on)
            : ExpectedLamps(lamp: lamp, isOn: false, until: start + on + off)
    }

    private static func lamp(of mode: ModeName) -> String {
        switch mode {
        case .warning: "yellow"
        case .final, .alarm: "red"
        default: "green"
        }
    }
}

extension Duration {
    /// How late a lamp or a tick may be. A follower neither saves nor publishes every change of its leader's clock.
    static func lateness(isFollower: Bool) -> Duration { isFollower ? .milliseconds(25) : .milliseconds(3) }

    /// The seconds, rounded up.
    var wholeSecondsUp: Int {
        let (seconds, rest) = components
        return Int(seconds) + (rest > 0 ? 1 : 0)
    }
}

extension EventMessage.Kind {
    /// Whether the lamps may flash to ask for attention.
    fileprivate var mayAskForAttention: Bool {
        switch self {
        case .budgetSpent, .reminder, .message(_, attention: true): true
        default: false
        }
    }
}
