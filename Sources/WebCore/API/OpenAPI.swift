package import TimerProtocol

/// The document that describes the API, generated from the table of its endpoints.
package enum OpenAPI {
    /// The document, in OpenAPI 3.1.
    ///
    /// - Parameters:
    ///   - version: the program's version.
    ///   - server: the site's address, as a relative or absolute URL.
    package static func document(version: String, server: String) -> JSON {
        var paths: [JSON.Member] = []
        let routes = APIRoute.allCases.map(\.rules)
        for path in routes.map(\.path) where !paths.contains(where: { $0.key == path }) {
            let methods = routes.filter { $0.path == path }
            paths.append(.init(key: path, value: .object(methods.map { .init(key: $0.method, value: operation($0)) })))
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "timer-web", "version": .string(version),
                "description": .string(
                    "Shows and controls timer nodes. Instants are milliseconds of the server's monotonic clock. The "
                        + "end of a session and the time at which a display was opened are seconds of Unix time."),
            ],
            "servers": [["url": .string(server)]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "session": ["type": "apiKey", "in": "cookie", "name": .string(SessionTicket.cookie)],
                ],
            ],
        ]
    }

    private static func operation(_ route: APIRoute.Rules) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "operationId", value: .string(name(of: route))),
            .init(key: "summary", value: .string(route.about)),
        ]
        if case .role(let role) = route.access {
            members.append(
                .init(key: "description", value: .string("Needs the role \(role.rawValue) or a higher one.")))
            members.append(.init(key: "security", value: [[:], ["token": []], ["session": []]]))
        }
        let parameters = pathParameters(route) + route.query.map(parameter)
        if !parameters.isEmpty { members.append(.init(key: "parameters", value: .array(parameters))) }
        if let body = route.body {
            let content: JSON = ["application/json": ["schema": reference(body)]]
            members.append(.init(key: "requestBody", value: ["required": .bool(body == "Login"), "content": content]))
        }
        members.append(.init(key: "responses", value: .object(responses(route))))
        return .object(members)
    }

    private static func name(of route: APIRoute.Rules) -> String {
        let words = route.path.split { !$0.isLetter }.drop { $0 == "api" }
        return ([route.method[...]] + words).joined(separator: "_")
    }

    private static func pathParameters(_ route: APIRoute.Rules) -> [JSON] {
        let id =
            route.path.hasPrefix("/api/displays") ? "^(all|[a-z0-9]{1,20})$" : Identifier.pattern
        let schemas: [String: JSON] = [
            "id": ["type": "string", "pattern": .string(id)],
            "verb": ["type": "string", "enum": .array(Verb.allCases.map { .string($0.rawValue) })],
        ]
        return schemas.keys.sorted().filter { route.path.contains("{\($0)}") }.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": schemas[name] ?? .null]
        }
    }

    private static func parameter(_ query: APIRoute.Query) -> JSON {
        var schema: [JSON.Member] = [.init(key: "type", value: "string")]
        if let pattern = query.pattern { schema.append(.init(key: "pattern", value: .string(pattern))) }
        return [
            "name": .string(query.name), "in": "query", "required": .bool(query.isRequired),
            "description": .string(query.about), "schema": .object(schema),
        ]
    }

    private static func responses(_ route: APIRoute.Rules) -> [JSON.Member] {
        var answer: [JSON.Member] = [.init(key: "description", value: "Success.")]
        if let (type, schema) = route.answer {
            let media: JSON = schema.map { ["schema": reference($0)] } ?? ["schema": ["type": "string"]]
            answer.append(.init(key: "content", value: .object([.init(key: type, value: media)])))
        }
        let error: JSON = [
            "description": "The reason for the error.", "content": ["application/json": ["schema": reference("Error")]],
        ]
        // Every endpoint may report a malformed request, an unknown token, a host name that may belong to another site,
        // or too many requests.
        let statuses = Set(route.errors + [400, 401, 421, 429, 431]).sorted()
        return [.init(key: "\(route.status)", value: .object(answer))]
            + statuses.map { .init(key: "\($0)", value: error) }
    }

    static func reference(_ schema: String) -> JSON { ["$ref": .string("#/components/schemas/\(schema)")] }
}

extension OpenAPI {
    /// The schemas of requests and responses. The nodes' messages are passed on unchanged, except that a message to the
    /// speaker also has an instant.
    static let schemas: [JSON.Member] = [
        .init(
            key: "Error",
            value: object(["error": object(["code": text, "message": text]), "response": anything], "error")),
        .init(
            key: "Session",
            value: object(
                [
                    "role": ["type": ["string", "null"], "enum": ["viewer", "remote", "operator", nil]],
                    "proof": proof,
                    "expires": ["type": ["integer", "null"]],
                    "needs_pin": object(
                        ["viewer": flag, "remote": flag, "operator": flag], "viewer", "remote", "operator"),
                ], "role", "proof", "needs_pin")),
        .init(key: "Login", value: object(["pin": ["type": "string", "pattern": "^[0-9]{8}$"]], "pin")),
        .init(key: "Nothing", value: anything),
        .init(key: "Command", value: anything),
        .init(
            key: "Response",
            value: object(["id": text, "command": text, "status": ["type": "string", "const": "ok"]], "status")),
        .init(key: "Time", value: object(["boot": text, "now": number], "boot", "now")),
        .init(key: "Broker", value: BrokerReport.schema(())),
        .init(
            key: "Snapshot",
            value: object(
                [
                    "now": number, "boot": text, "broker": reference("Broker"),
                    "site": SiteReport.schema(()),
                    "role": text, "proof": proof,
                    "nodes": ["type": "object", "additionalProperties": reference("Node")],
                ], "now", "boot", "broker", "site", "role", "proof", "nodes")),
        .init(
            key: "Node",
            value: [
                "type": "object",
                "properties": .object(
                    [.init(key: "id", value: text)]
                        + NodePart.allCases.map { .init(key: $0.rawValue, value: schema(of: $0)) }),
                "required": ["id"],
            ]),
        .init(key: "State", value: StateMessage.schema(())),
        .init(key: "Agenda", value: AgendaMessage.schema(())),
        .init(key: "Programme", value: ProgrammeMessage.schema(())),
        .init(key: "RecentRuns", value: RunsMessage.schema(())),
        .init(key: "Message", value: ShownMessage.schema(())),
        .init(key: "NodeHealth", value: HealthMessage.schema(())),
        .init(key: "Run", value: RunRecord.schema(())),
        .init(key: "Runs", value: RunsSelection.schema(())),
        .init(key: "Displays", value: DisplayList.schema(())),
        .init(key: "Blackout", value: object(["on": flag], "on")),
        .init(key: "Table", value: object(["text": text], "text")),
        .init(key: "RunningOrder", value: Programme.schema(())),
        .init(key: "KeptMessages", value: KeptMessages.schema(())),
        .init(key: "KeptMessageChange", value: KeptMessageChange.schema(())),
        .init(key: "DisplayName", value: object(["name": text], "name")),
        .init(key: "Health", value: object(["status": text, "broker": flag], "status", "broker")),
    ]

    private static let text: JSON = ["type": "string"]
    private static let number: JSON = ["type": "number"]
    private static let proof: JSON = [
        "type": "string", "enum": .array(Identity.Proof.allCases.map { .string($0.rawValue) }),
    ]
    private static let flag: JSON = ["type": "boolean"]
    private static let anything: JSON = ["type": "object"]

    private static func orNull(_ schema: String) -> JSON { ["oneOf": [reference(schema), ["type": "null"]]] }

    /// The schema of a part, which is null if the node has published nothing for it.
    private static func schema(of part: NodePart) -> JSON {
        switch part {
        case .name: ["type": ["string", "null"]]
        case .availability: ["type": ["string", "null"], "enum": ["online", "offline", nil]]
        case .heard: flag
        case .state: orNull("State")
        case .counting: Optional<CountingReport>.schema(())
        case .patterns: Optional<[String: PatternReport]>.schema(.outputs(()))
        case .timers: ["type": ["object", "null"]]
        case .message: orNull("Message")
        case .agenda: orNull("Agenda")
        case .programme: orNull("Programme")
        case .runs: orNull("RecentRuns")
        case .health: orNull("NodeHealth")
        case .signals: ModeSignals.schema(())
        case .offlineSince: ["type": ["number", "null"]]
        }
    }

    private static func object(_ properties: JSON, _ required: String...) -> JSON {
        if required.isEmpty { return ["type": "object", "properties": properties] }
        return ["type": "object", "properties": properties, "required": .array(required.map(JSON.string))]
    }
}
