internal import BrokerLink
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import LinuxSystem
internal import NIOCore
internal import NodeConfiguration
internal import NodePorts
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// Answers requests to the endpoints of ``APIRoute``.
struct API: Sendable {
    let live: Live
    let access: AccessControl
    let messages: MessageFile

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
        case .table: try await table(request)
        case .messages: .json(try keptMessages { () throws(StoreError) in try messages.read() }.bytes)
        case .keepMessage: try await keepMessage(request)
        case .displays: .json(live.hub.displayList(for: try context.requireIdentity()))
        case .identify: try identify(context)
        case .blackout: try await blackOut(request, context)
        case .rename: try await rename(request, context)
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
        let isToken = context.identity?.proof == .token
        // Behind an untrusted proxy on this machine, every client appears to be this machine.
        let isForwarded = [HTTPField.Name.named("X-Forwarded-For"), .named("Forwarded"), .named("Via")]
            .contains { request.headers.contains($0) }
        let isOwn = context.origin?.client?.isLoopback ?? false && !isForwarded
        guard isToken || isOwn else {
            throw APIError(.forbidden, "forbidden", "metrics are available only to this machine, or with a token")
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: Metrics.text(live, for: try context.audience))))
    }
}

extension Router<WebContext> {
    /// Adds all API endpoints, each with the role that it needs.
    func addAPI(_ api: API) {
        for route in APIRoute.allCases {
            let method = HTTPRequest.Method(rawValue: route.rules.method.uppercased())
            on(RouterPath(route.rules.path), method: method ?? .get) { request, context in
                await answer { () async throws(APIError) in
                    // A command needs the role of its verb, which may be a different one.
                    if let role = route.role, route != .command { _ = try context.requireIdentity(role) }
                    return try await api.answer(route, request, context)
                }
            }
        }
    }
}

extension WebContext {
    /// The string in the position of `{id}` in the address.
    var id: String { parameters.get("id") ?? "" }

    fileprivate var audience: Audience { get throws(APIError) { Audience(try requireIdentity()) } }
}

/// The actions that operators can perform on the open displays.
extension API {
    func identify(_ context: WebContext) throws(APIError) -> Response {
        let identity = try context.requireIdentity()
        guard live.hub.identify(context.id, for: identity) else { throw .noDisplay }
        return .json(live.hub.displayList(for: identity))
    }

    func blackOut(_ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        let identity = try context.requireIdentity()
        let body = try await request.bytes(upTo: 1024)
        guard case .bool(let isDark)? = (try? JSON(parsing: body))?["on"] else {
            throw .invalidPayload("expected {\"on\": true} or {\"on\": false}")
        }
        guard live.hub.darken(context.id, isDark, for: identity) else { throw .noDisplay }
        return .json(live.hub.displayList(for: identity))
    }
}

extension API {
    func rename(_ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        let identity = try context.requireIdentity()
        let body = try await request.bytes(upTo: 1024)
        guard case .string(let name)? = (try? JSON(parsing: body))?["name"], TextKind.plain.fits(name) else {
            throw .invalidPayload("expected {\"name\": …} with \(TextKind.plain.expected)")
        }
        guard live.hub.rename(context.id, name, for: identity) else { throw .noDisplay }
        return .json(live.hub.displayList(for: identity))
    }
}

extension API {
    /// The largest table, in bytes: as large as the running order that a node accepts.
    private static let largestTable = 64 * 1024

    func table(_ request: Request) async throws(APIError) -> Response {
        let body = try await request.bytes(upTo: Self.largestTable)
        guard case .string(let text)? = (try? JSON(parsing: body))?["text"] else {
            throw .invalidPayload("expected {\"text\": …} with the lines of a table")
        }
        do throws(Refusal) { return .json(try ProgrammeTable.read(text).json(capacity: 4096)) } catch {
            throw .invalidPayload(error.message)
        }
    }
}

/// The messages that are kept for all remotes.
extension API {
    func keepMessage(_ request: Request) async throws(APIError) -> Response {
        let body = try await request.bytes(upTo: 4096)
        let change: KeptMessageChange
        do throws(PayloadError) { change = try KeptMessageChange(body) } catch {
            throw .invalidPayload(error.description)
        }
        guard let kept = try keptMessages({ () throws(StoreError) in try messages.apply(change) }) else {
            throw .invalidPayload(KeptMessages.isFull)
        }
        return .json(kept.bytes)
    }

    private func keptMessages<Result>(_ body: () throws(StoreError) -> Result) throws(APIError) -> Result {
        do throws(StoreError) { return try body() } catch { throw APIError(.internalServerError, message: "\(error)") }
    }
}

extension APIError {
    fileprivate static let noDisplay = APIError(.notFound, "not_found", "there is no such display")
}

/// The report of a node, as JSON and as CSV for a spreadsheet.
extension API {
    func runsCSV(_ request: Request, _ context: WebContext) async throws(APIError) -> Response {
        // The oldest first, as in `timer-node report`.
        let runs = try await runs(request, context).runs.reversed()
        let text = RunsText.csv(Array(runs), date: LocalTime.dayAndTime)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(context.id)-runs.csv\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    func runs(_ request: Request, _ context: WebContext) async throws(APIError) -> RunsSelection {
        let id = context.id
        guard try context.requireIdentity().sees(id), live.hub.snapshot.nodes[id] != nil else {
            throw .notFound
        }
        let from = try Self.day("from", of: request).flatMap { LocalTime.date($0, TimeOfDay(secondOfDay: 0)) }
        let to = try Self.day("to", of: request).flatMap {
            LocalTime.date($0.adding(days: 1), TimeOfDay(secondOfDay: 0))
        }
        guard let report = await live.runs.report(of: id) else {
            throw APIError(.gatewayTimeout, "no_response", "\(id) did not answer")
        }
        return RunsSelection(of: report.runs, isComplete: report.isComplete, from: from, to: to)
    }

    private static func day(_ name: String, of request: Request) throws(APIError) -> CivilDate? {
        guard let text = request.uri.queryParameters[Substring(name)], !text.isEmpty else { return nil }
        guard let day = CivilDate(text) else {
            throw .invalidPayload("\(name) must be a day such as 2026-11-20")
        }
        return day
    }
}

/// The context of a request while the server handles it.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client's identity, set by ``AccessMiddleware``. Nil if unknown: see
    /// ``AccessControl/identity(from:bearer:session:views:)``.
    var identity: Identity?
    /// The origin of the request, taking proxies into account; set by ``AccessMiddleware``.
    var origin: ForwardedRequest?
    /// The connection.
    let channel: any Channel
    /// The address of the other end of the connection.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress
    }

    /// The address of the other end of the connection; nil if it has none.
    var peerAddress: IPAddress? { peer?.ipAddress.flatMap { IPAddress($0) } }

    /// The address of the client, as far as proxies report it.
    var address: String { origin?.client?.description ?? peer?.ipAddress ?? "" }

    /// The client's network, to which limits apply: see ``IPAddress/network``.
    var network: String { origin?.client?.network ?? address }

    /// Returns the client's identity, or throws if it is unknown or its role is too low.
    ///
    /// - Parameter role: the lowest role that is allowed.
    func requireIdentity(_ role: Role = .viewer) throws(APIError) -> Identity {
        guard let identity else { throw .unauthorized }
        guard identity.role >= role else {
            if identity.grant == nil { throw .unauthorized }
            throw APIError(.forbidden, "forbidden", "this needs the role \(role.rawValue)")
        }
        return identity
    }
}
