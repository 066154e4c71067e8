internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import TimerProtocol
internal import WebCore

extension API {
    /// The QR code of a page's address.
    func qr(_ request: Request, _ context: WebContext) throws(APIError) -> Response {
        let path = request.uri.queryParameters["path"].map(String.init) ?? ""
        guard Page.at(path) != nil else {
            throw APIError(.notFound, "not_found", "there is no page \(path.quoted)")
        }
        let root =
            access.settings.publicURL?.description
            ?? context.origin.map { "\($0.scheme)://\($0.host)\(access.settings.path)" } ?? "/"
        guard let code = QRCode(root + path) else { throw .invalidPayload("the address is too long") }
        return Response(
            status: .ok, headers: [.contentType: "image/svg+xml", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: code.svg)))
    }
}
