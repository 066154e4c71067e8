internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TimerProtocol

/// An error response for programs: `{"error": {"code": …, "message": …}}`. ``ErrorPage`` is the equivalent for people.
struct APIError: Error {
    let status: HTTPResponse.Status
    /// A code for programs.
    let code: String
    /// A sentence for people.
    let message: String
    /// The node's response, if the node refused.
    var response: [UInt8]?
    /// The number of seconds after which the client may try again.
    var retryAfter: Int?

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, response: [UInt8]? = nil,
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.response = response
        self.retryAfter = retryAfter
    }

    /// Creates an error whose code follows from the status.
    init(_ status: HTTPResponse.Status, message: String? = nil) {
        self.init(status, Self.codes[status.code] ?? "error", message ?? status.reasonPhrase)
    }

    private static let codes = [
        400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
        408: "timeout", 413: "payload_too_large", 415: "unsupported_media_type", 421: "misdirected", 429: "too_many",
        431: "header_too_large", 500: "internal", 503: "unavailable",
    ]

    static let notFound = APIError(.notFound, "not_found", "there is no such node")
    static let unauthorized = APIError(.unauthorized, "unauthorized", "log in first")
    static let notJSON = APIError(
        .unsupportedMediaType, "unsupported_media_type", "the body must be application/json")

    /// The error that a body exceeds this number of bytes.
    static func tooLarge(_ most: Int) -> APIError {
        APIError(.contentTooLarge, "payload_too_large", "the body is larger than \(most) bytes")
    }

    /// The payload is invalid; the message says what was expected.
    static func invalidPayload(_ message: String) -> APIError {
        APIError(.unprocessableContent, "invalid_payload", message)
    }

    /// The response to the request.
    var answer: Response {
        var answer = Response.json(bytes, status: status)
        if let retryAfter { answer.headers[.retryAfter] = "\(retryAfter)" }
        return answer
    }

    /// The body of the response.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("error") { writer in
                writer.member("code", code)
                writer.member("message", message)
            }
            if let response {
                writer.key("response")
                writer.encoded(response)
            }
        }
        return writer.bytes
    }
}

/// Returns the response, or the response for the error.
func answer(_ body: () async throws(APIError) -> Response) async -> Response {
    do throws(APIError) { return try await body() } catch { return error.answer }
}

extension Request {
    /// Whether the header announces a body.
    var announcesBody: Bool {
        headers.contains(.transferEncoding) || !["0", nil].contains(headers[.contentLength])
    }

    /// Reads the body.
    ///
    /// - Parameter most: the maximum number of bytes.
    func bytes(upTo most: Int) async throws(APIError) -> [UInt8] {
        do { return Array(try await body.collect(upTo: most).readableBytesView) } catch is NIOTooManyBytesError {
            throw .tooLarge(most)
        } catch {
            // The client has most likely gone and will not read this.
            throw APIError(.badRequest, message: "the body is incomplete")
        }
    }
}

extension Response {
    /// A JSON response that is not cached.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
