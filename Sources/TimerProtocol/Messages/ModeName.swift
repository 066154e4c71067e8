public import TimerEngine

/// The payload of the `mode` topic, and the name of a mode in all other payloads.
public enum ModeName: String, CaseIterable, MessagePayload {
    /// The topic that it is published on.
    public static let kind = TopicKind.mode

    /// Not running.
    case stopped
    /// Running, with more left than the warning time.
    case countdown
    /// Running, at or below the warning time.
    case warning
    /// Running, at or below the final time.
    case final
    /// At zero.
    case alarm
    /// Held, whatever the timer was doing.
    case paused

    /// The name of a mode.
    public init(_ mode: TimerEngine.Mode) {
        self =
            switch mode {
            case .stopped: .stopped
            case .countdown: .countdown
            case .warning: .warning
            case .final: .final
            case .alarm: .alarm
            case .paused: .paused
            }
    }
}
