internal import BrokerSession
internal import Hummingbird
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration
internal import ServiceLifecycle
internal import Synchronization
internal import TimerEngine
internal import WebCore

/// The live side of the server: the connection to the broker and the streams, from the start of the server to its end.
final class Live: Service {
    let hub: StreamHub
    let broker: BrokerThread
    /// Who has sent how many commands.
    let commandLimits = Mutex(CommandLimits())
    let runs: RunReports

    /// - Throws: ``SystemError`` if the process has no descriptor left.
    init(
        _ mqtt: NodeConfiguration.MQTT, nodes: [String]?, site: SiteReport, clientName: String, logger: Logger
    ) throws(SystemError) {
        let hub = StreamHub(site: site)
        self.hub = hub
        let broker = try BrokerThread(mqtt, nodes: nodes, name: clientName, logger: logger) { hub.publish($0) }
        self.broker = broker
        runs = RunReports(broker, hub)
    }

    func run() async throws {
        try broker.start()
        try? await gracefulShutdown()
        hub.close()
        await broker.stop()
    }
}
