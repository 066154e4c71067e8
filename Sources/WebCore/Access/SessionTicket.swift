/// What the cookie of a session says, besides the code that proves that the server wrote it.
package struct SessionTicket: Hashable, Sendable {
    /// How long a session lasts, in seconds: a day of meetings.
    package static let lifetime = 12 * 3600

    package let role: WebRole
    /// When the session is over, in seconds of Unix time.
    package let expires: Int
    /// The generation of the PINs with which somebody logged in.
    package let generation: Int
    /// A random number in hexadecimal digits.
    package let id: String

    package init(role: WebRole, expires: Int, generation: Int, id: String) {
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
        guard parts.count == 4, let role = WebRole(rawValue: String(parts[0])), let expires = Int(parts[1]),
            let generation = Int(parts[2]), !parts[3].isEmpty
        else { return nil }
        self.init(role: role, expires: expires, generation: generation, id: String(parts[3]))
    }
}

/// A text with the code that proves who wrote it: `TEXT~CODE`.
package enum Sealed {
    /// Puts the code behind a text.
    ///
    /// - Parameter code: makes the code of a text, in characters that a cookie may have.
    package static func seal(_ text: String, by code: (String) -> String) -> String { "\(text)~\(code(text))" }

    /// The text; nil where the code is another one.
    ///
    /// - Parameter equals: compares in a time that does not depend on the texts.
    package static func open(
        _ sealed: some StringProtocol, by code: (String) -> String, equals: (String, String) -> Bool
    ) -> String? {
        let parts = sealed.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, sealed.utf8.count <= 512 else { return nil }
        let text = String(parts[0])
        return equals(String(parts[1]), code(text)) ? text : nil
    }
}
