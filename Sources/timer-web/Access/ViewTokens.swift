internal import HTTPTypes
internal import Hummingbird
internal import WebCore

/// Opens a display for whoever comes with a token in the address, such as OBS and a kiosk, which cannot type a PIN.
///
/// The token becomes a cookie for this node's display, and the browser goes on to the same address without the token. So
/// it stays neither in the history nor in what other sites or scripts get to see.
struct ViewTokens: RouterMiddleware {
    let access: AccessControl
    /// How long the cookie stays, a year; removing the token ends it at once.
    private static let lifetime = 365 * 86_400

    @concurrent func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get, let (page, node) = Page.at(request.uri.path.dropFirst()), page == .display,
            let node, let query = request.uri.query, let token = request.uri.queryParameters["token"]
        else { return try await next(request, context) }
        guard let cookie = access.viewCookie(token: String(token), node: node) else {
            throw HTTPError(.unauthorized, message: "This link is no longer valid")
        }
        let rest = query.split(separator: "&").filter { !$0.hasPrefix("token=") }.joined(separator: "&")
        var response = Response(status: .seeOther, headers: [.location: node + (rest.isEmpty ? "" : "?\(rest)")])
        // It may be used in frames of other sites: what it opens can be looked at and not changed.
        response.headers[.setCookie] = access.cookie(
            RequestCredentials.view + node, cookie, for: Self.lifetime, isForFrames: true, context)
        return response
    }
}
