/// The payload of the `response` topic: the answer to a command.
public struct Response: Hashable, Sendable {
    /// What became of a command.
    public enum Outcome: Hashable, Sendable {
        /// The command was carried out; this is the mode after it, and the whole seconds that a display shows.
        case ok(mode: ModeName, remaining: Int)
        /// The command was refused.
        case error(Refusal)
    }

    /// The command's id; nil where it had none.
    public var id: String?
    /// The command's verb, or an excerpt of it where there is no such verb; nil where the command named none.
    public var command: String?
    /// What became of the command.
    public var outcome: Outcome
    /// Whether the command was a repeat: nothing was done, and this is the first response again.
    public var duplicate: Bool
    /// What the command asked for; nil for most commands.
    public var details: Details?
    /// The node that this one follows, and that it handed the command to; the answer is that node's.
    public var handedTo: String?
    /// The node that this one follows, where nothing was done since that node hears the command itself.
    public var follows: String?

    /// An answer to a command.
    public init(
        id: String?, command: String?, outcome: Outcome, duplicate: Bool = false, details: Details? = nil,
        handedTo: String? = nil, follows: String? = nil
    ) {
        self.id = id
        self.command = command
        self.outcome = outcome
        self.duplicate = duplicate
        self.details = details
        self.handedTo = handedTo
        self.follows = follows
    }

    /// Why the command was refused; nil where it was carried out.
    public var refusal: Refusal? {
        if case .error(let refusal) = outcome { refusal } else { nil }
    }
}

// MARK: - JSON

extension Response: MessagePayload {
    fileprivate static let ok = "ok"
    fileprivate static let error = "error"

    /// The answer as a JSON object.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.id, id)
            writer.member(.command, command)
            switch outcome {
            case .ok(let mode, let remaining):
                writer.member(.status, Self.ok)
                writer.member(.mode, mode.rawValue)
                writer.member(.remaining, remaining)
            case .error(let refusal):
                writer.member(.status, Self.error)
                writer.member(.code, refusal.code.rawValue)
                writer.member(.message, refusal.message)
            }
            details?.write(to: &writer)
            if let handedTo { writer.member(.handedTo, handedTo) }
            if let follows { writer.member(.follows, follows) }
            if duplicate { writer.member(.duplicate, true) }
        }
        return writer.bytes
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``PayloadError`` that names the field, also for a code that this version does not know.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        self = try PayloadFields.read(payload) { (fields) throws(Refusal) in
            Self(
                id: try fields.optional(.id, .plain), command: try fields.optional(.command, .sentence),
                outcome: try Outcome(&fields),
                duplicate: try fields.optional(.duplicate) ?? false, details: try Details(&fields),
                handedTo: try fields.optional(.handedTo, .identifier),
                follows: try fields.optional(.follows, .identifier))
        }
    }
}

extension Response.Outcome {
    fileprivate init(_ fields: inout PayloadFields) throws(Refusal) {
        let status = try fields.required(.status, .name)
        switch status {
        case Response.ok:
            self = .ok(mode: try fields.required(.mode), remaining: try fields.required(.remaining, in: .shownSeconds))
        case Response.error:
            self = .error(Refusal(try fields.required(.code), try fields.required(.message, .sentence)))
        default: throw fields.refusal(JSONKey.status.name, found: status.quoted, expected: "ok or error")
        }
    }
}
