/// Turns a command's topic and payload into a ``Request``.
package struct RequestParser {
    /// The verb as it was received, known or not. A refusal names it.
    package private(set) var verb: String?
    package private(set) var id: String?
    package private(set) var handedBy: String?

    package init() {}

    /// Parses a payload.
    ///
    /// - Parameters:
    ///   - verb: the topic's last level; nil where the payload's `command` names it.
    ///   - scope: whom the topic addresses.
    package mutating func request(
        verb name: String?, scope: Topics.Scope, payload: [UInt8]
    ) throws(Refusal) -> Request {
        verb = name
        // Where the topic has no verb, the payload names it, and it may be the one with the largest payload.
        let largest = (name == nil ? .timers : name.flatMap(Verb.init) ?? .stop).largestPayload
        guard payload.count <= largest else { throw tooLarge(payload, largest) }

        var content = try PayloadContent(payload)
        if content.isPlain {
            let verb = try knownVerb(name)
            return Request(id: nil, command: try command(verb, &content, scope))
        }
        id = try content.fields.text("id", .plain)
        handedBy = try content.fields.unlisted { (fields) throws(Refusal) in
            try fields.optional("handed_by", .identifier)
        }
        let inner = try content.fields.text("command", .plain)
        if let name, let inner, name != inner {
            throw Refusal(.invalidPayload, "field \"command\": found \(inner.quoted) on the topic of \(name.quoted)")
        }
        verb = name ?? inner
        let verb = try knownVerb(verb)
        guard payload.count <= verb.largestPayload else { throw tooLarge(payload, verb.largestPayload) }
        return Request(id: id, handedBy: handedBy, command: try command(verb, &content, scope))
    }

    private func tooLarge(_ payload: [UInt8], _ largest: Int) -> Refusal {
        Refusal(.payloadTooLarge, "the payload has \(payload.count) bytes, at most \(largest) are taken")
    }

    private func knownVerb(_ name: String?) throws(Refusal) -> Verb {
        guard let name else {
            throw Refusal(.invalidPayload, "expected a JSON object with the field \"command\"")
        }
        guard let verb = Verb(rawValue: name) else {
            let names = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(.unknownCommand, "there is no command \(name.quoted); there are \(names)")
        }
        return verb
    }

    private func command(
        _ verb: Verb, _ content: inout PayloadContent, _ scope: Topics.Scope
    ) throws(Refusal) -> Command {
        guard scope == .node || verb.mayBeBroadcast else {
            throw Refusal(.notAllowed, "\(verb.rawValue) is for one node, not for several at once")
        }
        let command = try command(verb, &content)
        try content.finish(verb)
        guard scope == .node || command != .signal(.lampTest(force: true)) else {
            throw Refusal(.notAllowed, "a forced lamp_test is for one node, not for several at once")
        }
        return command
    }

    /// Reads the arguments of a verb; what is not read is refused afterwards.
    private func command(_ verb: Verb, _ content: inout PayloadContent) throws(Refusal) -> Command {
        switch verb {
        case .start: .player(try start(&content))
        case .pause: .player(.pause)
        case .resume: .player(.resume)
        case .stop: .player(.stop)
        case .end: .player(.end)
        case .toggle: .player(.toggle)
        case .rewind: .player(.rewind)
        case .fastForward: .player(.fastForward)
        case .next: .player(.next)
        case .previous: .player(.previous)
        case .select: .player(.select(selector: try selector(&content)))
        case .set: .player(.set(seconds: try remaining(&content)))
        case .add: .player(.add(seconds: try seconds(&content)))
        case .sync: .player(try sync(&content))
        case .silence: .signal(.silence)
        case .beep: .signal(.beep(pattern: try content.optionalArgument("sound")))
        case .lampTest: .signal(.lampTest(force: try force(&content)))
        case .identify: .signal(.identify)
        case .edit: .model(try edit(&content))
        case .timers: .model(try timers(&content))
        case .resetTimers: .model(.reset)
        case .speaker: .talk(.speaker(try speaker(&content)))
        case .message: .talk(.message(try message(&content)))
        case .lock: .talk(.lock(try lockLevel(&content)))
        case .unlock: .talk(.unlock)
        case .runs: .runs(try runs(&content))
        case .clearRuns: .runs(.clear)
        case .agenda: .agenda(try agenda(&content))
        case .begin: .agenda(.begin(try meeting(&content)))
        case .state: .state
        case .time: .time
        }
    }
}

// MARK: - Arguments

extension RequestParser {
    private func start(_ content: inout PayloadContent) throws(Refusal) -> PlayerCommand {
        let selector = try content.optionalArgument("timer")
        let duration = try content.fields.seconds("duration")
        let (warning, final) = (try content.fields.seconds("warning"), try content.fields.seconds("final"))
        let name = try content.fields.text("name", .name)
        let speaker = try content.fields.text("speaker", .name)
        guard let duration else {
            guard warning == nil, final == nil, name == nil else {
                throw Refusal(
                    .invalidPayload, "field \"duration\" is missing: warning, final and name go with it")
            }
            return .start(selector: selector, speaker: speaker)
        }
        guard selector == nil else {
            throw Refusal(.invalidPayload, "field \"duration\" makes a run of its own; it goes without \"timer\"")
        }
        return .startOnce(
            PlayerCommand.OneRun(duration: duration, warning: warning ?? 0, final: final ?? 0, name: name),
            speaker: speaker)
    }

    private func selector(_ content: inout PayloadContent) throws(Refusal) -> String {
        guard let text = content.consumeText() else {
            return try PayloadFields.require(try content.fields.text("timer", .plain), "timer")
        }
        guard !text.isEmpty else { throw Refusal(.invalidPayload, "select needs a timer, such as 2/1") }
        return text
    }

    private func remaining(_ content: inout PayloadContent) throws(Refusal) -> Int {
        guard let text = content.consumeText() else {
            return try PayloadFields.require(try content.fields.seconds("remaining"), "remaining")
        }
        guard let seconds = DurationText.seconds(Self.withoutZeros(text)) else {
            throw Refusal(.invalidPayload, "found \(text.quoted), expected a time such as 90 or 1:30")
        }
        return seconds
    }

    private func seconds(_ content: inout PayloadContent) throws(Refusal) -> Int {
        guard let text = content.consumeText() else {
            return try PayloadFields.require(try content.fields.signedSeconds("seconds"), "seconds")
        }
        guard let seconds = DurationText.signedSeconds(Self.withoutZeros(text)) else {
            throw Refusal(.invalidPayload, "found \(text.quoted), expected a time such as +30, -30 or 1:00")
        }
        return seconds
    }

    /// A number without the zeros behind its point: some devices send whole numbers as `5.0`.
    private static func withoutZeros(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isWhole = parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy { $0 == "0" }
        return isWhole && !parts[0].contains(":") ? String(parts[0]) : text
    }

    private func sync(_ content: inout PayloadContent) throws(Refusal) -> PlayerCommand {
        var fields = try content.object(for: .sync)
        let seconds = try PayloadFields.require(try fields.seconds("remaining"), "remaining")
        let date = try PayloadFields.require(try fields.date("at"), "at")
        content.fields = fields
        return .sync(seconds: seconds, at: date)
    }

    private func timers(_ content: inout PayloadContent) throws(Refusal) -> ModelCommand {
        var fields = try content.object(for: .timers)
        defer { content.fields = fields }
        let revision = try fields.optional("model_revision", in: .counts)
        return .timers(ModelDocument(.object(fields.removeAll())), revision: revision)
    }

    private func force(_ content: inout PayloadContent) throws(Refusal) -> Bool {
        if let text = content.consumeText() {
            guard PayloadContent.isEmpty(text) else { throw PayloadContent.needsObject(.lampTest) }
            return false
        }
        return try content.fields.bool("force") ?? false
    }

    private func edit(_ content: inout PayloadContent) throws(Refusal) -> ModelCommand {
        var fields = try content.object(for: .edit)
        let selector = try fields.text("timer", .plain)
        let revision = try fields.optional("model_revision", in: .counts)
        let edit = ModelCommand.Edit(
            start: try fields.seconds("start"), warning: try fields.seconds("warning"),
            final: try fields.seconds("final"), minimum: try fields.seconds("minimum"),
            maximum: try fields.seconds("maximum"), name: try fields.text("name", .name),
            event: try fields.text("event", .plain), location: try fields.text("location", .plain))
        guard edit != ModelCommand.Edit() else {
            let names = "start, warning, final, minimum, maximum, name, event, location"
            throw Refusal(.invalidPayload, "edit needs a field to change: \(names)")
        }
        content.fields = fields
        return .edit(selector: selector, edit, revision: revision)
    }
}
