/// A command with its id: what a client sends, and what a node has received.
public struct Request: Hashable, Sendable {
    /// Comes back in the response: any text of at most 128 bytes, best a UUID; nil for none.
    ///
    /// A node carries out a command with the same id, on the same topic and with the same payload, once in 10 s.
    public let id: String?
    /// The node that follows the recipient and hands the command on; nil for a command of anybody else.
    public let handedBy: String?
    /// The command.
    public let command: Command

    /// A command with an id or without one.
    public init(id: String? = nil, handedBy: String? = nil, command: Command) {
        self.id = id
        self.handedBy = handedBy
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
