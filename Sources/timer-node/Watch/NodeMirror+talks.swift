internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

// What `watch` shows of the mode.
extension NodeMirror {
    /// The colour of the present mode, or of the one that is paused; nil for the terminal's own.
    var colour: TerminalStyle.Colour? { (state?.pausedMode ?? mode).flatMap { Stoplight.colour(signals[$0]) } }
}

// What `watch` shows of talks.
extension NodeMirror {
    /// How long each of the three flashes of a new message takes, and each pause between them.
    private static let flash: Duration = .milliseconds(150)

    /// Whether a message that asks for attention flashes now.
    func isFlashing(at now: Instant) -> Bool { phase(at: now).map { $0.isMultiple(of: 2) } ?? false }

    /// When the next flash begins or ends; nil where none does.
    func nextFlash(after now: Instant) -> Instant? {
        guard let attentionSince, let phase = phase(at: now) else { return nil }
        return attentionSince + Self.flash * (phase + 1)
    }

    /// The number of the flash or the pause, counted from 0; nil after the last one.
    private func phase(at now: Instant) -> Int? {
        guard let attentionSince else { return nil }
        let phase = Int(attentionSince.duration(to: now) / Self.flash)
        return (0..<5).contains(phase) ? phase : nil
    }

    /// What is locked, in words; nil for nothing.
    var lock: String? {
        switch state?.locked {
        case .inputs: "locked"
        case .commands: "locked, commands too"
        case nil: nil
        }
    }

    /// The time of day of a date: in the zone of the node's agenda, as everything that is shown of it, else in that of this
    /// terminal.
    func timeOfDay(_ date: Date) -> String { LocalTime.text(date, zone: agenda?.agenda.zone) }

    /// How the meeting in progress keeps its time, such as `3:20 behind`; nil where that is not known.
    func delay(at now: NodeClient.Moment) -> String? {
        guard let meeting = state?.meeting, let end = expectedEndOfMeeting(at: now) else { return nil }
        let late = meeting.plannedEnd.distance(to: end).rounded()
        // Over a day a clock is wrong.
        guard abs(late) <= 86_400 else { return nil }
        let seconds = Int(late)
        if seconds == 0 { return "on time" }
        return "\(TimeDisplay.time(abs(seconds))) \(seconds > 0 ? "behind" : "ahead")"
    }
}
