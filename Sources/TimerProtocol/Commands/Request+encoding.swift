internal import FoundationEssentials

// The way back is ``RequestParser``: it makes an equal request of the topic and the payload. The tests hold both together.
extension Request {
    /// The topic that the command is sent to, such as `timer/lectern/command/start`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - recipient: whom the command is for. Several nodes at once refuse edits and forced lamp tests.
    public func topic(prefix: String, for recipient: CommandRecipient) -> String {
        recipient.topic(prefix: prefix, verb: command.verb)
    }

    /// The payload: empty where there is neither an id nor an argument, else a JSON object.
    ///
    /// A date is written to the millisecond. What is out of range is written too, and the node refuses it.
    public var payload: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let id { writer.member("id", id) }
            if let handedBy { writer.member("handed_by", handedBy) }
            command.write(to: &writer)
        }
        let isEmpty = writer.bytes.count == "{}".utf8.count
        return isEmpty && command.verb != .timers ? [] : writer.bytes
    }
}

extension Command {
    /// Writes the arguments.
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .player(let command): command.write(to: &writer)
        case .signal(let command): command.write(to: &writer)
        case .model(let command): command.write(to: &writer)
        case .talk(let command): command.write(to: &writer)
        case .runs(let command): command.write(to: &writer)
        case .agenda(let command): command.write(to: &writer)
        case .state, .time: break
        }
    }
}

extension PlayerCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .start(let selector, let speaker):
            writer.optional("timer", selector)
            writer.optional("speaker", speaker)
        case .startOnce(let run, let speaker):
            writer.member("duration", run.duration)
            if run.warning != 0 { writer.member("warning", run.warning) }
            if run.final != 0 { writer.member("final", run.final) }
            writer.optional("name", run.name)
            writer.optional("speaker", speaker)
        case .select(let selector): writer.member("timer", selector)
        case .set(let seconds): writer.member("remaining", seconds)
        case .add(let seconds): writer.member("seconds", seconds)
        case .sync(let seconds, let date):
            writer.member("remaining", seconds)
            writer.member("at", date)
        case .pause, .resume, .stop, .end, .toggle, .rewind, .fastForward, .next, .previous: break
        }
    }
}

extension SignalCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .beep(let pattern): writer.optional("sound", pattern)
        case .lampTest(let force): if force { writer.member("force", true) }
        case .silence, .identify: break
        }
    }
}

extension ModelCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .edit(let selector, let edit, let revision):
            writer.optional("timer", selector)
            writer.optional("model_revision", revision)
            writer.optional("start", edit.start)
            writer.optional("warning", edit.warning)
            writer.optional("final", edit.final)
            writer.optional("minimum", edit.minimum)
            writer.optional("maximum", edit.maximum)
            writer.optional("name", edit.name)
            writer.optional("event", edit.event)
            writer.optional("location", edit.location)
        case .timers(let model, let revision):
            writer.optional("model_revision", revision)
            guard case .object(let members) = model.json else { return }
            for member in members {
                writer.key(JSONKey(member.key))
                writer.value(member.value)
            }
        case .reset: break
        }
    }
}

extension TalkCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .speaker(let name): writer.member("name", name ?? "")
        case .message(let message):
            writer.member("text", message?.text ?? "")
            writer.optional("for", message?.duration)
            if message?.attention == true { writer.member("attention", true) }
            if message?.keep == true { writer.member("keep", true) }
        case .lock(let level): if level == .commands { writer.member("commands", true) }
        case .unlock: break
        }
    }
}

extension RunsCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .page(let page): if page != 1 { writer.member("page", page) }
        case .amend(let run, let speaker):
            writer.member("run", run)
            writer.member("speaker", speaker ?? "")
        case .clear: break
        }
    }
}

extension AgendaCommand {
    fileprivate func write(to writer: inout JSONWriter) {
        switch self {
        case .replace(let agenda, let revision):
            writer.fields(of: agenda)
            writer.optional("revision", revision)
        case .begin(let meeting): writer.member("meeting", meeting)
        }
    }
}

extension JSONWriter {
    /// Writes a member where there is a value.
    fileprivate mutating func optional(_ key: String, _ value: String?) {
        if let value { member(key, value) }
    }

    /// Writes a member where there is a value.
    fileprivate mutating func optional(_ key: String, _ value: Int?) {
        if let value { member(key, value) }
    }
}
