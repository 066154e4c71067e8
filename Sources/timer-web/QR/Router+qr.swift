internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import TimerProtocol
internal import WebCore

extension Router<WebContext> {
    /// Adds the QR code of a page's address.
    func addQR(_ access: AccessControl) {
        get("/api/qr.svg") { request, context in
            let path = request.uri.queryParameters["path"].map(String.init) ?? ""
            guard Page.at(path) != nil else {
                return APIError(.notFound, "not_found", "there is no page \(path.quoted)").answer
            }
            let root =
                access.settings.publicURL?.description
                ?? context.origin.map { "\($0.scheme)://\($0.host)\(access.settings.path)" } ?? "/"
            guard let code = QRCode(root + path) else {
                return APIError(.unprocessableContent, "invalid_payload", "the address is too long").answer
            }
            return Response(
                status: .ok, headers: [.contentType: "image/svg+xml", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: code.svg)))
        }
    }
}
