internal import FoundationEssentials
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration
internal import NodePorts
internal import ServiceLifecycle
internal import TimerEngine
internal import WebCore

/// The log: one line for each event, on standard error, in the same format as the node's.
struct ServerLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    private let format: LogFormat
    private let isJournal: Bool

    /// Creates a logger from the configuration.
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
        // The metadata contains thrown errors, which the message does not mention.
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

/// The metrics of the server and of the nodes, in the format of Prometheus.
enum Metrics {
    static func text(_ live: Live, for audience: Audience) -> String {
        let snapshot = live.hub.snapshot
        let own: [(name: String, help: String, labels: String, value: Int)] = [
            ("timer_web_build_info", "The version of the server.", "version=\"\(NodeVersion.current)\"", 1),
            (
                "timer_web_broker_connected", "Whether the server is connected to the broker.", "",
                snapshot.isConnected ? 1 : 0
            ),
            ("timer_web_nodes", "The number of known nodes.", "", snapshot.nodes.count),
            ("timer_web_streams", "The number of open event streams.", "", live.hub.count),
            ("process_resident_memory_bytes", "Resident memory.", "", ProcessMemory.residentBytes ?? 0),
        ]
        return own.map { MetricsText.metric($0.name, $0.help, .gauge, [($0.labels, Double($0.value))]) }.joined()
            + snapshot.nodeMetrics(for: audience, at: .now)
    }
}

/// Notifies systemd that the server is ready, that it is alive, and that it is stopping.
struct ServiceNotices: Service {
    let environment: [String: String]
    /// Yields once the server is listening.
    let ready: AsyncStream<Void>
    /// Returns once every component that must be alive has shown that it is.
    let check: @Sendable () async -> Void

    func run() async throws {
        guard let manager = try ServiceManager(environment: environment) else {
            try? await gracefulShutdown()
            return
        }
        for await _ in ready { break }
        // If the server cannot listen, its concurrent tasks are cancelled.
        guard !Task.isCancelled else { return }
        manager.announce(.ready)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            // The watchdog must detect components that hang, not whether this task runs.
            await check()
            _ = manager.takeEvents(ready: [], at: .now)
            let next = manager.nextInstant ?? .now + .seconds(3600)
            let pause = max(.milliseconds(10), Instant.now.duration(to: next))
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        manager.announce(.stopping)
    }
}
