internal import HTTPTypes
internal import Hummingbird
internal import TimerProtocol
internal import WebCore

/// An answer that says what went wrong.
struct ErrorAnswer {
    let status: HTTPResponse.Status
    /// A word for programs.
    let code: String
    /// A sentence for people.
    let message: String

    /// An error; without a code and a message those of the status.
    init(_ status: HTTPResponse.Status, code: String? = nil, message: String? = nil) {
        self.status = status
        self.code = code ?? Self.codes[status.code] ?? "error"
        self.message = message ?? status.reasonPhrase
    }

    private static let codes = [
        400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
        408: "timeout", 413: "too_large", 415: "unsupported_media_type", 429: "too_many", 431: "too_large",
        500: "internal", 503: "unavailable",
    ]

    /// JSON below `/api`, else a page.
    func response(to request: Request) -> Response {
        let path = request.uri.path
        var response =
            path.hasPrefix("/api/") || path == "/api"
            ? .json(bytes, status: status) : page(wayToRoot: Page.wayToRoot(from: path))
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }

    /// `{"error": {"code": …, "message": …}}`.
    var bytes: [UInt8] {
        let body: JSON = ["error": ["code": .string(code), "message": .string(message)]]
        return body.bytes
    }

    private func page(wayToRoot: String) -> Response {
        let text = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <base href="\(wayToRoot)">
            <title>\(escaped(message))</title>
            <link rel="stylesheet" href="assets/base.css">
            <link rel="stylesheet" href="assets/dark.css" media="screen and (prefers-color-scheme: dark)">
            </head>
            <body>
            <main>
            <h1>\(status.code) \(escaped(message))</h1>
            <p><a href="./">All rooms</a></p>
            </main>
            </body>
            </html>

            """
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
