/// The rights of a user, over the web or with mosquitto's shipped access list. Each role includes the rights of all
/// roles before it.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// May only watch.
    case viewer
    /// May control the timer.
    case remote
    /// May also edit.
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
