internal import BrokerLink
internal import CZlib
internal import FoundationEssentials
internal import Hummingbird
internal import LinuxSystem
internal import NIOCore
internal import TimerProtocol
internal import WebCore

/// The files of the site, read once at the start.
struct Site: Sendable {
    /// By their path in the folder: `display.html`, `assets/live.js`.
    private let files: [String: SiteFile]
    /// The value of `?v=` in addresses: a hash over all files.
    let hash: String

    /// The reasons why the site cannot be loaded.
    enum Fault: Error, CustomStringConvertible {
        case unreadable(FileError)
        /// The folder cannot be listed, or has no `index.html`.
        case noPages(folder: String)
        case tooLarge(folder: String)

        var description: String {
            switch self {
            case .unreadable(let error): "\(error)"
            case .noPages(let folder): "\(folder) has no index.html; name the folder of the pages with --www"
            case .tooLarge(let folder): "the files in \(folder) exceed \(Site.maximumSize >> 20) MiB"
            }
        }
    }

    static let maximumSize = 32 << 20

    /// The folder in which the pages are installed: `share/timer-web` next to the program's `bin`.
    static var installedFolder: String {
        let program =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/usr/bin/timer-web"
        let folders = program.split(separator: "/").dropLast(2)
        return (folders.isEmpty ? "" : "/" + folders.joined(separator: "/")) + "/share/timer-web"
    }

    /// Reads the folder. Hidden files, links, and files of types that no page needs are skipped.
    init(folder: String) throws(Fault) {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw .noPages(folder: folder)
        }
        var contents: [(path: String, bytes: [UInt8], type: ContentType)] = []
        var size = 0
        for path in names.sorted() {
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, let type = ContentType(of: path), Self.isRegular("\(folder)/\(path)") else { continue }
            do throws(FileError) {
                contents.append((path, try File.read("\(folder)/\(path)", upTo: Self.maximumSize - size + 1), type))
            } catch { throw .unreadable(error) }
            size += contents.last?.bytes.count ?? 0
            guard size <= Self.maximumSize else { throw .tooLarge(folder: folder) }
        }
        guard contents.contains(where: { $0.path == Page.rooms.file }) else { throw .noPages(folder: folder) }
        let everything = contents.reduce(into: [UInt8]()) { $0 += Array($1.path.utf8) + [0] + Crypto.sha256($1.bytes) }
        let hash = Crypto.hexadecimal(Crypto.sha256(everything).prefix(6))
        self.hash = hash
        files = Dictionary(
            uniqueKeysWithValues: contents.map { path, bytes, type in
                (path, SiteFile(Self.filledIn(bytes, path, hash: hash), type: type))
            })
    }

    /// The file at a path in the folder.
    subscript(path: String) -> SiteFile? { files[path] }

    /// Whether a path is a regular file, not a link, which could lead out of the folder.
    private static func isRegular(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    /// The content with the hash in its addresses and, in a page, the path to the root.
    private static func filledIn(_ bytes: [UInt8], _ path: String, hash: String) -> [UInt8] {
        guard [".html", ".js", ".css"].contains(where: path.hasSuffix) else { return bytes }
        var text = String(decoding: bytes, as: UTF8.self)
        if let page = Page.allCases.first(where: { $0.file == path }) {
            text = text.replacing("{{base}}", with: page.wayToRoot)
        }
        return Array(text.replacing(/\?v=(?=["'`)])/, with: "?v=\(hash)").utf8)
    }
}

/// A file of the site, ready to be sent.
struct SiteFile: Sendable {
    let contentType: String
    private let plain: Variant
    /// The same content compressed, if that is shorter.
    private let compressed: Variant?

    /// One encoding of the content.
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

    /// The response to a request for the file.
    ///
    /// - Parameter isForever: whether the content at the address never changes, because the address contains its hash.
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

    /// Whether the client already has this variant.
    private static func isKnown(_ tag: String, _ request: Request) -> Bool {
        (request.headers[.ifNoneMatch] ?? "").split(separator: ",").contains { known in
            var known = known.drop { $0 == " " || $0 == "\t" }
            while known.last == " " || known.last == "\t" { known.removeLast() }
            if known.hasPrefix("W/") { known.removeFirst(2) }
            return known == tag || known == "*"
        }
    }
}

/// The type of a file, by its extension.
struct ContentType: Sendable {
    let name: String
    /// Whether it is text, which is worth compressing.
    let isText: Bool

    /// The type of a file; nil for a type that the site does not serve.
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

/// Compression with zlib.
enum Gzip {
    /// The bytes, compressed as far as possible since this is done once; nil if zlib runs out of memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        let windowOfGzip: Int32 = 15 + 16
        // SAFETY: the stream is only used here and ends before this function does.
        guard
            unsafe deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowOfGzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        // SAFETY: zlib reads and writes within the two arrays, whose addresses hold until the call returns. The bound
        // is enough for one call.
        let result = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(unsafe stream.total_out)))
    }
}

extension Router<WebContext> {
    /// Adds the pages and the files that they load, for GET and HEAD.
    func addSite(_ site: Site) {
        for page in Page.allCases {
            for method in [HTTPRequest.Method.get, .head] {
                on(RouterPath(page.pattern), method: method) { request, context in
                    if let id = context.parameters.get("id"), !Identifier.isValid(id) { throw HTTPError(.notFound) }
                    return try Self.answer(request, with: site[page.file], hash: nil)
                }
            }
        }
        for path in ["/assets/**", "/favicon.svg", "/manifest.webmanifest"] {
            for method in [HTTPRequest.Method.get, .head] {
                on(RouterPath(path), method: method) { request, _ in
                    try Self.answer(request, with: site[String(request.uri.path.dropFirst())], hash: site.hash)
                }
            }
        }
    }

    private static func answer(_ request: Request, with file: SiteFile?, hash: String?) throws -> Response {
        guard let file else { throw HTTPError(.notFound) }
        let isForever = hash.map { request.uri.queryParameters["v"] == $0[...] } ?? false
        return file.response(to: request, isForever: isForever)
    }
}
