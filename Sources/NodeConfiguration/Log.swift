package import FoundationEssentials
internal import TimerProtocol

extension NodeConfiguration {
    /// `log`: the level and the format of the log.
    package struct Log: Hashable, Sendable {
        package var level = LogLevel.info
        package var format = LogFormat.text

        package init() {}
    }
}

extension NodeConfiguration.Log {
    private static let keys = Keys(
        prototype: Self(),
        .optional("level", \.level, .oneOf, "The lowest level to log."),
        .optional(
            "format", \.format, .oneOf,
            "The format of a line; `json` is an object with `time`, `level` and `message`.")
    )

    static let schema: Schema<Self> = .section(keys)
}

/// How important a log line is, from the least to the most.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// For debugging the node.
    case debug
    /// For events that an operator may want to look up later.
    case info
    /// For problems that do not stop the node.
    case warning
    /// For errors that an operator has to fix.
    case error
}

/// The format of a log line.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// The date, the level and the message. Under journald, which adds the date, only the priority and the message.
    case text
    /// A JSON object with `time`, `level` and `message`.
    case json

    /// Returns the line for an event, with its line end.
    ///
    /// - Parameters:
    ///   - message: the description of the event; control characters are escaped, so that it stays on one line.
    ///   - date: the time of the event.
    ///   - isJournal: whether the line goes to journald.
    package func line(_ level: LogLevel, _ message: String, at date: Date, isJournal: Bool) -> String {
        switch self {
        case .text:
            let start = isJournal ? "<\(level.priority)>" : "\(Timestamp.text(date)) \(level.rawValue): "
            return start + message.terminalText + "\n"
        case .json:
            let object = JSON.object([
                .init(key: "time", value: .string(Timestamp.text(date))),
                .init(key: "level", value: .string(level.rawValue)),
                .init(key: "message", value: .string(message)),
            ])
            return (isJournal ? "<\(level.priority)>" : "") + object.text + "\n"
        }
    }
}

extension LogLevel {
    /// The priority in syslog's numbers, where 0 is the most important.
    package var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    /// Whether a line of this level is logged when `least` is the lowest level to log.
    package func isLogged(from least: LogLevel) -> Bool { priority <= least.priority }
}
