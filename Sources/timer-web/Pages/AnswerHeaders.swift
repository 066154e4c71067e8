internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol
internal import WebCore

/// Gives each answer the headers that keep a browser safe, and each error a body that its reader understands: JSON below
/// `/api`, else a page.
struct AnswerHeaders: RouterMiddleware {
    /// Who may show a display in a frame, besides this site: sources as Content-Security-Policy has them.
    let frameAncestors: [String]

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
        let isFramed = isPage && Page.at(request.uri.path.dropFirst())?.page == .display
        var protection = HTTPFields.protection
        if isPage {
            protection[.contentSecurityPolicy] = policy(isFramed: isFramed)
            protection[.permissionsPolicy] =
                "camera=(), geolocation=(), microphone=(), payment=(), usb=(), fullscreen=*, screen-wake-lock=*"
        }
        if isFramed { protection[.xFrameOptions] = nil }
        if let control = response.headers[.cacheControl] { protection[.cacheControl] = control }
        for field in protection { response.headers[field.name] = field.value }
        return response
    }

    /// The answer to an error; where there is something else at the address, it says what.
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

    /// JSON below `/api`, else a page.
    static func answer(_ error: APIError, to request: Request) -> Response {
        let path = request.uri.path
        let response =
            path.hasPrefix("/api/") || path == "/api"
            ? error.answer : ErrorPage(status: error.status, message: error.message).answer(to: path)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func policy(isFramed: Bool) -> String {
        let ancestors = isFramed ? (["'self'"] + frameAncestors).joined(separator: " ") : "'none'"
        return "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors \(ancestors)"
    }
}

extension HTTPFields {
    /// What each answer has that is no page, so that a browser runs nothing of it, shows it in no frame, gives it to no
    /// other site and does not keep it.
    static let protection: HTTPFields = [
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'", .xFrameOptions: "DENY",
        .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin", .referrerPolicy: "same-origin",
        .cacheControl: "no-store",
    ]
}
