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

/// What the cookie of a session says, besides the code that proves that the server wrote it.
package struct SessionTicket: Hashable, Sendable {
    /// The name of the cookie.
    package static let cookie = "timer_web_session"
    /// How long a session lasts, in seconds: a day of meetings.
    package static let lifetime = 12 * 3600

    package let role: Role
    /// When the session is over, in seconds of Unix time.
    package let expires: Int
    /// The generation of the PINs with which somebody logged in.
    package let generation: Int
    /// A random number in hexadecimal digits.
    package let id: String

    package init(role: Role, expires: Int, generation: Int, id: String) {
        self.role = role
        self.expires = expires
        self.generation = generation
        self.id = id
    }

    /// The ticket as text: `remote.1790000000.1.9f86d081884c7d65`.
    package var text: String { "\(role.rawValue).\(expires).\(generation).\(id)" }

    /// A ticket from its text, whose code was checked before.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let role = Role(rawValue: String(parts[0])), let expires = Int(parts[1]),
            let generation = Int(parts[2]), !parts[3].isEmpty
        else { return nil }
        self.init(role: role, expires: expires, generation: generation, id: String(parts[3]))
    }
}

/// Whether somebody may send a command by the web.
package enum Permission: Hashable, Sendable {
    case allowed
    /// Another role may; this one at least.
    case needs(Role)
    /// Nobody may, and the web has no such command.
    case unknown

    /// Decides about a command with its fields.
    ///
    /// - Parameters:
    ///   - role: what somebody may do; nil where they have not shown who they are.
    ///   - fields: the payload's object.
    package static func of(_ verb: Verb, _ fields: JSON, for role: Role?) -> Permission {
        guard let least = least(for: verb, fields) else { return .unknown }
        return role.map { $0 >= least } ?? false ? .allowed : .needs(least)
    }

    /// The least role that may send a command; nil for nobody.
    private static func least(for verb: Verb, _ fields: JSON) -> Role? {
        let rules = verb.rules
        guard let other = rules.roleWithFields, other.names.contains(where: { says($0, in: fields) }) else {
            return rules.role
        }
        return other.role
    }

    /// Whether a field is there; one that is null or false counts as absent.
    private static func says(_ key: String, in fields: JSON) -> Bool { ![nil, .null, false].contains(fields[key]) }
}
