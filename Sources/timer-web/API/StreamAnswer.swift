internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TimerProtocol
internal import WebCore

/// The response to a request for events: a stream that continues until one side ends it.
struct StreamAnswer: Sendable {
    let live: Live
    let access: AccessControl
    let context: WebContext

    /// Takes a slot for the stream, and starts writing to the stream once the response has begun.
    func open(_ request: Request) throws(APIError) -> Response {
        let identity = try context.requireIdentity()
        let node = request.uri.queryParameters["node"].map(String.init)
        if let node, !Identifier.isValid(node) || !identity.sees(node) { throw .notFound }
        let display = try display(request, node: node)
        let audience = Audience(identity, node: node)
        let (hub, access, channel) = (live.hub, access, context.channel)
        // The slot is taken before anything is sent, so that a refused client receives an error status.
        let hasDisplays = identity.role == .operator && request.uri.queryParameters["view"] == "displays"
        guard
            let place = hub.admit(
                identity, from: context.origin?.client, on: channel.eventLoop, hasDisplays: hasDisplays)
        else {
            throw APIError(
                .serviceUnavailable, "too_many_streams", "too many event streams are open", retryAfter: 10)
        }
        let guarded = StreamPlace(hub: hub, place: place)
        let body = ResponseBody { writer in
            // The kernel buffers unread data. Without this limit, that could be megabytes for each stream.
            try? await channel.setOption(.socketOption(.so_sndbuf), value: 65_536).get()
            let end = await hub.serve(guarded.place, channel, audience, while: access.isCurrent) {
                if let display { hub.opened(guarded.place.number, display) }
                if hasDisplays { hub.send(guarded.place.number) { $0.addDisplays() } }
            }
            guarded.giveBack()
            if display != nil { hub.closed(guarded.place.number) }
            // A client that reads nothing, or does not close its side, must not delay the server's shutdown.
            if end == .closed {
                channel.eventLoop.scheduleTask(in: .milliseconds(300)) { channel.close(promise: nil) }
            }
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [
            .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store, no-transform",
        ]
        // Without this, nginx would buffer the events.
        headers[.named("X-Accel-Buffering")] = "no"
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The display that opens the stream; nil if it is not a display.
    private func display(_ request: Request, node: String?) throws(APIError) -> Displays.Display? {
        guard let view = request.uri.queryParameters["display"] else { return nil }
        guard let node else { throw .invalidPayload("a display shows one node: display=\(view) also needs node=ID") }
        let name = request.uri.queryParameters["name"].map { String($0) } ?? ""
        return Displays.Display(node: node, view: String(view), address: context.address, name: name)
    }
}

/// A slot for a stream. It is released on deinitialisation at the latest, because a response may never be written.
private final class StreamPlace: Sendable {
    let hub: StreamHub
    let place: StreamHub.Admitted

    init(hub: StreamHub, place: StreamHub.Admitted) {
        self.hub = hub
        self.place = place
    }

    /// Releases the slot early.
    func giveBack() { hub.leave(place) }

    deinit { hub.leave(place) }
}
