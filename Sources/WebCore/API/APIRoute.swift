package import TimerProtocol

/// One endpoint of the API: an address and a method. The code that serves the API switches over all cases.
package enum APIRoute: CaseIterable, Sendable {
    case session, logIn, logOut
    case nodes, node, command, events, time
    case runs, runsCSV
    case table
    case messages, keepMessage
    case displays, identify, blackout, rename
    case qr, openAPI, health, metrics

    /// The purpose of an endpoint, who may use it, and what it takes and returns.
    package struct Rules: Sendable {
        /// In lower case, as in OpenAPI.
        package let method: String
        /// With `{id}` for the variable part.
        package let path: String
        package let about: String
        package let access: Access
        /// Whether requests without credentials are rate-limited here.
        package var isLimited = true
        package var query: [Query] = []
        /// The schema of the request body; nil for no body.
        package var body: String?
        /// The status on success.
        package var status = 200
        /// The content type of the response, and its schema if it is JSON; nil for an empty response.
        package var answer: (type: String, schema: String?)?
        /// The error statuses, besides those that every endpoint may return.
        package var errors: [Int] = []
    }

    /// Who may use an endpoint.
    package enum Access: Sendable {
        case everybody
        /// Clients with this role or a higher one.
        case role(Role)
    }

    /// A query parameter.
    package struct Query: Sendable {
        package let name: String
        package let about: String
        package var isRequired = false
        /// The pattern that its value must match; nil if any value is allowed.
        package var pattern: String?
    }

    package var rules: Rules {
        switch self {
        case .session:
            Rules(
                method: "get", path: "/api/session", about: "Reports who the client is.", access: .everybody,
                isLimited: false, answer: Self.json("Session"))
        case .logIn:
            Rules(
                method: "post", path: "/api/session", about: "Logs in with a PIN and sets a session cookie.",
                access: .everybody, isLimited: false, body: "Login", answer: Self.json("Session"),
                errors: [403, 413, 415, 422, 429, 503])
        case .logOut:
            Rules(
                method: "delete", path: "/api/session", about: "Logs out.", access: .everybody, isLimited: false,
                status: 204, errors: [403, 415])
        case .nodes:
            Rules(
                method: "get", path: "/api/nodes", about: "All nodes, with everything known about them.",
                access: .role(.viewer), answer: Self.json("Snapshot"))
        case .node:
            Rules(
                method: "get", path: "/api/nodes/{id}", about: "One node.", access: .role(.viewer),
                answer: Self.json("Node"), errors: [404])
        case .command:
            Rules(
                method: "post", path: "/api/nodes/{id}/commands/{verb}",
                about:
                    "Sends a command, and returns the node's response. After a 504, the node may have executed it.",
                access: .role(.remote), body: "Command", answer: Self.json("Response"),
                errors: [403, 404, 409, 413, 415, 422, 423, 502, 503, 504])
        case .events:
            Rules(
                method: "get", path: "/api/events",
                about:
                    "A stream of changes: first `snapshot`, then `node`, `gone`, `broker`, `event`, `ping` and more.",
                access: .role(.viewer), isLimited: false,
                query: [
                    Query(name: "node", about: "The only node to report.", pattern: Identifier.pattern),
                    Query(name: "display", about: "A display's own query; its presence marks the client as a display."),
                    Query(name: "name", about: "A display's name, as an operator set it."),
                    Query(name: "view", about: "The page that opens the stream."),
                ], answer: ("text/event-stream", nil), errors: [404, 422, 503])
        case .time:
            Rules(
                method: "get", path: "/api/time", about: "The server's monotonic clock.", access: .role(.viewer),
                isLimited: false, answer: Self.json("Time"))
        case .runs:
            Rules(
                method: "get", path: "/api/nodes/{id}/runs", about: "The runs of a range of days, the newest first.",
                access: .role(.remote), query: Self.days, answer: Self.json("Runs"), errors: [403, 404, 422, 504])
        case .runsCSV:
            Rules(
                method: "get", path: "/api/nodes/{id}/runs.csv", about: "The same runs as CSV.", access: .role(.remote),
                query: Self.days, answer: ("text/csv", nil), errors: [403, 404, 422, 504])
        case .table:
            Rules(
                method: "post", path: "/api/programme/table",
                about: "Reads a table from a spreadsheet as a running order, without sending it to a node.",
                access: .role(.operator), body: "Table", answer: Self.json("RunningOrder"),
                errors: [403, 413, 415, 422])
        case .messages:
            Rules(
                method: "get", path: "/api/messages", about: "The messages to a speaker that are kept for all remotes.",
                access: .role(.remote), answer: Self.json("KeptMessages"), errors: [403, 500])
        case .keepMessage:
            Rules(
                method: "post", path: "/api/messages", about: "Keeps a message for all remotes, or removes it.",
                access: .role(.remote), body: "KeptMessageChange", answer: Self.json("KeptMessages"),
                errors: [403, 413, 415, 422, 500])
        case .displays:
            Rules(
                method: "get", path: "/api/displays", about: "The open displays.", access: .role(.operator),
                answer: Self.json("Displays"), errors: [403])
        case .identify:
            Rules(
                method: "post", path: "/api/displays/{id}/identify",
                about: "Makes one or all displays show their ids.",
                access: .role(.operator), body: "Nothing", answer: Self.json("Displays"),
                errors: [403, 404, 413, 415, 422])
        case .blackout:
            Rules(
                method: "post", path: "/api/displays/{id}/blackout", about: "Blacks out one display, or all.",
                access: .role(.operator), body: "Blackout", answer: Self.json("Displays"),
                errors: [403, 404, 413, 415, 422])
        case .rename:
            Rules(
                method: "post", path: "/api/displays/{id}/name",
                about: "Names one display, or all. A display keeps its name when it is opened again.",
                access: .role(.operator), body: "DisplayName", answer: Self.json("Displays"),
                errors: [403, 404, 413, 415, 422])
        case .qr:
            Rules(
                method: "get", path: "/api/qr.svg", about: "The QR code of a page's address.", access: .role(.viewer),
                query: [Query(name: "path", about: "A page, such as `n/lectern/remote`.", isRequired: true)],
                answer: ("image/svg+xml", nil), errors: [404, 422])
        case .openAPI:
            Rules(
                method: "get", path: "/api/openapi.json", about: "This document.", access: .everybody,
                answer: Self.json("Nothing"))
        case .health:
            Rules(
                method: "get", path: "/healthz", about: "Whether the server is running.", access: .everybody,
                answer: Self.json("Health"))
        case .metrics:
            Rules(
                method: "get", path: "/metrics", about: "The server's metrics, for Prometheus.", access: .everybody,
                answer: ("text/plain", nil), errors: [403])
        }
    }

    private static func json(_ schema: String) -> (type: String, schema: String?) { ("application/json", schema) }
    private static let day = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    private static let days = [
        Query(name: "from", about: "The first day.", pattern: day),
        Query(name: "to", about: "The last day.", pattern: day),
    ]
}

extension APIRoute {
    /// The lowest role that may use the endpoint; nil for everybody.
    package var role: Role? { if case .role(let role) = rules.access { role } else { nil } }

    /// All endpoints at a path, in which any string may stand for the variable part.
    package static func all(at path: String) -> [APIRoute] {
        let parts = path.split(separator: "/")
        return allCases.filter { route in
            let pattern = route.rules.path.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    /// The methods that an address accepts, whether it is an endpoint or a page; empty if the address does not exist.
    package static func methods(at path: String) -> [String] {
        if Page.at(path.dropFirst()) != nil { return ["GET", "HEAD"] }
        return all(at: path).map { $0.rules.method.uppercased() }
    }
}

/// The body of a command sent over the web.
package struct CommandBody: Hashable, Sendable {
    /// The maximum size of the body, in bytes.
    package static let largest = 64 * 1024
    /// The maximum length of an id, in bytes.
    private static let longestID = 128

    /// The fields of the body.
    package let fields: JSON
    package let id: String
    /// The body as received, with the id.
    package let payload: [UInt8]

    /// Parses a body; an empty body counts as an object without fields.
    ///
    /// - Parameter newID: the id to use if the body has none.
    /// - Throws: ``PayloadError`` if no node could respond to the body. Any other error is left for the node to report.
    package init(_ bytes: [UInt8], newID: @autoclosure () -> String) throws(PayloadError) {
        let json: JSON
        do throws(JSON.ParseError) { json = bytes.isEmpty ? .object([]) : try JSON(parsing: bytes) } catch {
            throw PayloadError(error.description)
        }
        guard case .object(let members) = json else { throw PayloadError("found no object, expected a JSON object") }
        fields = json
        switch json["id"] {
        case nil, .null:
            let others = members.filter { $0.key != "id" }
            let body = others.count < members.count ? JSON.object(others).bytes : bytes
            id = newID()
            payload = Self.payload(id, isAlone: others.isEmpty, before: body)
        case .string(let text) where (1...Self.longestID).contains(text.utf8.count):
            (id, payload) = (text, bytes)
        default: throw PayloadError("field \"id\": expected a string of 1 to \(Self.longestID) bytes")
        }
    }

    /// The JSON text of an object, with an id inserted at the front.
    private static func payload(_ id: String, isAlone: Bool, before body: [UInt8]) -> [UInt8] {
        if isAlone { return Array(#"{"id":"\#(id)"}"#.utf8) }
        return Array(#"{"id":"\#(id)","#.utf8) + body.drop { $0 != UInt8(ascii: "{") }.dropFirst()
    }
}

extension Refusal.Code {
    /// The HTTP status for a node's refusal.
    package var httpStatus: Int {
        switch self {
        case .unknownCommand, .notFound: 404
        case .notAllowed, .conflict, .readOnly: 409
        case .payloadTooLarge: 413
        case .invalidPayload, .retained: 422
        case .locked: 423
        case .rateLimited: 429
        case .noLeader: 502
        }
    }
}
