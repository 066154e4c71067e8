/// The answer to a command.
struct Response: Hashable, Sendable {
    let id: String?
    let command: String?
    let refusal: Refusal?
    /// The mode's name and the seconds shown, after the command.
    let mode: String
    let remaining: Int
    var duplicate = false

    /// The payload.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.id, id)
            writer.member(.command, command)
            if let refusal {
                writer.member(.status, "error")
                writer.member(.code, refusal.code.rawValue)
                writer.member(.message, refusal.message)
            } else {
                writer.member(.status, "ok")
                writer.member(.mode, mode)
                writer.member(.remaining, remaining)
            }
            if duplicate { writer.member(.duplicate, true) }
        }
        return writer.bytes
    }
}
