internal import Hummingbird
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds the pages and what they load, for GET and HEAD.
    func addSite(_ site: Site) {
        for page in Page.allCases {
            for method in [HTTPRequest.Method.get, .head] {
                on(RouterPath(page.pattern), method: method) { request, context in
                    if let id = context.parameters.get("id"), !Identifier.isValid(id) { throw HTTPError(.notFound) }
                    return try Self.answer(request, with: site[page.file], hash: nil)
                }
            }
        }
        for path in ["/assets/**", "/favicon.svg", "/manifest.webmanifest"] {
            for method in [HTTPRequest.Method.get, .head] {
                on(RouterPath(path), method: method) { request, _ in
                    try Self.answer(request, with: site[String(request.uri.path.dropFirst())], hash: site.hash)
                }
            }
        }
    }

    private static func answer(_ request: Request, with file: SiteFile?, hash: String?) throws -> Response {
        guard let file else { throw HTTPError(.notFound) }
        let isForever = hash.map { request.uri.queryParameters["v"] == $0[...] } ?? false
        return file.response(to: request, isForever: isForever)
    }
}
