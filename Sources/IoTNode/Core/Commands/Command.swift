internal import FoundationEssentials

/// A command with its arguments, checked as far as that is possible without knowing the timers.
enum Command: Hashable, Sendable {
    /// From the start, after selecting where a selector is given.
    case start(selector: String?)
    /// One run that is not saved.
    case startOnce(OneRun)
    case pause, resume, stop, end, toggle
    case rewind, fastForward, next, previous
    case select(selector: String)
    /// What is left, in seconds.
    case set(seconds: Int)
    /// The seconds to give, or to take where negative.
    case add(seconds: Int)
    case sync(seconds: Int, at: Date)
    /// Mutes until the next transition.
    case silence
    /// Sounds a pattern once, by default `beep`.
    case beep(pattern: String?)
    /// Each output in turn; `force` while running too.
    case lampTest(force: Bool)
    case identify
    case state
    case edit(selector: String?, Edit)
    /// The whole model.
    case timers(JSON)

    /// The times and the name of a run that is not saved, in seconds.
    struct OneRun: Hashable, Sendable {
        var duration: Int
        var warning = 0
        var final = 0
        var name: String?
    }

    /// What to change of a timer; nil leaves it.
    struct Edit: Hashable, Sendable {
        var start: Int?
        var warning: Int?
        var final: Int?
        var name: String?
        var event: String?
        var location: String?
    }
}

/// A command as it was received: the verb and the id come back in the response.
struct Request: Hashable, Sendable {
    let verb: Verb
    let id: String?
    let command: Command
}

/// Why a command is refused.
struct Refusal: Error, Hashable, Sendable {
    /// The codes of the response topic; a contract.
    enum Code: String, Sendable, CaseIterable {
        case unknownCommand = "unknown_command"
        case invalidPayload = "invalid_payload"
        case notFound = "not_found"
        case notAllowed = "not_allowed"
        case readOnly = "read_only"
        case payloadTooLarge = "payload_too_large"
        case retained
        case rateLimited = "rate_limited"
    }

    let code: Code
    /// For people: what was found and what was expected.
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
