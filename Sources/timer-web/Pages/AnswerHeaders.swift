internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import TimerProtocol
internal import WebCore

/// Adds the headers that protect a browser to each response, and a suitable body to each error: JSON below `/api`,
/// otherwise a page.
struct AnswerHeaders: RouterMiddleware {
    let settings: WebConfiguration.Web

    @concurrent func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as HTTPError {
            response = Self.answer(error, to: request)
        } catch let error as any HTTPResponseError {
            response = Self.answer(.init(error.status), to: request)
        }
        let isPage = response.headers[.contentType]?.hasPrefix("text/html") ?? false
        let ancestors = isPage ? frameAncestors(of: request, context) : []
        var protection = HTTPFields.protection
        if isPage {
            protection[.contentSecurityPolicy] = policy(ancestors)
            protection[.permissionsPolicy] =
                "camera=(), geolocation=(), microphone=(), payment=(), usb=(), fullscreen=*, screen-wake-lock=*"
        }
        if !ancestors.isEmpty { protection[.xFrameOptions] = nil }
        if let control = response.headers[.cacheControl] { protection[.cacheControl] = control }
        for field in protection { response.headers[field.name] = field.value }
        return response
    }

    /// The response to an error; if the address accepts other methods, it lists them.
    private static func answer(_ error: HTTPError, to request: Request) -> Response {
        let methods = error.status == .notFound ? APIRoute.methods(at: request.uri.path) : []
        guard methods.isEmpty || methods.contains(request.method.rawValue) else {
            var response = answer(APIError(.methodNotAllowed), to: request)
            response.headers[.allow] = methods.joined(separator: ", ")
            return response
        }
        var response = answer(APIError(error.status, message: error.body), to: request)
        for field in error.headers { response.headers[field.name] = field.value }
        return response
    }

    /// JSON below `/api`, otherwise a page.
    static func answer(_ error: APIError, to request: Request) -> Response {
        let path = request.uri.path
        let response =
            path.hasPrefix("/api/") || path == "/api"
            ? error.answer : ErrorPage(status: error.status, message: error.message).answer(to: path)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// The sites that may show a page in a frame: sources in the syntax of Content-Security-Policy.
    private func frameAncestors(of request: Request, _ context: WebContext) -> [String] {
        if Page.at(request.uri.path.dropFirst())?.page.isDisplay == true { return ["'self'"] + settings.frameAncestors }
        return settings.isAuthenticating(context.peerAddress) ? ["'self'"] : []
    }

    private func policy(_ frameAncestors: [String]) -> String {
        let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
        return "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors \(ancestors)"
    }
}

extension HTTPFields {
    /// The headers of every response that is not a page: a browser must not run it, show it in a frame, give it to
    /// another site, or cache it.
    static let protection: HTTPFields = [
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", .xFrameOptions: "DENY",
        .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin", .referrerPolicy: "same-origin",
        .cacheControl: "no-store",
    ]
}

/// Decodes the path of each request once, removes the base path, and refuses paths that no address of the site can
/// have, before the router sees them.
struct PathResponder<Next: HTTPResponder<WebContext>>: HTTPResponder {
    /// The site's path as browsers see it: `/`, or for example `/timer/`.
    let basePath: String
    let next: Next

    func respond(to request: Request, context: WebContext) async throws -> Response {
        var head = request.head
        let query = request.uri.query.map { "?\($0)" } ?? ""
        switch RequestPath(request.uri.path, base: basePath) {
        case .inside(let path): head.path = path + query
        case .elsewhere(let address) where [.get, .head].contains(request.method):
            var headers = HTTPFields.protection
            headers[.location] = address + query
            return Response(status: .permanentRedirect, headers: headers)
        case .elsewhere, nil: head.path = Self.unknownPath(like: request.uri.path)
        }
        return try await next.respond(to: Request(head: head, body: request.body), context: context)
    }

    /// Returns a path that matches no route and has the same depth, so that the response has the usual headers and its
    /// links lead to the root.
    private static func unknownPath(like path: String) -> String {
        let depth = min(32, path.count { $0 == "/" })
        return (path.hasPrefix("/api/") ? "/api" : "") + String(repeating: "/-", count: max(1, depth))
    }
}

/// An error as a page, for people.
struct ErrorPage {
    let status: HTTPResponse.Status
    /// The description of the error.
    let message: String

    /// The page as a response; its links are relative to the path of the request.
    func answer(to path: String) -> Response {
        let wayToRoot = Page.wayToRoot(from: path)
        let text = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <base href="\(wayToRoot)">
            <title>\(escaped(message))</title>
            <link rel="stylesheet" href="assets/base.css">
            <link rel="stylesheet" href="assets/dark.css" media="screen and (prefers-color-scheme: dark)">
            </head>
            <body>
            <main>
            <h1>\(status.code) \(escaped(message))</h1>
            <p><a href="./">All rooms</a></p>
            </main>
            </body>
            </html>

            """
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
