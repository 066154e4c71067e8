import Foundation

/// A private certificate authority, created with openssl in a folder that is deleted together with the object.
final class CertificateAuthority {
    /// The kind of certificate that the authority issues to a broker or a client.
    enum Validity {
        case good
        /// A certificate that has expired.
        case expired
        /// A self-signed certificate.
        case selfSigned
    }

    private let folder: URL

    /// The authority's certificate.
    var certificate: String { path("ca.pem") }

    /// Creates the authority.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=Test-CA", "ca")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Issues a certificate, and returns the paths of the certificate and its key.
    func issue(
        _ name: String, validity: Validity = .good, subject: String = "DNS:localhost,IP:127.0.0.1"
    ) throws -> (certificate: String, key: String) {
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)"
        if validity == .selfSigned {
            try openssl("req -x509 \(key) -days 2 -addext subjectAltName=\(subject)", name)
        } else {
            try openssl("req -new \(key) -addext subjectAltName=\(subject)", name, "csr")
            // With 0 days, the certificate expires in the second in which it becomes valid; OpenSSL 3.5 does not allow
            // fewer.
            let days = validity == .expired ? "-days 0" : "-days 2"
            try run(
                "x509 -req -in \(path("\(name).csr")) -copy_extensions copy -CA \(certificate) -CAkey \(path("ca.key"))"
                    + " -CAcreateserial \(days) -out \(path("\(name).pem"))")
        }
        TestSecrets.add(key: try String(contentsOfFile: path("\(name).key"), encoding: .utf8))
        return (path("\(name).pem"), path("\(name).key"))
    }

    private func openssl(_ arguments: String, _ name: String, _ suffix: String = "pem") throws {
        try run("\(arguments) -keyout \(path("\(name).key")) -out \(path("\(name).\(suffix)"))")
    }

    private func run(_ arguments: String) throws {
        let process = try ChildProcess("openssl", arguments.split(separator: " ").map(String.init))
        guard try process.waitForExit() == .exited(0) else {
            throw TestFailure("openssl \(arguments): \(process.errors.joined(separator: "\n"))")
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}

extension MosquittoBroker {
    /// Starts a broker with TLS only.
    convenience init(
        _ pair: (certificate: String, key: String), users: [String] = [], settings: [String] = []
    ) throws {
        try self.init(users: users, settings: ["certfile \(pair.certificate)", "keyfile \(pair.key)"] + settings)
    }
}
