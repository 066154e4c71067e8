package import TimerProtocol

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
