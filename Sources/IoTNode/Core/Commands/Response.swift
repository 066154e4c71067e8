/// The answer to a command.
struct Response: Hashable, Sendable {
    let id: String?
    let command: String?
    let refusal: Refusal?
    /// The mode's name and the seconds shown, after the command.
    let mode: String
    let remaining: Int
    var duplicate = false

    var json: JSON {
        var members: [JSON.Member] = [
            .init(key: "id", value: JSON(id)),
            .init(key: "command", value: JSON(command)),
        ]
        if let refusal {
            members += [
                .init(key: "status", value: "error"),
                .init(key: "code", value: .string(refusal.code.rawValue)),
                .init(key: "message", value: .string(refusal.message)),
            ]
        } else {
            members += [
                .init(key: "status", value: "ok"),
                .init(key: "mode", value: .string(mode)),
                .init(key: "remaining", value: .integer(remaining)),
            ]
        }
        if duplicate { members.append(.init(key: "duplicate", value: true)) }
        return .object(members)
    }
}
