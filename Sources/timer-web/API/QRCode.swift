internal import CQREncode
internal import HTTPTypes
internal import Hummingbird
internal import NodeConfiguration
internal import TimerProtocol
internal import WebCore

/// A QR code, encoded by libqrencode.
struct QRCode: Sendable {
    /// The number of modules on each side.
    let width: Int
    /// Whether a module is dark, row by row.
    let isDark: [Bool]

    /// Encodes a string; nil if it is too long.
    init?(_ text: String) {
        // SAFETY: the call reads the string and returns a new code, or nil. Its data has one byte for each module.
        guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = unsafe Int(code.pointee.width)
        self.width = width
        guard let data = unsafe code.pointee.data else { return nil }
        isDark = (0..<width * width).map { unsafe data[$0] & 1 == 1 }
    }

    /// The margin that readers need around a code.
    private static let margin = 4

    /// The code as an SVG image.
    var svg: String {
        let size = width + 2 * Self.margin
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while column < width, isDark[row * width + column] { column += 1 }
                if column > start {
                    path += "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1h-\(column - start)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path d="\(path)"/></svg>
            """
    }
}

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
