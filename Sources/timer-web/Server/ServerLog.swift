internal import FoundationEssentials
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration

/// The log: one line for each event, on standard error, as the node writes it.
struct ServerLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let format: LogFormat
    private let isJournal: Bool

    /// A logger by the configuration.
    static func logger(_ settings: NodeConfiguration.Log, _ environment: [String: String]) -> Logger {
        let isJournal = Journal.reads(standardErrorOf: environment)
        let level = Logger.Level(rawValue: settings.level.rawValue) ?? .info
        return Logger(label: "timer-web") { _ in
            ServerLog(logLevel: level, format: settings.format, isJournal: isJournal)
        }
    }

    private init(logLevel: Logger.Level, format: LogFormat, isJournal: Bool) {
        self.logLevel = logLevel
        self.format = format
        self.isJournal = isJournal
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        // What was thrown is in the metadata, and not in the message.
        let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { "; \($0.key): \($0.value)" }.joined()
        var errors = StandardError()
        errors.write(
            format.line(Self.level(event.level), "\(event.message)\(details)", at: Date(), isJournal: isJournal))
    }

    private static func level(_ level: Logger.Level) -> LogLevel {
        switch level {
        case .trace, .debug: .debug
        case .info, .notice: .info
        case .warning: .warning
        case .error, .critical: .error
        }
    }
}
