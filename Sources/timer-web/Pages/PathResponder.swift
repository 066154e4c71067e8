internal import HTTPTypes
internal import Hummingbird
internal import WebCore

/// Decodes the path of each request once, takes the base path out of it, and refuses what no address of the site has,
/// before the router sees it.
struct PathResponder<Next: HTTPResponder<WebContext>>: HTTPResponder {
    /// The path that the site is under for its browsers: `/`, or such as `/timer/`.
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

    /// A path that no route has, as deep as another one: so the answer has the usual headers, and its links lead to the
    /// root.
    private static func unknownPath(like path: String) -> String {
        let depth = min(32, path.count { $0 == "/" })
        return (path.hasPrefix("/api/") ? "/api" : "") + String(repeating: "/-", count: max(1, depth))
    }
}
