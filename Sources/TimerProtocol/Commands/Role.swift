/// What somebody may do, by the web or as a user of the shipped access list of mosquitto; each role may do what those before
/// it may.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Looks.
    case viewer
    /// Runs the clock.
    case remote
    /// Edits, too.
    case `operator`
}

extension Role {
    package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .remote: 1
        case .operator: 2
        }
    }
}
