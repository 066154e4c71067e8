package import TimerProtocol

/// The identity of the client that sends a request, as far as the server knows it.
package struct Identity: Hashable, Sendable {
    /// How the client has proved its identity.
    package enum Proof: String, CaseIterable, Hashable, Sendable {
        /// Not at all: viewing is open.
        case none
        /// With a session cookie.
        case session
        /// With a token.
        case token
        /// To a proxy that this server relies on.
        case proxy
    }

    /// What an identity is based on, and what must stay valid for access to continue.
    package enum Grant: Hashable, Sendable {
        case session(SessionTicket)
        /// The tokens with these hashes, all of which must stay valid: a browser may have opened several displays.
        case tokens(hashes: Set<String>)
        /// The word of a proxy that authenticates its users.
        case proxy
    }

    /// The role, which decides what the client may do.
    package var role: Role
    /// The ids of the nodes that the client may see and control; nil for all.
    package var nodes: Set<String>?
    /// What the identity is based on; nil if the client has not proved it.
    package var grant: Grant?

    /// How the client has proved its identity.
    package var proof: Proof {
        switch grant {
        case nil: .none
        case .session: .session
        case .tokens: .token
        case .proxy: .proxy
        }
    }

    package init(role: Role, nodes: Set<String>? = nil, grant: Grant? = nil) {
        self.role = role
        self.nodes = nodes
        self.grant = grant
    }

    /// Whether the client may see a node.
    package func sees(_ node: String) -> Bool { nodes?.contains(node) ?? true }

    /// The key to which rate limits apply, different for each session and each token; nil if only the network is known,
    /// as behind a proxy.
    package var limitName: String? {
        switch grant {
        case .session(let ticket): "session \(ticket.id)"
        case .tokens(let hashes): "tokens \(hashes.sorted().joined(separator: " "))"
        case .proxy, nil: nil
        }
    }

    /// The same identity, restricted to the allowed nodes; unchanged if `allowed` is nil.
    package func limited(to allowed: Set<String>?) -> Identity {
        guard let allowed else { return self }
        var identity = self
        identity.nodes = nodes?.intersection(allowed) ?? allowed
        return identity
    }
}

/// The content of a session cookie, without the signature that proves that the server wrote it.
package struct SessionTicket: Hashable, Sendable {
    /// The name of the cookie.
    package static let cookie = "timer_web_session"
    /// How long a session lasts, in seconds: enough for a day of meetings.
    package static let lifetime = 12 * 3600

    package let role: Role
    /// When the session expires, in seconds of Unix time.
    package let expires: Int
    /// The generation of the PINs that were used to log in.
    package let generation: Int
    /// A random number in hexadecimal digits.
    package let id: String

    package init(role: Role, expires: Int, generation: Int, id: String) {
        self.role = role
        self.expires = expires
        self.generation = generation
        self.id = id
    }

    /// The ticket as a string: `remote.1790000000.1.9f86d081884c7d65`.
    package var text: String { "\(role.rawValue).\(expires).\(generation).\(id)" }

    /// Parses a ticket, whose signature must already have been verified.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let role = Role(rawValue: String(parts[0])), let expires = Int(parts[1]),
            let generation = Int(parts[2]), !parts[3].isEmpty
        else { return nil }
        self.init(role: role, expires: expires, generation: generation, id: String(parts[3]))
    }
}

/// Whether a client may send a command over the web.
package enum Permission: Hashable, Sendable {
    case allowed
    /// A higher role is needed, at least this one.
    case needs(Role)
    /// No client may send it: this command is not available over the web.
    case unknown

    /// Decides whether a client may send a command with these fields.
    ///
    /// - Parameters:
    ///   - role: the client's role; nil if it has not proved who it is.
    ///   - fields: the object in the payload.
    package static func of(_ verb: Verb, _ fields: JSON, for role: Role?) -> Permission {
        guard let least = least(for: verb, fields) else { return .unknown }
        return role.map { $0 >= least } ?? false ? .allowed : .needs(least)
    }

    /// The lowest role that may send a command; nil if no role may.
    private static func least(for verb: Verb, _ fields: JSON) -> Role? {
        let rules = verb.rules
        guard let other = rules.roleWithFields, other.names.contains(where: { says($0, in: fields) }) else {
            return rules.role
        }
        return other.role
    }

    /// Whether a field is set; null and false count as absent.
    private static func says(_ key: String, in fields: JSON) -> Bool { ![nil, .null, false].contains(fields[key]) }
}
