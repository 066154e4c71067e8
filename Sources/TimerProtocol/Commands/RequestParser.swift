/// Turns a command's topic and payload into a ``Request``.
package struct RequestParser {
    /// What a refusal can still say of the command it refuses.
    package private(set) var verb: String?
    package private(set) var id: String?

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
        // Without a name in the topic the payload has it, which may be the longest one.
        let largest = (name == nil ? .timers : name.flatMap(Verb.init) ?? .stop).largestPayload
        guard payload.count <= largest else { throw tooLarge(payload, largest) }

        let content = try PayloadContent(payload)
        guard case .fields(var fields) = content else {
            let verb = try knownVerb(name)
            return Request(verb: verb, id: nil, command: try command(verb, content.plainText, scope))
        }
        id = try identifier(&fields)
        let inner = try fields.string("command")
        if let name, let inner, name != inner {
            throw Refusal(.invalidPayload, "field \"command\": found \(inner.quoted) on the topic of \(name.quoted)")
        }
        verb = name ?? inner
        let verb = try knownVerb(verb)
        guard payload.count <= verb.largestPayload else { throw tooLarge(payload, verb.largestPayload) }
        let command = try command(verb, &fields, scope)
        return Request(verb: verb, id: id, command: command)
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

    private func identifier(_ fields: inout PayloadFields) throws(Refusal) -> String? {
        let id = try fields.string("id")
        if let id, id.utf8.count > 128 {
            throw Refusal(.invalidPayload, "field \"id\": found \(id.utf8.count) bytes, expected at most 128")
        }
        return id
    }

    private func refuseBroadcast(_ verb: Verb, _ scope: Topics.Scope) throws(Refusal) {
        guard scope == .node || verb.mayBeBroadcast else {
            throw Refusal(.notAllowed, "\(verb.rawValue) is for one node, not for several at once")
        }
    }

    // MARK: - Plain payloads

    private func command(_ verb: Verb, _ text: String, _ scope: Topics.Scope) throws(Refusal) -> Command {
        try refuseBroadcast(verb, scope)
        if let command = verb.withoutArguments {
            guard PayloadContent.isEmpty(text) else {
                throw Refusal(.invalidPayload, "\(verb.rawValue) takes nothing; found \(text.quoted)")
            }
            return command
        }
        switch verb {
        case .start: return .start(selector: PayloadContent.isEmpty(text) ? nil : text)
        case .select where !text.isEmpty: return .select(selector: text)
        case .set:
            guard let seconds = DurationText.seconds(Self.withoutZeros(text)) else {
                throw Refusal(.invalidPayload, "found \(text.quoted), expected a time such as 90 or 1:30")
            }
            return .set(seconds: seconds)
        case .add:
            guard let seconds = DurationText.signedSeconds(Self.withoutZeros(text)) else {
                throw Refusal(.invalidPayload, "found \(text.quoted), expected a time such as +30, -30 or 1:00")
            }
            return .add(seconds: seconds)
        case .beep: return .beep(pattern: PayloadContent.isEmpty(text) ? nil : text)
        case .lampTest where PayloadContent.isEmpty(text): return .lampTest(force: false)
        case .select: throw Refusal(.invalidPayload, "select needs a timer, such as 2/1")
        default: throw Refusal(.invalidPayload, "\(verb.rawValue) needs a JSON object")
        }
    }

    /// A number without the zeros behind its point, with which some devices send whole numbers too: `5.0`.
    private static func withoutZeros(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isWhole = parts.count == 2 && !parts[1].isEmpty && parts[1].allSatisfy { $0 == "0" }
        return isWhole && !parts[0].contains(":") ? String(parts[0]) : text
    }

    // MARK: - JSON payloads

    private func command(
        _ verb: Verb, _ fields: inout PayloadFields, _ scope: Topics.Scope
    ) throws(Refusal) -> Command {
        try refuseBroadcast(verb, scope)
        let command = try arguments(of: verb, &fields)
        try fields.finish()
        guard scope == .node || command != .lampTest(force: true) else {
            throw Refusal(.notAllowed, "a forced lamp_test is for one node, not for several at once")
        }
        return command
    }

    private func arguments(of verb: Verb, _ fields: inout PayloadFields) throws(Refusal) -> Command {
        if let command = verb.withoutArguments { return command }
        switch verb {
        case .start: return try start(&fields)
        case .select: return .select(selector: try PayloadFields.require(try fields.string("timer"), "timer"))
        case .set: return .set(seconds: try PayloadFields.require(try fields.seconds("remaining"), "remaining"))
        case .add:
            return .add(seconds: try PayloadFields.require(try fields.signedSeconds("seconds"), "seconds"))
        case .sync:
            return .sync(
                seconds: try PayloadFields.require(try fields.seconds("remaining"), "remaining"),
                at: try PayloadFields.require(try fields.date("at"), "at"))
        case .beep: return .beep(pattern: try fields.string("sound"))
        case .lampTest: return .lampTest(force: try fields.bool("force") ?? false)
        case .edit: return try edit(&fields)
        default: return .timers(.object(fields.removeAll()))
        }
    }

    private func start(_ fields: inout PayloadFields) throws(Refusal) -> Command {
        let selector = try fields.string("timer")
        let duration = try fields.seconds("duration")
        let (warning, final) = (try fields.seconds("warning"), try fields.seconds("final"))
        let name = try fields.name("name")
        guard let duration else {
            guard warning == nil, final == nil, name == nil else {
                throw Refusal(
                    .invalidPayload, "field \"duration\" is missing: warning, final and name go with it")
            }
            return .start(selector: selector)
        }
        guard selector == nil else {
            throw Refusal(.invalidPayload, "field \"duration\" makes a run of its own; it goes without \"timer\"")
        }
        return .startOnce(Command.OneRun(duration: duration, warning: warning ?? 0, final: final ?? 0, name: name))
    }

    private func edit(_ fields: inout PayloadFields) throws(Refusal) -> Command {
        let selector = try fields.string("timer")
        let edit = Command.Edit(
            start: try fields.seconds("start"), warning: try fields.seconds("warning"),
            final: try fields.seconds("final"), name: try fields.name("name"),
            event: try fields.text("event"), location: try fields.text("location"))
        guard edit != Command.Edit() else {
            throw Refusal(.invalidPayload, "edit needs a field to change: start, warning, final, name, event, location")
        }
        return .edit(selector: selector, edit)
    }
}

extension Verb {
    /// The command of a verb that takes nothing.
    fileprivate var withoutArguments: Command? {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .stop: .stop
        case .end: .end
        case .toggle: .toggle
        case .rewind: .rewind
        case .fastForward: .fastForward
        case .next: .next
        case .previous: .previous
        case .silence: .silence
        case .identify: .identify
        case .state: .state
        case .start, .select, .set, .add, .sync, .beep, .lampTest, .edit, .timers: nil
        }
    }
}
