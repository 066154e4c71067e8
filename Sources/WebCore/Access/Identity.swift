package import TimerProtocol

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

    /// What a proof rests on, and what has to hold for it to go on.
    package enum Grant: Hashable, Sendable {
        case session(SessionTicket)
        /// The tokens with these hashes, all of them: a browser may have opened several displays.
        case tokens(hashes: Set<String>)
    }

    /// What they may do.
    package var role: Role
    package var proof: Proof
    /// The ids of the nodes that they may see and control; nil for all.
    package var nodes: Set<String>?
    /// Nil where nothing was proved.
    package var grant: Grant?

    package init(role: Role, proof: Proof, nodes: Set<String>? = nil, grant: Grant? = nil) {
        self.role = role
        self.proof = proof
        self.nodes = nodes
        self.grant = grant
    }

    /// Whether a node exists for them.
    package func sees(_ node: String) -> Bool { nodes?.contains(node) ?? true }

    /// A name for limits: each session and each token has its own; nil where the network has to do.
    package var limitName: String? {
        switch grant {
        case .session(let ticket): "session \(ticket.id)"
        case .tokens(let hashes): "tokens \(hashes.sorted().joined(separator: " "))"
        case nil: nil
        }
    }

    /// The same somebody, limited to some nodes; nil for all.
    package func limited(to allowed: Set<String>?) -> Identity {
        guard let allowed else { return self }
        var identity = self
        identity.nodes = nodes?.intersection(allowed) ?? allowed
        return identity
    }
}
