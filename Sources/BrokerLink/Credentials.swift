/// A user name with its password. The password never shows in a description.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package enum Password: Hashable, Sendable {
        /// The password itself.
        case text(String)
        /// The path of a file with the password. Each attempt to connect reads it anew, so a password that is corrected
        /// there needs no restart.
        case file(String)
    }

    package let username: String
    package let password: Password?

    package init(username: String, password: Password?) {
        self.username = username
        self.password = password
    }

    package init(username: String, password: String? = nil) {
        self.init(username: username, password: password.map(Password.text))
    }

    /// The user name alone.
    package var description: String { username }
    /// The user name alone.
    package var debugDescription: String { username }
}

extension Credentials.Password: CustomStringConvertible, CustomDebugStringConvertible {
    /// Where the password is, not what it is.
    package var description: String {
        switch self {
        case .text: "a password"
        case .file(let path): "the password in \(path)"
        }
    }

    /// Where the password is, not what it is.
    package var debugDescription: String { description }
}

/// A file with a password in it, and nothing else.
package enum PasswordFile {
    /// The longest password in bytes.
    package static let maximumLength = 4096
    /// What is expected in the file, in words.
    package static let expected = "a password of 1 to \(maximumLength) bytes of UTF-8"

    /// Reads the password: all of the file, without one line end after it.
    package static func read(_ path: String, by readFile: FileReader) throws(PasswordError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            // A line end has two bytes at most. One byte more shows that the password is too long.
            bytes = try readFile(path, maximumLength + 3)
        } catch {
            throw .unreadable(error)
        }
        guard let password = password(in: bytes) else { throw .unfit(path) }
        return password
    }

    /// The password in the bytes of a file; nil where they are no password.
    package static func password(in bytes: [UInt8]) -> String? {
        guard var text = String(validating: bytes, as: UTF8.self) else { return nil }
        if let last = text.last, last == "\n" || last == "\r\n" { text.removeLast() }
        return (1...maximumLength).contains(text.utf8.count) && !text.contains("\0") ? text : nil
    }
}

/// Why there is no password. It never shows what was found.
package enum PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    /// The file at this path has something else in it.
    case unfit(String)

    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .unfit(let path): "found another content in \(path), expected \(PasswordFile.expected)"
        }
    }
}

/// The files of TLS, all as PEM. Each attempt to connect reads them anew.
package struct TLSFiles: Hashable, Sendable {
    package var ca: String?
    package var certificate: String?
    package var key: String?

    /// Names the files; a certificate and its key go together.
    package init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
        (self.ca, self.certificate, self.key) = (ca, certificate, key)
    }
}

/// Reads a file: its path, and how many bytes at most.
package typealias FileReader = (String, Int) throws(FileError) -> [UInt8]

/// Why a file could not be read.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the person who named the file can do about it.
    package enum Kind: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// No file can have this name.
        case invalidName
        /// Another user may be able to read it.
        case notPermitted
        case other
    }

    package let path: String
    package let kind: Kind
    /// The system's words.
    package let reason: String

    package init(path: String, kind: Kind, reason: String) {
        self.path = path
        self.kind = kind
        self.reason = reason
    }

    /// The path and the system's reason.
    package var description: String { "cannot read \(path): \(reason)" }
}
