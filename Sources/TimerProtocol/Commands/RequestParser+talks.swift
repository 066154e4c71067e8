internal import FoundationEssentials

// The arguments of the commands for talks. What is a text may be any text: `ON` is one, too.
extension RequestParser {
    func speaker(_ content: inout PayloadContent) throws(Refusal) -> String? {
        let name = try content.text("name", .plain) ?? ""
        return name.isEmpty ? nil : name
    }

    func message(_ content: inout PayloadContent) throws(Refusal) -> MessageToSpeaker? {
        let text = try content.text("text", .message) ?? ""
        let duration = try content.fields.seconds("for")
        let (attention, keep) = (try content.fields.bool("attention"), try content.fields.bool("keep"))
        guard !text.isEmpty else {
            guard duration == nil, attention == nil, keep == nil else {
                throw PayloadFields([]).missing("text")
            }
            return nil
        }
        if let duration, !MessageToSpeaker.durations.contains(duration) {
            throw content.fields.refusal(
                "for", found: "\(duration) s", expected: "1 s to \(MessageToSpeaker.durations.upperBound) s")
        }
        return MessageToSpeaker(text, for: duration, attention: attention ?? false, keep: keep ?? false)
    }

    func agenda(_ content: inout PayloadContent) throws(Refusal) -> AgendaCommand {
        var fields = try content.object(for: .agenda)
        let revision = try fields.optional("revision", in: .counts)
        var agenda = Agenda()
        try agenda.fields(&fields)
        content.fields = fields
        return .replace(agenda, revision: revision)
    }

    func meeting(_ content: inout PayloadContent) throws(Refusal) -> String {
        if let text = content.consumeText() {
            guard !text.isEmpty else {
                throw Refusal(.invalidPayload, "begin needs a meeting: its place in the agenda, or its name")
            }
            return text
        }
        let meeting: MeetingField? = try content.fields.optional("meeting")
        return try PayloadFields.require(meeting, "meeting").selector
    }

    func lockLevel(_ content: inout PayloadContent) throws(Refusal) -> LockLevel {
        try content.fields.bool("commands") == true ? .commands : .inputs
    }

    /// A command with a speaker amends a run, which `run` names, or `id` where the command has no id of its own.
    func runs(_ content: inout PayloadContent) throws(Refusal) -> RunsCommand {
        let (page, run) = (try content.fields.optional("page", in: .places), try content.fields.id("run"))
        if let speaker = try content.fields.text("speaker", .plain) {
            guard page == nil else {
                throw Refusal(.invalidPayload, "field \"speaker\" amends a run; it goes without \"page\"")
            }
            guard let run = run ?? id.flatMap({ UUID(uuidString: $0) }) else {
                throw Refusal(
                    .invalidPayload, "field \"id\": found \(id?.quoted ?? "nothing"), expected the id of a run to amend"
                )
            }
            return .amend(id: run, speaker: speaker.isEmpty ? nil : speaker)
        }
        guard run == nil else { throw PayloadFields([]).missing("speaker") }
        return .page(page ?? 1)
    }
}

/// A meeting in a command: its place in the agenda, or its name.
private struct MeetingField: ScalarValue {
    static let expected = "the place of a meeting, from 1, or its name"

    let selector: String

    func write(to writer: inout JSONWriter, _ bounds: Void) { writer.value(selector) }

    init?(field: JSON) {
        if let number = Int(field, in: .places) {
            selector = "\(number)"
        } else if case .string(let name) = field, TextKind.plain.fits(name) {
            selector = name
        } else {
            return nil
        }
    }
}

extension PayloadContent {
    /// Reads a text: the plain text, or a field of the object.
    fileprivate mutating func text(_ key: String, _ kind: TextKind) throws(Refusal) -> String? {
        guard let text = consumeText() else { return try fields.text(key, kind) }
        if let misfit = kind.misfit(in: text) {
            throw Refusal(.invalidPayload, "found \(misfit), expected \(kind.expected)")
        }
        return text
    }
}

extension MessageToSpeaker {
    /// How long a message may be shown, in seconds.
    static let durations = 1...86_400
}
