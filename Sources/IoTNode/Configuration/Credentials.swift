/// A user name with its password; the password never shows in a description.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Where a password is.
    package enum Password: Hashable, Sendable {
        /// The password itself.
        case text(String)
        /// In a file, which each attempt to connect reads anew: a password that is put right there needs no restart.
        case file(String)
    }

    /// The user name.
    package let username: String
    /// The password, where there is one.
    package let password: Password?

    /// A user name, with a password where there is one.
    package init(username: String, password: Password?) {
        self.username = username
        self.password = password
    }

    /// A user name, with a known password where there is one.
    package init(username: String, password: String? = nil) {
        self.init(username: username, password: password.map(Password.text))
    }

    /// The user name alone.
    package var description: String { username }
    /// The user name alone.
    package var debugDescription: String { username }
}

extension Credentials.Password: CustomStringConvertible, CustomDebugStringConvertible {
    /// Where it is, not what it is.
    package var description: String {
        switch self {
        case .text: "a password"
        case .file(let path): "the password in \(path)"
        }
    }

    /// Where it is, not what it is.
    package var debugDescription: String { description }
}
