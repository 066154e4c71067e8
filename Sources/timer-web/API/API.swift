internal import BrokerLink
internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// What answers requests to the addresses of ``APIRoute``.
struct API: Sendable {
    let live: Live
    let access: AccessControl

    func answer(_ route: APIRoute, _ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        switch route {
        case .session: .json(access.report(context.identity))
        case .logIn: try await access.answerLogin(request, context)
        case .logOut: access.answerLogout(context)
        case .nodes:
            .json(live.hub.snapshot.everything(for: try context.audience, site: live.hub.site, now: .now))
        case .node: try node(context)
        case .command: .json(try await CommandExchange(live: live, context: context).execute(request))
        case .events: try StreamAnswer(live: live, access: access, context: context).open(request)
        case .time: .json(time)
        case .runs: .json(try await runs(request, context).json(capacity: 1024))
        case .runsCSV: try await runsCSV(request, context)
        case .displays: .json(live.hub.displayList(for: try context.requireIdentity()))
        case .identify: try identify(context)
        case .blackout: try await blackOut(request, context)
        case .qr: try qr(request, context)
        // The document is two levels below the root.
        case .openAPI: .json(OpenAPI.document(version: NodeVersion.current, server: "..").bytes)
        case .health: .json(health)
        case .metrics: try metrics(request, context)
        }
    }

    private var time: [UInt8] {
        (["boot": .string(live.hub.site.boot), "now": .number(Instant.now.milliseconds)] as JSON).bytes
    }

    private var health: [UInt8] {
        (["status": "ok", "broker": .bool(live.hub.snapshot.isConnected)] as JSON).bytes
    }

    private func node(_ context: WebContext) throws(APIError) -> Response {
        guard let node = live.hub.snapshot.node(context.id, for: try context.audience) else { throw .notFound }
        return .json(node)
    }

    private func metrics(_ request: Request, _ context: WebContext) throws(APIError) -> Response {
        let isToken = if case .token? = context.identity?.proof { true } else { false }
        // A proxy on this machine that is not trusted makes everybody look like this machine.
        let isForwarded = [HTTPField.Name.named("X-Forwarded-For"), .named("Forwarded"), .named("Via")]
            .contains { request.headers.contains($0) }
        let isOwn = context.origin?.client?.isLoopback ?? false && !isForwarded
        guard isToken || isOwn else {
            throw APIError(.forbidden, "forbidden", "metrics are for this machine, and for whoever has a token")
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: Metrics.text(live))))
    }
}

extension Router<WebContext> {
    /// Adds all addresses of the API, each with the role that it needs.
    func addAPI(_ api: API) {
        for route in APIRoute.allCases {
            let method = HTTPRequest.Method(rawValue: route.rules.method.uppercased())
            on(RouterPath(route.rules.path), method: method ?? .get) { request, context in
                await answer { () async throws(APIError) in
                    // A command needs the role that its verb needs, which may be another one.
                    if let role = route.role, route != .command { _ = try context.requireIdentity(role) }
                    return try await api.answer(route, request, context)
                }
            }
        }
    }
}

extension WebContext {
    /// What stands for `{id}` in the address.
    var id: String { parameters.get("id") ?? "" }

    fileprivate var audience: Audience { get throws(APIError) { Audience(try requireIdentity()) } }
}
