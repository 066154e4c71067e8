internal import BrokerLink
internal import FoundationEssentials

extension TLSFiles {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "ca", \.ca, .certificateFile, absent: "the system's certificates",
            "A PEM file with the trusted CA certificates, relative to this file."),
        .optional(
            "certificate", \.certificate, .certificateFile, absent: "none",
            "A PEM file with the client certificate, for a broker that requires one."),
        .optional(
            "key", \.key, .keyFile, absent: "none",
            "A PEM file with its key, without a passphrase. Systemd's credential `mqtt-key` takes precedence."
        )
    )

    static let schema: Schema<Self> = .section(keys) { section in
        let hasCertificate = section.has(\.certificate)
        if let credential = hasCertificate ? section.context.credential("mqtt-key") : nil {
            // Perhaps only root can read the key file in the configuration, so it is not read.
            section.readAll(except: \.key)
            section.draft.key = Schema.keyFile.read(credential)
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
    /// The path of a file. The file is checked for a password now; each attempt to connect reads it again.
    static var passwordFile: Schema {
        Schema(expected: YAMLNode.expectedFile, shape: .scalar) { $0.passwordFile }
    }

    /// A password in an environment variable. A password in the file is a fault.
    static func environmentPassword(_ variable: String) -> Schema {
        let expected = "password_file, or \(variable) in the environment"
        return Schema(expected: expected, shape: .scalar) { node in
            // The fault does not show the value, because it may be a password.
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
    /// The password in the file named here; nil after a fault.
    fileprivate var passwordFile: Credentials.Password? {
        file(isSecret: true, upTo: PasswordFile.maximumLength + 3) { path, content in
            PasswordFile.password(in: content) == nil
                ? .unexpected(found: "no password in \(path)", expected: PasswordFile.expected) : nil
        }.map(Credentials.Password.file)
    }
}

extension DecodingContext {
    /// The password that systemd passes as the credential `mqtt-password`, or nil if there is none.
    func systemdPassword() -> Credentials.Password? {
        credential("mqtt-password").flatMap(\.passwordFile)
    }

    /// A file that systemd passes as a credential; nil if this credential is missing, even if other credentials exist.
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

/// The blocks of a file in PEM format (RFC 7468): `-----BEGIN CERTIFICATE-----`, Base64, `-----END CERTIFICATE-----`.
struct PEM {
    struct Block: Equatable {
        /// The kind of content, such as `CERTIFICATE`.
        let label: String
        /// Whether reading the content requires a passphrase.
        let isEncrypted: Bool
        /// The decoded content; nil if the end of the block is missing, or the content is not Base64.
        let content: [UInt8]?
    }

    /// The blocks in order. Text between them is ignored.
    let blocks: [Block]

    init(_ bytes: [UInt8]) {
        var blocks: [Block] = []
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        while let line = lines.popFirst() {
            guard let label = Self.label(of: line, "BEGIN") else { continue }
            var body: [UInt8] = []
            var isEncrypted = label == "ENCRYPTED PRIVATE KEY"
            var isWhole = false
            while !isWhole, let line = lines.popFirst() {
                isWhole = Self.label(of: line, "END") == label
                if line.starts(with: "Proc-Type:".utf8) { isEncrypted = true }
                // Lines with a colon are headers, not content.
                if !isWhole, !line.contains(UInt8(ascii: ":")) {
                    body += line.filter { ![0x20, 0x09, 0x0D].contains($0) }
                }
            }
            let content = isWhole ? Data(base64Encoded: Data(body)).map { Array($0) } : nil
            blocks.append(Block(label: label, isEncrypted: isEncrypted, content: content))
        }
        self.blocks = blocks
    }

    /// The label of a line that begins or ends a block.
    private static func label(of line: ArraySlice<UInt8>, _ word: String) -> String? {
        let text = String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        guard text.hasPrefix("-----\(word) "), text.hasSuffix("-----"), text.count > word.count + 11 else { return nil }
        return String(text.dropFirst(word.count + 6).dropLast(5))
    }
}

extension PEM.Block {
    /// Whether the block is a certificate, under one of the labels that OpenSSL accepts.
    var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }

    /// Whether the block is a private key of any kind.
    var isKey: Bool { label.hasSuffix("PRIVATE KEY") }

    /// Whether the content is a DER sequence that begins with a value of this type. In a trusted certificate, more data
    /// may follow the sequence.
    func isSequence(beginningWith tag: UInt8) -> Bool {
        guard let content, content.count > 2, content[0] == 0x30 else { return false }
        // The second byte is the length if that is up to 127. Otherwise it gives the number of length bytes that
        // follow.
        let isLong = content[1] > 127
        let head = 2 + (isLong ? Int(content[1] & 0x7F) : 0)
        guard head <= 6, content.count > head else { return false }
        let length = isLong ? content[2..<head].reduce(0) { $0 << 8 | Int($1) } : Int(content[1])
        let isSpanning = label.hasPrefix("TRUSTED") ? head + length <= content.count : head + length == content.count
        return isSpanning && length > 0 && content[head] == tag
    }
}
