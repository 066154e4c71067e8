internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol
internal import WebCore

/// What operators do with the displays that are open.
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
            throw .invalidPayload("expected {\"on\": true} or false")
        }
        guard live.hub.darken(context.id, isDark, for: identity) else { throw .noDisplay }
        return .json(live.hub.displayList(for: identity))
    }
}

extension APIError {
    fileprivate static let noDisplay = APIError(.notFound, "not_found", "there is no such display")
}
