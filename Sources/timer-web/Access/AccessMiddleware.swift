internal import BrokerLink
internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import Synchronization
internal import TimerProtocol
internal import WebCore

/// Identifies the client that sends a request, and refuses requests that no client may send.
final class AccessMiddleware: RouterMiddleware {
    private let access: AccessControl
    private let requests = Mutex(RateLimit.requests)

    init(_ access: AccessControl) { self.access = access }

    @concurrent func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do throws(APIError) {
            let origin = origin(of: request, context)
            context.origin = origin
            let path = request.uri.path
            let isAPI = path.hasPrefix("/api/")
            if [.get, .head].contains(request.method), request.announcesBody {
                throw APIError(.badRequest, message: "a \(request.method) request must not have a body")
            }
            // The first Host field has become the request's authority.
            guard !request.headers.contains(.named("Host")) else {
                throw APIError(.badRequest, message: "the request has more than one Host field")
            }
            guard request.head.authority?.isEmpty == false else {
                throw APIError(.badRequest, message: "the Host field is missing or empty")
            }
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > CommandBody.largest {
                throw .tooLarge(CommandBody.largest)
            }
            let credentials = RequestCredentials(request)
            context.identity = access.identity(
                from: context.peerAddress, bearer: credentials.bearer, session: credentials.session,
                views: credentials.views)
            if case .session? = context.identity?.grant { access.keepPlace(for: context.network) }
            // Data that is open to everybody on the network must not be open to every site that those people visit.
            if context.identity?.grant == nil, path != "/healthz" { try checkName(origin) }
            if credentials.bearer != nil, context.identity == nil, isAPI {
                throw APIError(.unauthorized, "unauthorized", "there is no such token")
            }
            if ![.get, .head, .options].contains(request.method), credentials.bearer == nil {
                try checkPage(
                    request, origin, isFromProxy: context.identity?.grant == .proxy,
                    hasCookie: credentials.session != nil || !credentials.views.isEmpty)
            }
            if isAPI {
                let routes = APIRoute.all(at: path)
                if context.identity == nil, routes.isEmpty || routes.contains(where: { $0.role != nil }) {
                    throw .unauthorized
                }
                if routes.allSatisfy(\.rules.isLimited) { try limit(context) }
            }
        } catch { return AnswerHeaders.answer(error, to: request) }
        return try await next(request, context)
    }

    private func origin(of request: Request, _ context: WebContext) -> ForwardedRequest {
        ForwardedRequest(
            from: context.peerAddress, host: request.head.authority ?? "", trusting: access.settings.proxies
        ) { name in HTTPField.Name(name).map { request.headers[values: $0] } ?? [] }
    }

    /// Refuses requests to a name that may belong to another site.
    private func checkName(_ origin: ForwardedRequest) throws(APIError) {
        let publicURL = access.settings.publicURL
        guard !origin.hasOwnName(publicHost: publicURL?.authority) else { return }
        let advice =
            publicURL.map { "this site is \($0)" }
            ?? "open its IP address or a local name such as lectern.local, or set web.public_url"
        throw APIError(.misdirectedRequest, message: "\(origin.host.quoted) may be another site's name: \(advice)")
    }

    /// Refuses requests that another site's page may have sent, because a browser adds the cookie to those as well.
    ///
    /// - Parameter isFromProxy: whether a proxy has authenticated the client, which it does by a cookie of its own. Its
    ///   site is not the public one.
    private func checkPage(
        _ request: Request, _ origin: ForwardedRequest, isFromProxy: Bool, hasCookie: Bool
    ) throws(APIError) {
        let publicOrigin = isFromProxy ? nil : access.settings.publicURL?.origin
        guard
            origin.isOwn(
                origin: request.headers[.origin], site: request.headers[.named("Sec-Fetch-Site")],
                publicOrigin: publicOrigin, hasCookie: hasCookie || isFromProxy)
        else {
            throw APIError(
                .forbidden, "cross_site",
                "only pages of \(publicOrigin ?? "\(origin.scheme)://\(origin.host)") may send this; behind a proxy, set "
                    + "web.public_url")
        }
        let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
        guard type == "application/json" || type == nil && !request.announcesBody else {
            throw .notJSON
        }
    }

    /// Limits clients without credentials. Streams and PIN attempts have their own limits. Requests for the time and
    /// the session are exempt: every page sends them, even in a hall full of displays behind one address.
    private func limit(_ context: WebContext) throws(APIError) {
        guard context.identity?.grant == nil else { return }
        guard requests.withLock({ $0.take(context.network, at: .now) }) else {
            throw APIError(.tooManyRequests, "too_many", "too many requests in one second", retryAfter: 1)
        }
    }
}

/// The credentials of a request.
struct RequestCredentials {
    static let view = "timer_web_view_"

    /// The token from `Authorization: Bearer TOKEN`.
    private(set) var bearer: String?
    /// The session cookie.
    private(set) var session: String?
    /// The cookies for displays that were opened with a token.
    private(set) var views: [String] = []

    init(_ request: Request) {
        if let field = request.headers[.authorization], field.lowercased().hasPrefix("bearer ") {
            bearer = String(field.dropFirst("bearer ".count)).filter { $0 != " " }
        }
        for pair in request.headers[values: .cookie].flatMap({ $0.split(separator: ";") }) {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            if parts[0] == SessionTicket.cookie { session = parts[1] }
            if parts[0].hasPrefix(Self.view) { views.append(parts[1]) }
        }
    }
}
