/// Whom a command is sent to.
public enum CommandRecipient: Hashable, Sendable {
    /// One node, by its id.
    case node(String)
    /// Every node.
    case all
    /// Every node that is configured into a group.
    case group(String)

    /// The topic of a command, such as `timer/lectern/command/start`.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - verb: what the command asks for; nil where the payload names it.
    public func topic(prefix: String, verb: Verb? = nil) -> String {
        let name =
            switch self {
            case .node(let id): id
            case .all: "all"
            case .group(let name): "@\(name)"
            }
        let topic = "\(prefix)/\(name)/command"
        return verb.map { "\(topic)/\($0.rawValue)" } ?? topic
    }

    /// Whether the command is for one node or for several.
    package var scope: Topics.Scope {
        switch self {
        case .node: .node
        case .all, .group: .several
        }
    }
}
