internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds what operators do with the displays that are open.
    func addDisplays(_ hub: StreamHub) {
        let displays = group("/api/displays")
        displays.get("/") { _, context in
            await answer { () throws(APIError) in
                .json(hub.displayList(for: try context.requireIdentity(.operator)))
            }
        }
        displays.post("/{id}/identify") { _, context in
            await answer { () throws(APIError) in
                let identity = try context.requireIdentity(.operator)
                guard hub.identify(context.parameters.get("id") ?? "", for: identity) else { throw .noDisplay }
                return .json(hub.displayList(for: identity))
            }
        }
        displays.post("/{id}/blackout") { request, context in
            await answer { () async throws(APIError) in
                let identity = try context.requireIdentity(.operator)
                let body = try await request.bytes(upTo: 1024)
                guard case .bool(let isDark)? = (try? JSON(parsing: body))?["on"] else {
                    throw .invalidPayload("expected {\"on\": true} or false")
                }
                guard hub.darken(context.parameters.get("id") ?? "", isDark, for: identity) else { throw .noDisplay }
                return .json(hub.displayList(for: identity))
            }
        }
    }
}

extension APIError {
    fileprivate static let noDisplay = APIError(.notFound, "not_found", "there is no such display")
}
