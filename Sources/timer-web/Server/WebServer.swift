internal import Hummingbird
internal import HummingbirdCore
internal import LinuxSystem
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NodeConfiguration
internal import WebCore

/// The parts of the server, put together.
struct WebServer {
    /// One thread writes to all viewers, however many processors there are: a change goes to hundreds of streams at once, and
    /// on a board of two processors a second thread would take the one that the node and the broker need just then.
    private static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let settings: Settings
    let access: AccessControl
    let site: Site
    let live: Live
    let logger: Logger
    let environment: [String: String]

    /// All routes, with what each request goes through before it gets there.
    var router: Router<WebContext> {
        let router = Router(context: WebContext.self)
        router.add(middleware: AnswerHeaders(frameAncestors: settings.configuration.web.frameAncestors))
        router.add(middleware: AccessMiddleware(access))
        router.add(middleware: ViewTokens(access: access))
        router.addAPI(API(live: live, access: access))
        router.addSite(site)
        return router
    }

    /// Serves until a signal ends it.
    ///
    /// - Parameter accessDirectory: the folder with the PINs and tokens.
    func run(accessDirectory: String) async throws {
        var address = settings.configuration.web.listen
        if address.host == "::", !IPv6.isAvailable { address.host = "0.0.0.0" }
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        var application = application(at: address, accessDirectory: accessDirectory) { _ in isReady.yield() }
        let broker = live.broker
        application.addServices(
            ServiceNotices(environment: environment, ready: ready) {
                await broker.goRound()
                try? await Self.eventLoops.any().submit {}.get()
            })
        try await application.runService()
    }

    /// The server with what runs beside it.
    ///
    /// - Parameter onRunning: called with the channel once it listens.
    func application(
        at address: WebConfiguration.ListenAddress, accessDirectory: String,
        onRunning: @escaping @Sendable (any Channel) async -> Void
    ) -> Application<PathResponder<RouterResponder<WebContext>>> {
        let counts = ConnectionCounts(proxies: access.settings.trustedProxies)
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
        application.addServices(
            live, AccessUpkeep(access: access, directory: accessDirectory, live: live, logger: logger))
        return application
    }
}
