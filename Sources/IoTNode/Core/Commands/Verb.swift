/// What a command asks for, by the name it has in topics and payloads.
enum Verb: String, CaseIterable, Hashable, Sendable {
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
    var alwaysGetsThrough: Bool {
        switch self {
        case .stop, .pause, .end, .silence: true
        default: false
        }
    }

    /// The largest payload in bytes.
    var largestPayload: Int { self == .timers ? 64 * 1024 : 4 * 1024 }

    /// Whether it may be sent to several nodes at once; what edits a node's timers may not.
    var mayBeBroadcast: Bool {
        switch self {
        case .edit, .timers: false
        default: true
        }
    }
}
