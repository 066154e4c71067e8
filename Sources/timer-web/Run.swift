internal import ArgumentParser
internal import FoundationEssentials
internal import Hummingbird
internal import IoTNode
internal import LinuxSystem
internal import NodeConfiguration
internal import WebCore

/// `timer-web run`: serves the pages.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the pages.")

    @Option(help: "The broker.")
    var broker = "mqtt://127.0.0.1"

    @Option(help: "The address and port to listen on.")
    var listen = "127.0.0.1:8080"

    @Option(help: "The folder of the pages.", completion: .directory)
    var www: String?

    @Flag(help: .hidden)
    var open = false

    func run() async throws {
        var environment = ProcessInfo.processInfo.environment
        environment["TIMER_NODE_MQTT_BROKERS"] = broker
        guard
            let mqtt = try NodeConfiguration.loadMQTT(path: nil, environment: environment, readFile: File.read),
            let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...])
        else { throw ValidationError("no broker or no address") }
        let live = try Live(
            mqtt, site: SiteReport(boot: BootClock().boot, version: "0.1.0"), clientName: "timer-web-\(Host.name)")
        let router = Router(context: WebContext.self)
        if open { router.add(middleware: OpenToAll()) }
        router.get("/healthz") { _, _ in "ok" }
        router.addLive(live)
        if let www { router.add(middleware: FileMiddleware(www, searchForIndexHtml: true)) }
        var application = Application(
            router: router, configuration: .init(address: .hostname(String(listen[..<colon]), port: port)))
        application.addServices(live)
        try await application.runService()
    }
}

/// Makes everybody an operator.
struct OpenToAll: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.identity = context.identity ?? Identity(role: .operator, proof: .none)
        return try await next(request, context)
    }
}
