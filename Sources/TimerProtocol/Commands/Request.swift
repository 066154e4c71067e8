/// A command with its id, as a client sends it and as a node has received it.
public struct Request: Hashable, Sendable {
    /// The id, which the response repeats: any string of at most 128 bytes, preferably a UUID; nil for none.
    ///
    /// If commands with the same id, topic and payload arrive within 10 s, the node carries out only the first.
    public let id: String?
    /// The follower that forwards the command to its leader; nil for a command from any other client.
    public let forwardedBy: String?
    /// The command.
    public let command: Command

    /// A command, with or without an id.
    public init(id: String? = nil, forwardedBy: String? = nil, command: Command) {
        self.id = id
        self.forwardedBy = forwardedBy
        self.command = command
    }
}

/// Why a command is refused.
public struct Refusal: Error, Hashable, Sendable {
    /// The codes in responses. They are a stable contract.
    public enum Code: String, Sendable, CaseIterable {
        /// There is no such verb.
        case unknownCommand = "unknown_command"
        /// The payload is not UTF-8 or not JSON, or a field is unknown, missing, duplicated or out of range.
        case invalidPayload = "invalid_payload"
        /// The selector matches no timer or several timers, or there is no pattern with that name.
        case notFound = "not_found"
        /// The mode does not allow the command, or the command must not be sent to several nodes.
        case notAllowed = "not_allowed"
        /// The configuration does not allow edits.
        case readOnly = "read_only"
        /// The payload is longer than ``Verb/largestPayload``.
        case payloadTooLarge = "payload_too_large"
        /// The message has the retain flag, so it would be carried out again at every connection.
        case retained
        /// Too many commands arrived within a second.
        case rateLimited = "rate_limited"
        /// The node is locked for commands.
        case locked
        /// The node follows a leader that does not respond.
        case noLeader = "no_leader"
        /// Another client has already changed the data that the command replaces.
        case conflict
    }

    /// The reason, for programs.
    public let code: Code
    /// A message for people: the value found and the value expected.
    public let message: String

    /// A refusal with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

// ``RequestParser`` is the inverse: it reads an equal request from the topic and the payload. Tests check that they
// match.
extension Request {
    /// The topic that the command is sent to, such as `timer/lectern/command/start`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - recipient: the recipient of the command. Edits and forced lamp tests must be sent to one node.
    public func topic(prefix: String, for recipient: CommandRecipient) -> String {
        recipient.topic(prefix: prefix, verb: command.verb)
    }

    /// The payload: empty if there is neither an id nor an argument, otherwise a JSON object.
    ///
    /// Dates are written to the millisecond. Values out of range are also written; the node refuses them.
    public var payload: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let id { writer.member("id", id) }
            if let forwardedBy { writer.member("handed_by", forwardedBy) }
            var command = command
            // A writer never throws.
            try? command.arguments(&writer, id: id)
        }
        let isEmpty = writer.bytes.count == "{}".utf8.count
        return isEmpty && command.verb != .timers ? [] : writer.bytes
    }
}

/// Turns a command's topic and payload into a ``Request``.
package struct RequestParser {
    /// The verb as it was received, known or not. A refusal names it.
    package private(set) var verb: String?
    package private(set) var id: String?
    package private(set) var forwardedBy: String?

    package init() {}

    /// Parses a payload.
    ///
    /// - Parameters:
    ///   - verb: the topic's last level; nil if the payload's `command` names it.
    ///   - scope: whether the topic addresses one node or several.
    package mutating func request(
        verb name: String?, scope: Topics.Scope, payload: [UInt8]
    ) throws(Refusal) -> Request {
        verb = name
        // If the topic has no verb, the payload names it. The limit is then the largest of all verbs, since the verb is
        // not known yet.
        let largest = (name == nil ? .timers : name.flatMap(Verb.init) ?? .stop).largestPayload
        guard payload.count <= largest else { throw tooLarge(payload, largest) }

        var (text, object) = ("", PayloadFields?.none)
        switch try PayloadContent(payload) {
        case .text(let plain): text = plain
        case .object(var fields):
            try fields.field("id", &id, .plain, "")
            // Only nodes write this field, so a refusal does not list it as known.
            if fields.has("handed_by") == true { try fields.field("handed_by", &forwardedBy, .identifier, "") }
            var inner: String?
            try fields.field("command", &inner, .plain, "")
            if let name, let inner, name != inner {
                throw Refusal(
                    .invalidPayload, "field \"command\": found \(inner.quoted) on the topic for \(name.quoted)")
            }
            (verb, object) = (name ?? inner, fields)
        }
        let known = try knownVerb(verb)
        guard payload.count <= known.largestPayload else { throw tooLarge(payload, known.largestPayload) }
        guard scope == .node || known.mayBeBroadcast else {
            throw Refusal(.notAllowed, "\(known.rawValue) is for one node, not for several at once")
        }
        var command = known.rules.command()
        var fields = if let object { object } else { try known.fields(of: text) }
        try command.arguments(&fields, id: id)
        try fields.finish()
        guard scope == .node || command != .signal(.lampTest(force: true)) else {
            throw Refusal(.notAllowed, "a forced lamp_test is for one node, not for several at once")
        }
        return Request(id: id, forwardedBy: forwardedBy, command: command)
    }

    private func tooLarge(_ payload: [UInt8], _ largest: Int) -> Refusal {
        Refusal(.payloadTooLarge, "the payload is \(payload.count) bytes, but at most \(largest) are accepted")
    }

    private func knownVerb(_ name: String?) throws(Refusal) -> Verb {
        guard let name else {
            throw Refusal(.invalidPayload, "expected a JSON object with the field \"command\"")
        }
        guard let verb = Verb(rawValue: name) else {
            let names = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(.unknownCommand, "there is no command \(name.quoted); the commands are \(names)")
        }
        return verb
    }
}

/// A command's payload: plain text, or the fields of a JSON object.
package enum PayloadContent {
    /// The payload without surrounding white space.
    case text(String)
    case object(PayloadFields)

    package init(_ payload: [UInt8]) throws(Refusal) {
        // Most commands have an empty payload, so this case is handled first.
        if payload.isEmpty {
            self = .text("")
            return
        }
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw Refusal(.invalidPayload, "the payload is not valid UTF-8")
        }
        guard text.first(where: { !$0.isWhitespace }) == "{" else {
            let trimmed = Self.trimmed(text)
            guard !trimmed.utf8.contains(0) else {
                throw Refusal(.invalidPayload, "found a control character (U+0000), expected text without it")
            }
            self = .text(trimmed)
            return
        }
        let json: JSON
        do throws(JSON.ParseError) {
            json = try JSON(parsing: payload)
        } catch {
            throw Refusal(.invalidPayload, error.description)
        }
        guard case .object(let members) = json else { throw Refusal(.invalidPayload, "expected a JSON object") }
        self = .object(PayloadFields(members))
    }

    /// The string without surrounding white space.
    package static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension Verb {
    /// The meaning of plain text as the payload of a command.
    package enum PlainText: Sendable {
        /// The command has no argument: only an empty string is accepted, see ``isEmpty(_:)``.
        case nothing
        /// The string is the value of a field and may be empty.
        case optional(String)
        /// The string is the value of a required field. `needs` completes the refusal of an empty string.
        case required(String, needs: String? = nil)
        /// The command needs an object.
        case refused
    }

    /// Home Assistant, switches and buttons send these words as a mere trigger, so they count as empty.
    private static func isEmpty(_ text: String) -> Bool { text.isEmpty || ["PRESS", "ON", "true"].contains(text) }

    /// Returns the fields that plain text stands for.
    func fields(of text: String) throws(Refusal) -> PayloadFields {
        switch rules.plainText {
        case .nothing where Self.isEmpty(text), .optional where Self.isEmpty(text): return PayloadFields([])
        case .nothing where self == .lampTest, .refused:
            throw Refusal(.invalidPayload, "\(rawValue) needs a JSON object")
        case .nothing: throw Refusal(.invalidPayload, "\(rawValue) takes no argument; found \(text.quoted)")
        case .required(_, let needs?) where text.isEmpty:
            throw Refusal(.invalidPayload, "\(rawValue) needs \(needs)")
        case .optional(let key), .required(let key, _): return PayloadFields(plain: text, for: key)
        }
    }
}
