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

extension Schema where Value == Credentials.Password {
    /// The path of a file. We check now that it holds a password. Each attempt to connect reads which one it is.
    static var passwordFile: Schema {
        Schema(expected: YAMLNode.expectedFile, shape: .scalar) { $0.passwordFile }
    }

    /// A password in an environment variable. In the file it is a fault.
    static func environmentPassword(_ variable: String) -> Schema {
        let expected = "password_file, or \(variable) in the environment"
        return Schema(expected: expected, shape: .scalar) { node in
            // The fault does not show what was found, because it may be a password.
            guard case .variable = node.tree.origin else {
                node.report(.unexpected(found: "a password in the file", expected: expected))
                return nil
            }
            if let password = node.tree.text, !password.isEmpty { return .text(password) }
            node.report(.unexpected(found: "nothing", expected: "a password"))
            return nil
        }
    }
}

extension YAMLNode {
    /// The password in the file that is named here; nil after a fault.
    fileprivate var passwordFile: Credentials.Password? {
        file(isSecret: true, upTo: PasswordFile.maximumLength + 3) { path, content in
            PasswordFile.password(in: content) == nil
                ? .unexpected(found: "another content in \(path)", expected: PasswordFile.expected) : nil
        }.map(Credentials.Password.file)
    }
}

extension DecodingContext {
    /// The password that systemd hands over as the credential `mqtt-password`, where it does.
    func systemdPassword() -> Credentials.Password? {
        credential("mqtt-password").flatMap(\.passwordFile)
    }

    /// A file that systemd hands over; nil where it does not. Other credentials may be there without this one.
    func credential(_ name: String) -> YAMLNode? {
        guard let folder = credentialsFolder else { return nil }
        let path = "\(folder)/\(name)"
        do throws(FileError) {
            _ = try readFile(path, 1)
        } catch {
            // Any other error is reported when the file is read.
            if error.kind == .missing { return nil }
        }
        let origin = ConfigurationFault.Origin.variable("CREDENTIALS_DIRECTORY")
        let tree = YAMLTree(content: .scalar(path, plain: false), origin: origin)
        return YAMLNode(path: name, tree: tree, context: self)
    }
}
