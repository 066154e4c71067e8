/// The answer to a command.
package struct Response: Hashable, Sendable {
    package let id: String?
    package let command: String?
    package let refusal: Refusal?
    /// The mode's name and the seconds shown, after the command.
    package let mode: String
    package let remaining: Int
    package var duplicate = false

    package init(
        id: String?, command: String?, refusal: Refusal?, mode: String, remaining: Int, duplicate: Bool = false
    ) {
        self.id = id
        self.command = command
        self.refusal = refusal
        self.mode = mode
        self.remaining = remaining
        self.duplicate = duplicate
    }

    /// The payload.
    package var bytes: [UInt8] {
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
