internal import Hummingbird
internal import NIOCore

/// A file of the site, ready to be sent.
struct SiteFile: Sendable {
    let contentType: String
    private let plain: Variant
    /// The same compressed, where that is shorter.
    private let compressed: Variant?

    /// One way to send it.
    private struct Variant: Sendable {
        let body: ByteBuffer
        /// With its quotes.
        let tag: String

        init(_ bytes: [UInt8], _ suffix: String, digest: String) {
            body = ByteBuffer(bytes: bytes)
            tag = "\"\(digest)\(suffix)\""
        }
    }

    /// A file with its content.
    init(_ bytes: [UInt8], type: ContentType) {
        contentType = type.name
        let digest = Crypto.hexadecimal(Crypto.sha256(bytes).prefix(12))
        plain = Variant(bytes, "", digest: digest)
        let gzip = type.isText ? Gzip.compressed(bytes) : nil
        compressed = gzip.flatMap { $0.count < bytes.count ? Variant($0, "-gzip", digest: digest) : nil }
    }

    /// The answer to a request for the file.
    ///
    /// - Parameter isForever: whether the content at the address never changes, because the address has its hash.
    func response(to request: Request, isForever: Bool) -> Response {
        let variant = compressed.flatMap { Self.acceptsGzip(request) ? $0 : nil } ?? plain
        var headers: HTTPFields = [
            .contentType: contentType, .eTag: variant.tag,
            .cacheControl: isForever ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if compressed != nil { headers[.vary] = "Accept-Encoding" }
        if Self.isKnown(variant.tag, request) { return Response(status: .notModified, headers: headers) }
        if variant.tag != plain.tag { headers[.contentEncoding] = "gzip" }
        let response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: variant.body))
        return request.method == .head ? response.createHeadResponse() : response
    }

    private static func acceptsGzip(_ request: Request) -> Bool {
        (request.headers[.acceptEncoding] ?? "").split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return ["gzip", "*"].contains(parts.first) && weight > 0
        }
    }

    /// Whether the client says that it has this variant.
    private static func isKnown(_ tag: String, _ request: Request) -> Bool {
        (request.headers[.ifNoneMatch] ?? "").split(separator: ",").contains { known in
            var known = known.drop { $0 == " " || $0 == "\t" }
            while known.last == " " || known.last == "\t" { known.removeLast() }
            if known.hasPrefix("W/") { known.removeFirst(2) }
            return known == tag || known == "*"
        }
    }
}

/// The type of a file, by the end of its name.
struct ContentType: Sendable {
    let name: String
    /// Whether it is text, which is worth compressing.
    let isText: Bool

    /// The type of a file; nil for one that the site does not have.
    init?(of path: String) {
        guard let point = path.lastIndex(of: "."), let type = Self.types[path[path.index(after: point)...].lowercased()]
        else { return nil }
        name = type
        isText = type.contains("charset") || type.contains("svg")
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json; charset=utf-8", "webmanifest": "application/manifest+json; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/vnd.microsoft.icon", "jpg": "image/jpeg",
        "webp": "image/webp", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8", "mp3": "audio/mpeg",
        "ogg": "audio/ogg", "wav": "audio/wav", "m4a": "audio/mp4",
    ]
}
