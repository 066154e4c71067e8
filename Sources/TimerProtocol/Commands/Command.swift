package import FoundationEssentials

/// A command with its arguments, checked as far as that is possible without knowing the timers.
///
/// Whoever executes one switches over all cases, so that the compiler names each place that a new verb concerns.
package enum Command: Hashable, Sendable {
    case player(PlayerCommand)
    case signal(SignalCommand)
    case model(ModelCommand)
    /// Publishes mode, state, timers and health again.
    case state
}

/// What moves the timer.
package enum PlayerCommand: Hashable, Sendable {
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
    /// The seconds that were left, or will be, at a date.
    case sync(seconds: Int, at: Date)

    /// The times and the name of a run that is not saved, in seconds.
    package struct OneRun: Hashable, Sendable {
        package var duration: Int
        package var warning = 0
        package var final = 0
        package var name: String?
    }
}

/// What concerns lamps and buzzer alone.
package enum SignalCommand: Hashable, Sendable {
    /// Mutes until the next transition.
    case silence
    /// Sounds a pattern once, by default `beep`.
    case beep(pattern: String?)
    /// Switches each output on by itself, one after another; `force` allows it while the timer runs.
    case lampTest(force: Bool)
    /// Blinks the lamps, so that somebody finds the node.
    case identify
}

/// What edits the timers.
package enum ModelCommand: Hashable, Sendable {
    /// Changes the timer of the selector, or the selected one.
    case edit(selector: String?, Edit)
    /// Replaces the whole model; see ``ModelPayload``.
    case timers(JSON)

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

/// A command as it was received: its verb and the id come back in the response.
package struct Request: Hashable, Sendable {
    package let id: String?
    package let command: Command

    package init(id: String?, command: Command) {
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
        case .start, .resume, .toggle, .rewind, .fastForward, .next, .previous, .select, .set, .add, .sync, .beep,
            .lampTest, .identify, .state, .edit, .timers:
            false
        }
    }

    /// The largest payload in bytes.
    package var largestPayload: Int { self == .timers ? 64 * 1024 : 4 * 1024 }

    /// Whether it may be sent to several nodes at once; what edits a node's timers may not.
    package var mayBeBroadcast: Bool {
        switch self {
        case .edit, .timers: false
        case .start, .pause, .resume, .stop, .end, .toggle, .rewind, .fastForward, .next, .previous, .select, .set,
            .add,
            .sync, .silence, .beep, .lampTest, .identify, .state:
            true
        }
    }
}

// Verbs and commands stand for each other: each switch names all of them.
extension Command {
    /// The verb that asks for it.
    package var verb: Verb {
        switch self {
        case .player(let command): command.verb
        case .signal(.silence): .silence
        case .signal(.beep): .beep
        case .signal(.lampTest): .lampTest
        case .signal(.identify): .identify
        case .model(.edit): .edit
        case .model(.timers): .timers
        case .state: .state
        }
    }
}

extension PlayerCommand {
    fileprivate var verb: Verb {
        switch self {
        case .start, .startOnce: .start
        case .pause: .pause
        case .resume: .resume
        case .stop: .stop
        case .end: .end
        case .toggle: .toggle
        case .rewind: .rewind
        case .fastForward: .fastForward
        case .next: .next
        case .previous: .previous
        case .select: .select
        case .set: .set
        case .add: .add
        case .sync: .sync
        }
    }
}
