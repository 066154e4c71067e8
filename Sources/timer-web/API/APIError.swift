internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol

/// Why a request of the API is refused: `{"error": {"code": …, "message": …}}`.
struct APIError: Error {
    let status: HTTPResponse.Status
    /// A word for programs.
    let code: String
    /// A sentence for people.
    let message: String
    /// What the node answered, where it was the node.
    var response: [UInt8]?
    /// After how many seconds it may be tried again.
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

    static let notFound = APIError(.notFound, "not_found", "there is no such node")
    static let unauthorized = APIError(.unauthorized, "unauthorized", "log in first")

    /// The answer.
    var answer: Response {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.error) { writer in
                writer.member(.code, code)
                writer.member(.message, message)
            }
            if let response {
                writer.key("response")
                writer.encoded(response)
            }
        }
        var answer = Response.json(writer.bytes, status: status)
        if let retryAfter { answer.headers[.retryAfter] = "\(retryAfter)" }
        return answer
    }
}

extension Response {
    /// An answer in JSON that nobody keeps.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
