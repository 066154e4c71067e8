internal import BrokerLink
internal import TimerProtocol

extension YAMLNode {
    /// The path of the file that is named here, after a look into the file; nil after a fault.
    ///
    /// - Parameters:
    ///   - isSecret: whether the secret itself may be written here in place of the name. Then the name is not shown.
    ///   - limit: how many bytes are read.
    ///   - problem: what is wrong with the content of the file at a path; nil where nothing is.
    func file(
        isSecret: Bool = false, upTo limit: Int, _ problem: (_ path: String, [UInt8]) -> ConfigurationFault.Problem?
    ) -> String? {
        guard let name = tree.text, !name.isEmpty else {
            report(expected: Self.expectedFile)
            return nil
        }
        let path = context.resolve(name)
        do throws(FileError) {
            guard let problem = problem(path, try context.readFile(path, limit)) else { return path }
            report(problem)
            return nil
        } catch {
            return unreadable(error, isHidden: isSecret || name.contains("\n"))
        }
    }

    /// What is expected, in words.
    static let expectedFile = "the path of a file that can be read"

    /// Reports why a file cannot be read.
    ///
    /// - Returns: the path where only a permission is missing that the node's user may have; otherwise nil.
    private func unreadable(_ error: FileError, isHidden: Bool) -> String? {
        guard error.kind != .notPermitted || context.purpose == .running else {
            report(.other("\(shown(error)); the \(context.service)'s user may be one who can"), severity: .warning)
            return error.path
        }
        if isHidden, [.missing, .invalidName].contains(error.kind) {
            let found = "nothing under the name written here, which is not shown"
            report(.unexpected(found: found, expected: "the path of a file"))
        } else {
            report(.other(shown(error)))
        }
        return nil
    }

    /// The error with its path shortened where it is too long to read.
    private func shown(_ error: FileError) -> String {
        let name = tree.text ?? ""
        return name.brief == name
            ? error.description : FileError(path: name.excerpt, kind: error.kind, reason: error.reason).description
    }
}

extension Schema where Value == String {
    static var certificateFile: Schema {
        pemFile(expected: "certificates as PEM") { pem in
            let certificates = pem.blocks.filter(\.isCertificate)
            if certificates.isEmpty { return "no certificate" }
            return certificates.allSatisfy { $0.isSequence(beginningWith: 0x30) } ? nil : "a damaged certificate"
        }
    }

    static var keyFile: Schema {
        pemFile(expected: "a key as PEM without a passphrase", isSecret: true) { pem in
            guard let key = pem.blocks.first(where: \.isKey) else { return "no private key" }
            if key.isEncrypted { return "a key with a passphrase" }
            return key.isSequence(beginningWith: 0x02) ? nil : "a damaged private key"
        }
    }

    /// The longest file, in bytes. All certificates of a system need a fraction of it.
    private static var maximumSize: Int { 4 << 20 }

    private static func pemFile(
        expected: String, isSecret: Bool = false, _ misfit: @escaping @Sendable (PEM) -> String?
    ) -> Schema {
        Schema(expected: YAMLNode.expectedFile, shape: .scalar) { node in
            node.file(isSecret: isSecret, upTo: maximumSize) { path, content in
                misfit(PEM(content)).map { .unexpected(found: "\($0) in \(path)", expected: expected) }
            }
        }
    }
}
