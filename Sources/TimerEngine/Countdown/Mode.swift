extension TimerEngine {
    /// The state of a timer.
    public indirect enum Mode: Hashable, Sendable {
        /// Not running; shows the starting time.
        case stopped
        /// Running; more than the warning time is left.
        case countdown
        /// Running; at or below the warning time.
        case warning
        /// Running; at or below the final time.
        case final
        /// At zero.
        case alarm
        /// Paused: `mode` is the mode before the pause, `pauseTime` the elapsed seconds at the pause.
        case paused(mode: Mode, pauseTime: Double)

        /// Whether the timer is counting down.
        public var isRunning: Bool {
            switch self {
            case .countdown, .warning, .final: true
            case .stopped, .alarm, .paused: false
            }
        }

        /// Whether the timer is paused.
        public var isPaused: Bool {
            if case .paused = self { true } else { false }
        }

        /// The mode before the pause, or the mode itself if not paused.
        public var unpaused: Mode {
            if case .paused(let mode, _) = self { mode } else { self }
        }
    }
}

extension TimerEngine.Mode {
    /// The name of the case; `paused` for every pause.
    public var name: String {
        if case .paused = self { "paused" } else { description }
    }
}

extension TimerEngine.Mode: CustomStringConvertible {
    /// The name of the case; a pause is written as `paused(countdown, 2.1)`.
    public var description: String {
        switch self {
        case .stopped: "stopped"
        case .countdown: "countdown"
        case .warning: "warning"
        case .final: "final"
        case .alarm: "alarm"
        case .paused(let mode, let pauseTime): "paused(\(mode), \(pauseTime))"
        }
    }
}

extension TimerEngine.Mode: LosslessStringConvertible {
    /// Parses a ``description``, such as `final` or `paused(countdown, 2.1)`.
    ///
    /// Returns nil for any other string, and for an invalid pause: one whose mode is not a running mode or whose time
    /// is not finite.
    public init?(_ description: String) {
        let plain: [TimerEngine.Mode] = [.stopped, .countdown, .warning, .final, .alarm]
        if let mode = plain.first(where: { $0.description == description }) {
            self = mode
        } else if let pause = Self.pause(description) {
            self = pause
        } else {
            return nil
        }
    }

    private static func pause(_ description: String) -> Self? {
        guard description.hasPrefix("paused("), description.hasSuffix(")") else { return nil }
        let parts = description.dropFirst("paused(".count).dropLast().split(separator: ",", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix(" "), let mode = Self(String(parts[0])), mode.isRunning,
            let pauseTime = Double(parts[1].dropFirst()), pauseTime.isFinite
        else { return nil }
        return .paused(mode: mode, pauseTime: pauseTime)
    }
}

extension TimerEngine.Mode: Codable {
    /// Encodes the mode as its ``description``.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }

    /// Decodes a mode.
    ///
    /// - Throws: A `DecodingError` if the value is not a string or not a mode.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let mode = Self(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "\"\(text.prefix(80))\" is not a mode")
        }
        self = mode
    }
}
