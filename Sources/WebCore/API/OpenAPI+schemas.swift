internal import TimerProtocol

extension OpenAPI {
    /// The forms of what is sent and answered. What nodes say is as they say it; a message has an instant besides.
    static let schemas: [JSON.Member] = [
        .init(
            key: "Error",
            value: object(["error": object(["code": text, "message": text]), "response": anything], "error")),
        .init(
            key: "Session",
            value: object(
                [
                    "role": ["type": ["string", "null"], "enum": ["viewer", "remote", "operator", nil]],
                    "proof": ["type": "string", "enum": ["none", "session", "token"]],
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
                    "role": text,
                    "nodes": ["type": "object", "additionalProperties": reference("Node")],
                ], "now", "boot", "broker", "site", "role", "nodes")),
        .init(
            key: "Node",
            value: object(
                [
                    "id": text, "name": ["type": ["string", "null"]],
                    "availability": ["type": ["string", "null"], "enum": ["online", "offline", nil]], "heard": flag,
                    "state": orNull("State"), "timers": optionalObject, "agenda": orNull("Agenda"),
                    "runs": orNull("RunsTold"),
                    "message": orNull("Message"), "health": orNull("NodeHealth"),
                    "patterns": Optional<[String: PatternReport]>.schema(.outputs(())),
                    "signals": ModeSignals.schema(()), "counting": Optional<CountingReport>.schema(()),
                    "offline_since": ["type": ["number", "null"]],
                ], "id")),
        .init(key: "State", value: StateMessage.schema(())),
        .init(key: "Agenda", value: AgendaMessage.schema(())),
        .init(key: "RunsTold", value: RunsMessage.schema(())),
        .init(key: "Message", value: ShownMessage.schema(())),
        .init(key: "NodeHealth", value: HealthMessage.schema(())),
        .init(key: "Run", value: RunRecord.schema(())),
        .init(key: "Runs", value: RunsSelection.schema(())),
        .init(key: "Displays", value: DisplayList.schema(())),
        .init(key: "Blackout", value: object(["on": flag], "on")),
        .init(key: "Health", value: object(["status": text, "broker": flag], "status", "broker")),
    ]

    private static let text: JSON = ["type": "string"]
    private static let optionalText: JSON = ["type": ["string", "null"]]
    private static let number: JSON = ["type": "number"]
    private static let flag: JSON = ["type": "boolean"]
    private static let anything: JSON = ["type": "object"]
    private static let optionalObject: JSON = ["type": ["object", "null"]]

    private static func orNull(_ schema: String) -> JSON { ["oneOf": [reference(schema), ["type": "null"]]] }

    private static func list(_ element: JSON) -> JSON { ["type": "array", "items": element] }

    private static func object(_ properties: JSON, _ required: String...) -> JSON {
        if required.isEmpty { return ["type": "object", "properties": properties] }
        return ["type": "object", "properties": properties, "required": .array(required.map(JSON.string))]
    }
}
