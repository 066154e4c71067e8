/// What somebody may do by the web; each role may do what those before it may.
package enum WebRole: String, CaseIterable, Comparable, Sendable {
    case viewer
    case remote
    case `operator`
}

extension WebRole {
    package static func < (one: WebRole, other: WebRole) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .remote: 1
        case .operator: 2
        }
    }
}
