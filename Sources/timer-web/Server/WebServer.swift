internal import BrokerSession
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import LinuxSystem
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NodeConfiguration
internal import ServiceLifecycle
internal import Synchronization
internal import TimerEngine
internal import WebCore

/// The server, assembled from its components.
struct WebServer {
    /// One thread writes to all viewers, however many processors there are. A change is sent to hundreds of streams at
    /// once, and on a board with two processors, a second thread would occupy the processor that the node and the
    /// broker need at that moment.
    private static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let settings: Settings
    let access: AccessControl
    let site: Site
    let live: Live
    let logger: Logger
    let environment: [String: String]
    /// The folder with the PINs, the tokens and the kept messages.
    let directory: String

    /// All routes, with the middleware that each request passes first.
    var router: Router<WebContext> {
        let router = Router(context: WebContext.self)
        router.add(middleware: AnswerHeaders(settings: settings.configuration.web))
        router.add(middleware: AccessMiddleware(access))
        router.add(middleware: ViewTokens(access: access))
        router.addAPI(API(live: live, access: access, messages: MessageFile(directory: directory)))
        router.addSite(site)
        return router
    }

    /// Serves until a signal ends it.
    func run() async throws {
        var address = settings.configuration.web.listen
        if address.host == "::", await !Self.hasIPv6() { address.host = "0.0.0.0" }
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        var application = application(at: address) { _ in isReady.yield() }
        let broker = live.broker
        application.addServices(
            ServiceNotices(environment: environment, ready: ready) {
                await broker.waitForOneIteration()
                try? await Self.eventLoops.any().submit {}.get()
            })
        try await application.runService()
    }

    /// Whether this machine has IPv6. At boot, IPv6 addresses may be configured some seconds after the others.
    private static func hasIPv6() async -> Bool {
        for _ in 0..<10 where !IPv6.isDisabled {
            if IPv6.isConfigured { return true }
            try? await Task.sleep(for: .milliseconds(500))
        }
        return false
    }

    /// The server with its background services.
    ///
    /// - Parameter onRunning: called with the channel once it listens.
    func application(
        at address: WebConfiguration.ListenAddress, onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> Application<PathResponder<RouterResponder<WebContext>>> {
        let counts = ConnectionCounts(proxies: access.settings.proxies)
        var application = Application(
            responder: PathResponder(basePath: settings.configuration.web.path, next: router.buildResponder()),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGuard(counts)], idleTimeout: .seconds(30),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 100))),
            configuration: .init(address: .hostname(address.host, port: address.port), serverName: nil),
            onServerRunning: onRunning,
            eventLoopGroupProvider: .shared(Self.eventLoops), logger: logger)
        application.addServices(live, AccessUpkeep(access: access, directory: directory, live: live, logger: logger))
        return application
    }
}

/// The live components of the server: the connection to the broker, and the streams. They exist as long as the server
/// runs.
final class Live: Service {
    let hub: StreamHub
    let broker: BrokerThread
    /// Counts the commands of each client.
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

/// A value that arrives once and that one task waits for. That task resumes exactly once, whether the value arrives
/// before or after it starts to wait; a second value is ignored.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resumed(Value)
        case done
    }

    private let state = Mutex(State.empty)

    /// The value; only one task may wait for it.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    guard case .resumed(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .done
                    return value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Passes the value to the task that waits for it, now or later.
    func resume(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .resumed(value)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .resumed, .done: return nil
            }
        }
        continuation?.resume(returning: value)
    }
}

extension HTTPField.Name {
    static let referrerPolicy = named("Referrer-Policy")
    static let permissionsPolicy = named("Permissions-Policy")
    static let xFrameOptions = named("X-Frame-Options")

    /// A name that HTTPTypes does not define.
    static func named(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is not a valid field name") }
        return name
    }
}

extension Instant {
    /// The server's current instant, on the clock that counts from boot.
    static var now: Self { BootClock.bootTime }
}

extension WallClock {
    /// The current time, in seconds of Unix time.
    static var seconds: Int { Int(Date().timeIntervalSince1970) }
}
