internal import FoundationEssentials
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration
internal import NodePorts
internal import ServiceLifecycle
internal import TimerEngine
internal import WebCore

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

/// What the server counts, as Prometheus reads it.
enum Metrics {
    static func text(_ live: Live) -> String {
        let snapshot = live.hub.snapshot
        return [
            line("timer_web_build_info", "The version.", "{version=\"\(NodeVersion.current)\"} 1"),
            line(
                "timer_web_broker_connected", "Whether there is a connection to the broker.",
                " \(snapshot.isConnected ? 1 : 0)"),
            line("timer_web_nodes", "The nodes that are known.", " \(snapshot.nodes.count)"),
            line("timer_web_streams", "The streams of events that are open.", " \(live.hub.count)"),
            line(
                "process_resident_memory_bytes", "Resident memory.", " \(ProcessMemory.residentBytes ?? 0)"),
        ].joined()
    }

    private static func line(_ name: String, _ help: String, _ value: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name)\(value)\n"
    }
}

/// Tells systemd that the server is ready, that it is still at work, and that it ends.
struct ServiceNotices: Service {
    let environment: [String: String]
    /// Ends when the server listens.
    let ready: AsyncStream<Void>
    /// Returns once everything that has to be at work has shown that it is.
    let check: @Sendable () async -> Void

    func run() async throws {
        guard let manager = try ServiceManager(environment: environment) else {
            try? await gracefulShutdown()
            return
        }
        for await _ in ready { break }
        // A server that cannot listen cancels what runs beside it.
        guard !Task.isCancelled else { return }
        manager.announce(.ready)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            // The watchdog is for what hangs, and this task is not where that would be.
            await check()
            _ = manager.takeEvents(ready: [], at: .now)
            let next = manager.nextInstant ?? .now + .seconds(3600)
            let pause = max(.milliseconds(10), Instant.now.duration(to: next))
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        manager.announce(.stopping)
    }
}
