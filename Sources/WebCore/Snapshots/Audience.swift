package import TimerProtocol

/// Who gets the same bytes: a role, and the nodes that somebody may see or has asked for.
package struct Audience: Hashable, Sendable {
    package var role: Role
    /// The nodes that exist for them; nil for all.
    package var nodes: Set<String>?
    /// The one node that they have asked for; nil for all.
    package var node: String?

    package init(role: Role, nodes: Set<String>? = nil, node: String? = nil) {
        self.role = role
        self.nodes = nodes
        self.node = node
    }

    /// Somebody who has asked for one node, or for all.
    package init(_ identity: Identity, node: String? = nil) {
        self.init(role: identity.role, nodes: identity.nodes, node: node)
    }

    /// Whether they are told of a node.
    package func hears(of id: String) -> Bool {
        (node.map { $0 == id } ?? true) && (nodes?.contains(id) ?? true)
    }
}
