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

/// A file with a password in it, and nothing else.
package enum PasswordFile {
    /// The longest password in bytes.
    package static let maximumLength = 4096
    /// What is expected in the file, in words.
    package static let expected = "a password of 1 to \(maximumLength) bytes of UTF-8"

    /// The password: all of the file but one line end.
    package static func read(_ path: String, by readFile: FileReader) throws(PasswordError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            // One more than fits, and a line end of two.
            bytes = try readFile(path, maximumLength + 3)
        } catch {
            throw .unreadable(error)
        }
        guard let password = password(in: bytes) else { throw .unfit(path) }
        return password
    }

    /// The password that the bytes of a file are; nil where they are none.
    package static func password(in bytes: [UInt8]) -> String? {
        guard var text = String(validating: bytes, as: UTF8.self) else { return nil }
        if let last = text.last, last == "\n" || last == "\r\n" { text.removeLast() }
        return (1...maximumLength).contains(text.utf8.count) && !text.contains("\0") ? text : nil
    }
}

/// Why there is no password; nothing here shows what was found.
package enum PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(FileError)
    /// What is in the file of this path is no password.
    case unfit(String)

    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .unfit(let path): "found another content in \(path), expected \(PasswordFile.expected)"
        }
    }
}
