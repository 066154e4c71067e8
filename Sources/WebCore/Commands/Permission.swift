package import TimerProtocol

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
