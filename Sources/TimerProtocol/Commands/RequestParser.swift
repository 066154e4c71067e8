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

        switch try PayloadContent(payload) {
        case .text(let text):
            let verb = try knownVerb(name)
            return Request(
                id: nil, command: try command(verb, scope) { () throws(Refusal) in try verb.fields(of: text) })
        case .object(var fields):
            try fields.field("id", &id, .plain, "")
            // Only nodes write it, so a refusal does not name it as known.
            if fields.has("handed_by") == true { try fields.field("handed_by", &handedBy, .identifier, "") }
            var inner: String?
            try fields.field("command", &inner, .plain, "")
            if let name, let inner, name != inner {
                throw Refusal(
                    .invalidPayload, "field \"command\": found \(inner.quoted) on the topic of \(name.quoted)")
            }
            verb = name ?? inner
            let verb = try knownVerb(verb)
            guard payload.count <= verb.largestPayload else { throw tooLarge(payload, verb.largestPayload) }
            return Request(id: id, handedBy: handedBy, command: try command(verb, scope) { fields })
        }
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
        _ verb: Verb, _ scope: Topics.Scope, _ fields: () throws(Refusal) -> PayloadFields
    ) throws(Refusal) -> Command {
        guard scope == .node || verb.mayBeBroadcast else {
            throw Refusal(.notAllowed, "\(verb.rawValue) is for one node, not for several at once")
        }
        var (command, fields) = (verb.rules.command(), try fields())
        try command.arguments(&fields, id: id)
        try fields.finish()
        guard scope == .node || command != .signal(.lampTest(force: true)) else {
            throw Refusal(.notAllowed, "a forced lamp_test is for one node, not for several at once")
        }
        return command
    }
}
