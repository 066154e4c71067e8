internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds what operators do with the displays that are open.
    func addDisplays(_ hub: StreamHub) {
        let displays = group("/api/displays")
        displays.get("/") { _, context in
            answer { () throws(APIError) in
                .json(hub.displayList(for: try context.requireIdentity(.operator)))
            }
        }
        displays.post("/{id}/identify") { _, context in
            answer { () throws(APIError) in
                let identity = try context.requireIdentity(.operator)
                guard hub.identify(context.parameters.get("id") ?? "", for: identity) else { throw .noDisplay }
                return .json(hub.displayList(for: identity))
            }
        }
        displays.post("/{id}/blackout") { request, context in
            let body = try? await request.body.collect(upTo: 1024)
            return answer { () throws(APIError) in
                let identity = try context.requireIdentity(.operator)
                let fields = body.flatMap { try? JSON(parsing: Array($0.readableBytesView)) }
                guard case .bool(let isDark)? = fields?["on"] else {
                    throw APIError(.unprocessableContent, "invalid_payload", "expected {\"on\": true} or false")
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
