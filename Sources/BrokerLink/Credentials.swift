/// A user name with its password. Descriptions never show the password.
package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package enum Password: Hashable, Sendable {
        /// A password in plain text.
        case text(String)
        /// The path of a file that contains the password. Each attempt to connect reads it again, so correcting the
        /// password in the file needs no restart.
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

    /// Only the user name.
    package var description: String { username }
    /// Only the user name.
    package var debugDescription: String { username }
}

extension Credentials.Password: CustomStringConvertible, CustomDebugStringConvertible {
    /// The source of the password, without the password.
    package var description: String {
        switch self {
        case .text: "a password"
        case .file(let path): "the password in \(path)"
        }
    }

    /// The source of the password, without the password.
    package var debugDescription: String { description }
}

/// A file that contains a password and nothing else.
package enum PasswordFile {
    /// The maximum length of a password in bytes.
    package static let maximumLength = 4096
    /// What is expected in the file, in words.
    package static let expected = "a password of 1 to \(maximumLength) bytes of UTF-8"

    /// Reads the password: the whole file, without one final line end.
    package static func read(_ path: String, by readFile: FileReader) throws(PasswordError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            // A line end has at most two bytes. One more byte shows that the password is too long.
            bytes = try readFile(path, maximumLength + 3)
        } catch {
            throw .unreadable(error)
        }
        guard let password = password(in: bytes) else { throw .unfit(path) }
        return password
    }

    /// Returns the password in the bytes of a file; nil if they are not a password.
    package static func password(in bytes: [UInt8]) -> String? {
        guard var text = String(validating: bytes, as: UTF8.self) else { return nil }
        if let last = text.last, last == "\n" || last == "\r\n" { text.removeLast() }
        return (1...maximumLength).contains(text.utf8.count) && !text.contains("\0") ? text : nil
    }
}

/// Why a password could not be read. It never shows the content of the file.
package enum PasswordError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(FileError)
    /// The file at this path does not contain a password.
    case unfit(String)

    package var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .unfit(let path): "found no password in \(path), expected \(PasswordFile.expected)"
        }
    }
}

/// The TLS files, all in PEM format. Each attempt to connect reads them again.
package struct TLSFiles: Hashable, Sendable {
    package var ca: String?
    package var certificate: String?
    package var key: String?

    /// Creates a value from the paths; a certificate needs its key, and a key its certificate.
    package init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
        (self.ca, self.certificate, self.key) = (ca, certificate, key)
    }
}

/// Reads a file, given its path and the maximum number of bytes.
package typealias FileReader = (String, Int) throws(FileError) -> [UInt8]

/// Why a file could not be read.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, which determines what the user can do about it.
    package enum Kind: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// The name is not valid for any file.
        case invalidName
        /// This user may not read the file, but another user may be able to.
        case notPermitted
        case other
    }

    package let path: String
    package let kind: Kind
    /// The system's error text.
    package let reason: String

    package init(path: String, kind: Kind, reason: String) {
        self.path = path
        self.kind = kind
        self.reason = reason
    }

    /// The path and the system's reason.
    package var description: String { "cannot read \(path): \(reason)" }
}
