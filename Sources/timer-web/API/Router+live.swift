internal import HTTPTypes
internal import Hummingbird
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds what shows and controls the nodes.
    func addLive(_ live: Live) {
        let api = group("/api")
        api.get("/time") { _, _ in
            var writer = JSONWriter()
            writer.object { writer in
                writer.member(.boot, live.hub.site.boot)
                writer.member(.now, milliseconds: live.hub.now)
            }
            return Response.json(writer.bytes)
        }
        api.get("/nodes") { _, context in
            answer { () throws(APIError) in
                let audience = Audience(try context.requireIdentity())
                return .json(live.hub.snapshot.everything(for: audience, site: live.hub.site, now: live.hub.now))
            }
        }
        api.get("/nodes/{id}") { _, context in
            answer { () throws(APIError) in
                let audience = Audience(try context.requireIdentity())
                guard let id = context.parameters.get("id"), let node = live.hub.snapshot.node(id, for: audience) else {
                    throw .notFound
                }
                return .json(node)
            }
        }
        api.post("/nodes/{id}/commands/{verb}") { request, context in
            await CommandExchange(live: live, context: context).answer(request)
        }
        api.get("/events") { request, context in StreamAnswer(live: live, context: context).answer(request) }
        addDisplays(live.hub)
        api.addRuns(live)
    }
}

/// An answer, or the error that is one.
func answer(_ body: () throws(APIError) -> Response) -> Response {
    do throws(APIError) { return try body() } catch { return error.answer }
}

extension WebContext {
    /// Who sends the request.
    ///
    /// - Parameter role: the least role that may.
    func requireIdentity(_ role: WebRole = .viewer) throws(APIError) -> Identity {
        guard let identity else { throw .unauthorized }
        guard identity.role >= role else {
            if identity.grant == nil { throw .unauthorized }
            throw APIError(.forbidden, "forbidden", "this needs the role \(role.rawValue)")
        }
        return identity
    }
}
