/// Who sends a request, as far as the server knows.
package struct Identity: Hashable, Sendable {
    /// How somebody has shown who they are.
    package enum Proof: Hashable, Sendable {
        /// Not at all: viewing is open.
        case none
        /// By a session's cookie.
        case session
        /// By a token with this name.
        case token(String)
    }

    /// What they may do.
    package var role: WebRole
    package var proof: Proof
    /// The ids of the nodes that they may see and control; nil for all.
    package var nodes: Set<String>?

    package init(role: WebRole, proof: Proof, nodes: Set<String>? = nil) {
        self.role = role
        self.proof = proof
        self.nodes = nodes
    }

    /// Whether a node exists for them.
    package func sees(_ node: String) -> Bool { nodes?.contains(node) ?? true }
}
