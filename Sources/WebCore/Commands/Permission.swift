package import TimerProtocol

/// Whether somebody may send a command by the web.
package enum Permission: Hashable, Sendable {
    case allowed
    /// Another role may; this one at least.
    case needs(WebRole)
    /// Nobody may, and the web has no such command.
    case unknown

    /// Decides about a command with its fields.
    ///
    /// - Parameters:
    ///   - role: what somebody may do; nil where they have not shown who they are.
    ///   - fields: the payload's object.
    package static func of(_ verb: Verb, _ fields: JSON, for role: WebRole?) -> Permission {
        guard let least = least(for: verb, fields) else { return .unknown }
        return role.map { $0 >= least } ?? false ? .allowed : .needs(least)
    }

    /// The least role that may send a command; nil for nobody.
    private static func least(for verb: Verb, _ fields: JSON) -> WebRole? {
        switch verb {
        case .pause, .resume, .toggle, .stop, .end, .rewind, .fastForward, .next, .previous, .select, .set, .add,
            .silence, .speaker, .message, .identify, .state:
            .remote
        // A run with times of its own is nobody's timer.
        case .start: says("duration", in: fields) ? .operator : .remote
        // Reading the report is one thing, changing it is another.
        case .runs: says("run", in: fields) || says("speaker", in: fields) ? .operator : .remote
        case .edit, .timers, .resetTimers, .agenda, .begin, .lock, .unlock, .beep, .sync: .operator
        case .lampTest: fields["force"] == true ? nil : .operator
        case .clearRuns, .time: nil
        }
    }

    /// Whether a field is there; one that is null counts as absent.
    private static func says(_ key: String, in fields: JSON) -> Bool { fields[key].map { $0 != .null } ?? false }
}
