internal import HTTPTypes
internal import Hummingbird
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds what shows and controls the nodes.
    func addLive(_ live: Live, _ access: AccessControl) {
        let api = group("/api")
        api.get("/time") { _, _ in
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("boot", live.hub.site.boot)
                writer.member("now", milliseconds: .now)
            }
            return Response.json(writer.bytes)
        }
        api.get("/nodes") { _, context in
            await answer { () throws(APIError) in
                let audience = Audience(try context.requireIdentity())
                return .json(live.hub.snapshot.everything(for: audience, site: live.hub.site, now: .now))
            }
        }
        api.get("/nodes/{id}") { _, context in
            await answer { () throws(APIError) in
                let audience = Audience(try context.requireIdentity())
                guard let id = context.parameters.get("id"), let node = live.hub.snapshot.node(id, for: audience) else {
                    throw .notFound
                }
                return .json(node)
            }
        }
        api.post("/nodes/{id}/commands/{verb}") { request, context in
            await answer { () async throws(APIError) in
                .json(try await CommandExchange(live: live, context: context).execute(request))
            }
        }
        api.get("/events") { request, context in
            await answer { () throws(APIError) in
                try StreamAnswer(live: live, access: access, context: context).open(request)
            }
        }
        addDisplays(live.hub)
        api.addRuns(live)
    }
}
