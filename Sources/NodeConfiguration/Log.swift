package import FoundationEssentials
internal import TimerProtocol

extension NodeConfiguration {
    /// `log`: what is logged.
    package struct Log: Hashable, Sendable {
        package var level = LogLevel.info
        package var format = LogFormat.text

        package init() {}
    }
}

extension NodeConfiguration.Log {
    private static let keys = Keys(
        prototype: Self(),
        .optional("level", \.level, .oneOf, "The least important level to log."),
        .optional(
            "format", \.format, .oneOf,
            "What a line looks like; `json` has an object with `time`, `level` and `message`.")
    )

    static let schema: Schema<Self> = .section(keys)
}

/// How important a log line is, the least first.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// For whoever looks for a fault in the node.
    case debug
    /// What an operator may want to read back.
    case info
    /// What looks wrong but was coped with.
    case warning
    /// What an operator has to put right.
    case error
}

/// What a log line looks like.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// The date, the level and the message; under journald, which has the date, its priority in front.
    case text
    /// A JSON object with `time`, `level` and `message`.
    case json

    /// The line for an event, with its end.
    ///
    /// - Parameters:
    ///   - message: what happened; control characters in it are escaped, so that it is one line.
    ///   - date: when it happened.
    ///   - isJournal: whether journald reads it.
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
    /// The level as syslog counts: 0 is the most important.
    package var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }

    /// Whether it is logged where `least` is the least important level that is.
    package func isLogged(from least: LogLevel) -> Bool { priority <= least.priority }
}
