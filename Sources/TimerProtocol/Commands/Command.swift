package import FoundationEssentials

/// A command with its arguments, checked as far as that is possible without knowing the timers.
package enum Command: Hashable, Sendable {
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
    package struct OneRun: Hashable, Sendable {
        package var duration: Int
        package var warning = 0
        package var final = 0
        package var name: String?
    }

    /// What to change of a timer; nil leaves it.
    package struct Edit: Hashable, Sendable {
        package var start: Int?
        package var warning: Int?
        package var final: Int?
        package var name: String?
        package var event: String?
        package var location: String?
    }
}

/// A command as it was received: the verb and the id come back in the response.
package struct Request: Hashable, Sendable {
    package let verb: Verb
    package let id: String?
    package let command: Command

    package init(verb: Verb, id: String?, command: Command) {
        self.verb = verb
        self.id = id
        self.command = command
    }
}

/// Why a command is refused.
package struct Refusal: Error, Hashable, Sendable {
    /// The codes of the response topic; a contract.
    package enum Code: String, Sendable, CaseIterable {
        case unknownCommand = "unknown_command"
        case invalidPayload = "invalid_payload"
        case notFound = "not_found"
        case notAllowed = "not_allowed"
        case readOnly = "read_only"
        case payloadTooLarge = "payload_too_large"
        case retained
        case rateLimited = "rate_limited"
    }

    package let code: Code
    /// For people: what was found and what was expected.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What a command asks for, by the name it has in topics and payloads.
package enum Verb: String, CaseIterable, Hashable, Sendable {
    case start, pause, resume, stop, end, toggle
    case rewind
    case fastForward = "fast_forward"
    case next, previous, select
    case set, add, sync
    case silence, beep
    case lampTest = "lamp_test"
    case identify
    case state, edit, timers

    /// Stopping has an allowance of its own in the rate limit, so that nobody can crowd it out.
    package var alwaysGetsThrough: Bool {
        switch self {
        case .stop, .pause, .end, .silence: true
        default: false
        }
    }

    /// The largest payload in bytes.
    package var largestPayload: Int { self == .timers ? 64 * 1024 : 4 * 1024 }

    /// Whether it may be sent to several nodes at once; what edits a node's timers may not.
    package var mayBeBroadcast: Bool {
        switch self {
        case .edit, .timers: false
        default: true
        }
    }
}
