internal import HTTPTypes
internal import Hummingbird
internal import IoTNode
internal import LinuxSystem
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds what machines ask for to see whether the server is well.
    func addStatus(_ live: Live, _ access: AccessControl) {
        get("/healthz") { _, _ in
            let report: JSON = ["status": "ok", "broker": .bool(live.hub.snapshot.isConnected)]
            return Response.json(report.bytes)
        }
        get("/api/openapi.json") { _, _ in
            // The document is two levels below the root.
            Response.json(OpenAPI.document(version: NodeVersion.current, server: "..").bytes)
        }
        get("/metrics") { request, context in
            let isToken = if case .token? = context.identity?.proof { true } else { false }
            // A proxy on this machine that is not trusted makes everybody look like this machine.
            let isForwarded = [HTTPField.Name.named("X-Forwarded-For"), .named("Forwarded"), .named("Via")]
                .contains { request.headers.contains($0) }
            let isOwn = context.origin?.client?.isLoopback ?? false && !isForwarded
            guard isToken || isOwn else {
                return APIError(
                    .forbidden, "forbidden", "metrics are for this machine, and for whoever has a token"
                ).answer
            }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Metrics.text(live))))
        }
    }
}
