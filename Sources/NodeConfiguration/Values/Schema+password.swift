internal import IoTNode

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
