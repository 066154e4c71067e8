internal import HTTPTypes
internal import Hummingbird
internal import WebCore

/// An error as a page, for people.
struct ErrorPage {
    let status: HTTPResponse.Status
    /// What went wrong.
    let message: String

    /// The page; its addresses are relative to the path of the request.
    func answer(to path: String) -> Response {
        let wayToRoot = Page.wayToRoot(from: path)
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
