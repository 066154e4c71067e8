internal import BrokerLink

extension TLSFiles {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "ca", \.ca, .certificateFile, absent: "the system's certificates",
            "The certificates that are trusted to sign the broker's, as PEM, from the folder of this file."),
        .optional(
            "certificate", \.certificate, .certificateFile, absent: "none",
            "The certificate to show a broker that asks for one, as PEM."),
        .optional(
            "key", \.key, .keyFile, absent: "none",
            "The key of `certificate`, as PEM without a passphrase. Systemd's credential `mqtt-key` goes before it."
        )
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let hasCertificate = section.has(\.certificate)
        if let handedOver = hasCertificate ? section.context.credential("mqtt-key") : nil {
            // Perhaps only root can read the key's file, so we do not read it.
            section.readAll(except: \.key)
            section.draft.key = Schema.keyFile.read(handedOver)
        } else {
            section.readAll()
            if hasCertificate, !section.has(\.key) {
                section.report(.unexpected(found: "nothing", expected: "the key of the certificate"), at: \.key)
            }
        }
        if section.has(\.key), !hasCertificate {
            section.report(
                .unexpected(found: "nothing", expected: "the certificate that the key is for"), at: \.certificate)
        }
        return section.draft
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
