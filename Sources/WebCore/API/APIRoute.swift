package import TimerProtocol

/// An address of the API: what it is for, who may use it, what is sent and answered.
package struct APIRoute: Sendable {
    /// A part of the address's query.
    package struct Query: Sendable {
        package let name: String
        package let about: String
        package var isRequired = false
        /// The form of its text; nil for any.
        package var pattern: String?
    }

    /// In lower case, as OpenAPI has it.
    package let method: String
    /// With `{id}` for what varies.
    package let path: String
    package let about: String
    /// Who may use it; nil for everybody.
    package var role: Role?
    package var query: [Query] = []
    /// The schema of what is sent; nil for nothing.
    package var body: String?
    /// The status where all went well.
    package var status = 200
    /// The type of the answer, and the schema of one in JSON; nil for no answer.
    package var answer: (type: String, schema: String?)?
    /// The statuses of errors, besides those that each address has.
    package var errors: [Int] = []

    private static func json(_ schema: String) -> (type: String, schema: String?) { ("application/json", schema) }

    /// All of them, besides the pages.
    package static let all: [APIRoute] = [
        .init(
            method: "get", path: "/api/session", about: "Who the browser or program is.", answer: json("Session")),
        .init(
            method: "post", path: "/api/session", about: "Logs in by a PIN, and sets the cookie of a session.",
            body: "Login", answer: json("Session"), errors: [403, 413, 415, 422, 429, 503]),
        .init(
            method: "delete", path: "/api/session", about: "Logs out.", status: 204, errors: [403, 415]),
        .init(
            method: "get", path: "/api/nodes", about: "All nodes, with everything that is known of them.",
            role: .viewer,
            answer: json("Snapshot")),
        .init(
            method: "get", path: "/api/nodes/{id}", about: "A node.", role: .viewer, answer: json("Node"), errors: [404]
        ),
        .init(
            method: "post", path: "/api/nodes/{id}/commands/{verb}",
            about: "Sends a command, and answers what the node did. 504 means that nobody knows whether it was done.",
            role: .remote, body: "Command", answer: json("Response"),
            errors: [403, 404, 409, 413, 415, 422, 423, 502, 503, 504]),
        .init(
            method: "get", path: "/api/events",
            about:
                "A stream of what happens: first `snapshot`, then `node`, `gone`, `broker`, `event`, `ping` and others.",
            role: .viewer,
            query: [
                .init(name: "node", about: "The one node to hear of.", pattern: Identifier.pattern),
                .init(name: "display", about: "A display's own query; its presence says that this is a display."),
                .init(name: "view", about: "Which page it is."),
            ], answer: ("text/event-stream", nil), errors: [404, 503]),
        .init(
            method: "get", path: "/api/time", about: "The server's monotonic clock.", role: .viewer,
            answer: json("Time")),
        .init(
            method: "get", path: "/api/nodes/{id}/runs", about: "The runs of some days, the newest first.",
            role: .remote,
            query: days, answer: json("Runs"), errors: [403, 404, 422, 504]),
        .init(
            method: "get", path: "/api/nodes/{id}/runs.csv", about: "The same as CSV.", role: .remote, query: days,
            answer: ("text/csv", nil), errors: [403, 404, 422, 504]),
        .init(
            method: "get", path: "/api/displays", about: "The displays that are open.", role: .operator,
            answer: json("Displays"), errors: [403]),
        .init(
            method: "post", path: "/api/displays/{id}/identify",
            about: "Has a display, or all, say which one it is.",
            role: .operator, body: "Nothing", answer: json("Displays"), errors: [403, 404, 413, 415, 422]),
        .init(
            method: "post", path: "/api/displays/{id}/blackout", about: "Makes a display, or all, dark, or not.",
            role: .operator, body: "Blackout", answer: json("Displays"), errors: [403, 404, 413, 415, 422]),
        .init(
            method: "get", path: "/api/qr.svg", about: "The QR code of a page's address.", role: .viewer,
            query: [.init(name: "path", about: "A page, such as `n/lectern/remote`.", isRequired: true)],
            answer: ("image/svg+xml", nil), errors: [404, 422]),
        .init(
            method: "get", path: "/api/openapi.json", about: "This document.", answer: ("application/json", "Nothing")),
        .init(
            method: "get", path: "/healthz", about: "Whether the server is at work.", answer: json("Health")),
        .init(
            method: "get", path: "/metrics", about: "What the server counts, for Prometheus.",
            answer: ("text/plain", nil), errors: [403]),
    ]

    private static let day = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    private static let days: [Query] = [
        .init(name: "from", about: "The first day.", pattern: day),
        .init(name: "to", about: "The last day.", pattern: day),
    ]
}

extension APIRoute {
    /// The methods that an address takes, a page's included; none where there is nothing.
    package static func methods(at path: String) -> [String] {
        if Page.at(path.dropFirst()) != nil { return ["GET", "HEAD"] }
        let parts = path.split(separator: "/")
        return all.filter { route in
            let pattern = route.path.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map { $0.method.uppercased() }
    }
}
