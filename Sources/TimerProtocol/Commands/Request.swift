/// A command with its id: what a client sends, and what a node has received.
public struct Request: Hashable, Sendable {
    /// Comes back in the response: any text of at most 128 bytes, best a UUID; nil for none.
    ///
    /// A node carries out a command with the same id, on the same topic and with the same payload, once in 10 s.
    public let id: String?
    /// The node that follows the recipient and hands the command on; nil for a command of anybody else.
    public let forwardedBy: String?
    /// The command.
    public let command: Command

    /// A command with an id or without one.
    public init(id: String? = nil, forwardedBy: String? = nil, command: Command) {
        self.id = id
        self.forwardedBy = forwardedBy
        self.command = command
    }
}

/// Why a command is refused.
public struct Refusal: Error, Hashable, Sendable {
    /// The codes of the response topic; a contract.
    public enum Code: String, Sendable, CaseIterable {
        /// There is no such verb.
        case unknownCommand = "unknown_command"
        /// The payload is not UTF-8 or not JSON, or a field is unknown, missing, twice there or out of range.
        case invalidPayload = "invalid_payload"
        /// The selector means no timer, or several; or there is no pattern of that name.
        case notFound = "not_found"
        /// The mode does not allow the command, or it is not for several nodes.
        case notAllowed = "not_allowed"
        /// The configuration does not allow edits.
        case readOnly = "read_only"
        /// The payload is longer than ``Verb/largestPayload``.
        case payloadTooLarge = "payload_too_large"
        /// The message has the retain flag: it would be carried out at each connection.
        case retained
        /// There were too many commands in a second.
        case rateLimited = "rate_limited"
        /// The node is locked, commands included.
        case locked
        /// The node follows another one, which does not answer.
        case noLeader = "no_leader"
        /// Somebody else has changed what the command replaces.
        case conflict
    }

    /// Why, for programs.
    public let code: Code
    /// For people: what was found and what was expected.
    public let message: String

    /// A refusal with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

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
            if let forwardedBy { writer.member("handed_by", forwardedBy) }
            var command = command
            // A writer refuses nothing.
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
    ///   - verb: the topic's last level; nil where the payload's `command` names it.
    ///   - scope: whom the topic addresses.
    package mutating func request(
        verb name: String?, scope: Topics.Scope, payload: [UInt8]
    ) throws(Refusal) -> Request {
        verb = name
        // Where the topic has no verb, the payload names it, and it may be the one with the largest payload.
        let largest = (name == nil ? .timers : name.flatMap(Verb.init) ?? .stop).largestPayload
        guard payload.count <= largest else { throw tooLarge(payload, largest) }

        var (text, object) = ("", PayloadFields?.none)
        switch try PayloadContent(payload) {
        case .text(let plain): text = plain
        case .object(var fields):
            try fields.field("id", &id, .plain, "")
            // Only nodes write it, so a refusal does not name it as known.
            if fields.has("handed_by") == true { try fields.field("handed_by", &forwardedBy, .identifier, "") }
            var inner: String?
            try fields.field("command", &inner, .plain, "")
            if let name, let inner, name != inner {
                throw Refusal(
                    .invalidPayload, "field \"command\": found \(inner.quoted) on the topic of \(name.quoted)")
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
}

/// A command's payload: plain text, or the fields of a JSON object.
package enum PayloadContent {
    /// Without the white space around it.
    case text(String)
    case object(PayloadFields)

    package init(_ payload: [UInt8]) throws(Refusal) {
        // Most commands have an empty payload, which needs no further work.
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
                throw Refusal(.invalidPayload, "found a control character (U+0000), expected a text without it")
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

    /// The text without the white space around it.
    package static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension Verb {
    /// What a plain text means to a command.
    package enum PlainText: Sendable {
        /// Nothing but ``isEmpty(_:)`` is taken.
        case nothing
        /// It stands for a field, and may be empty.
        case optional(String)
        /// It stands for a field that is required. `needs` completes the refusal of an empty text.
        case required(String, needs: String? = nil)
        /// The command needs an object.
        case refused
    }

    /// Home Assistant, switches and buttons send these words when they mean "now": they count as empty.
    private static func isEmpty(_ text: String) -> Bool { text.isEmpty || ["PRESS", "ON", "true"].contains(text) }

    /// The fields that a plain text stands for.
    func fields(of text: String) throws(Refusal) -> PayloadFields {
        switch rules.plainText {
        case .nothing where Self.isEmpty(text), .optional where Self.isEmpty(text): return PayloadFields([])
        case .nothing where self == .lampTest, .refused:
            throw Refusal(.invalidPayload, "\(rawValue) needs a JSON object")
        case .nothing: throw Refusal(.invalidPayload, "\(rawValue) takes nothing; found \(text.quoted)")
        case .required(_, let needs?) where text.isEmpty:
            throw Refusal(.invalidPayload, "\(rawValue) needs \(needs)")
        case .optional(let key), .required(let key, _): return PayloadFields(plain: text, for: key)
        }
    }
}
