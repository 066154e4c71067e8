import BrokerLink
import ConfigurationFiles
import FoundationEssentials
import NodeTestSupport
import Testing

@testable import LinuxSystem
@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The TLS files in a configuration")
struct PEMFileTests {
    /// Returns a PEM block with some bytes.
    static func pem(_ label: String, _ der: [UInt8], header: String = "") -> String {
        "-----BEGIN \(label)-----\n\(header)\(Data(der).base64EncodedString())\n-----END \(label)-----\n"
    }

    /// The shortest block that looks like a certificate: a sequence that begins with another sequence.
    static let certificate = pem("CERTIFICATE", [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02])
    /// The shortest block that looks like a key: a sequence that begins with a version.
    static let key = pem("PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x00])

    private func finding(_ key: String, _ content: String, code: Int32? = nil) -> String? {
        let tls =
            key == "ca"
            ? "ca: file.pem"
            : "certificate: c.pem, key: k.pem".replacing("\(key): \(key.prefix(1)).pem", with: "\(key): file.pem")
        do throws(ConfigurationError) {
            _ = try NodeConfiguration.load(
                yaml: Array("mqtt: {brokers: [mqtts://a], tls: {\(tls)}}".utf8), file: "node.yaml",
                readFile: { (path, limit) throws(FileError) in
                    if path == "file.pem", let code { throw FileError(path: path, code: code) }
                    let text = path == "file.pem" ? content : path == "k.pem" ? Self.key : Self.certificate
                    return Array(text.utf8.prefix(limit))
                })
            return nil
        } catch {
            return error.description
        }
    }

    private static let goodFiles: [(String, String)] = [
        ("ca", certificate), ("ca", certificate + certificate), ("ca", "# a comment: é\n\n" + certificate),
        ("ca", certificate.replacing("\n", with: "\r\n")), ("ca", key + certificate),
        ("ca", pem("TRUSTED CERTIFICATE", [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02, 0x30, 0x00])),
        ("ca", pem("X509 CERTIFICATE", [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02])), ("certificate", certificate),
        ("certificate", certificate + certificate), ("key", key), ("key", certificate + key),
        ("key", pem("EC PARAMETERS", [0x06, 0x01, 0x00]) + pem("EC PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x01])),
        ("key", pem("RSA PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x00])),
        ("key", pem("PRIVATE KEY", [0x30, 0x84, 0x00, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00])),
    ]

    @Test("are accepted in every common form", arguments: goodFiles)
    func good(key: String, content: String) {
        #expect(finding(key, content) == nil)
    }

    private static let noCertificate = "found no certificate in file.pem, expected PEM certificates"
    private static let damaged = "found a damaged certificate in file.pem, expected PEM certificates"
    private static let badFiles: [(String, String, String)] = [
        ("ca", "", noCertificate),
        ("ca", "hello\n", noCertificate),
        ("ca", key, noCertificate),
        ("ca", pem("CERTIFICATE REQUEST", [0x30, 0x00]), noCertificate),
        ("ca", "\u{30}\u{3}", noCertificate),
        (
            "ca", certificate + "-----BEGIN CERTIFICATE-----\nMAUwAwIBAg==\n",
            damaged
        ),
        (
            "ca", certificate.replacing("M", with: "!"),
            damaged
        ),
        (
            "ca", pem("CERTIFICATE", [0x30, 0x06, 0x30, 0x03, 0x02, 0x01, 0x02]),
            damaged
        ),
        (
            "certificate", pem("CERTIFICATE", [0x30, 0x03, 0x02, 0x01, 0x00]),
            damaged
        ),
        ("certificate", key, noCertificate),
        ("key", certificate, "found no private key in file.pem, expected an unencrypted PEM key"),
        (
            "key", pem("ENCRYPTED PRIVATE KEY", [0x30, 0x03, 0x02, 0x01, 0x00]),
            "found a key with a passphrase in file.pem, expected an unencrypted PEM key"
        ),
        (
            "key", pem("RSA PRIVATE KEY", [0x01], header: "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n"),
            "found a key with a passphrase in file.pem, expected an unencrypted PEM key"
        ),
        (
            "key", pem("PRIVATE KEY", [0x30]),
            "found a damaged private key in file.pem, expected an unencrypted PEM key"
        ),
        (
            "key", pem("PRIVATE KEY", [0x30, 0x82, 0x00]),
            "found a damaged private key in file.pem, expected an unencrypted PEM key"
        ),
        (
            "key", pem("PRIVATE KEY", [0x30, 0x85, 0x00, 0x00, 0x00, 0x00, 0x03, 0x02, 0x01, 0x00]),
            "found a damaged private key in file.pem, expected an unencrypted PEM key"
        ),
    ]

    @Test("are checked, and their content is not shown", arguments: badFiles)
    func bad(key: String, content: String, fault: String) {
        #expect(finding(key, content) == "node.yaml:1: mqtt.tls.\(key): \(fault)")
    }

    @Test("are reported if they are missing, without a key file's name, which may actually be the key")
    func missing() {
        let missing = "found a path (not shown) without a file, expected the path of a file"
        #expect(
            finding("ca", "", code: 2) == "node.yaml:1: mqtt.tls.ca: cannot read file.pem: No such file or directory")
        #expect(finding("key", "", code: 2) == "node.yaml:1: mqtt.tls.key: \(missing)")
        #expect(finding("key", "", code: 13) == "node.yaml:1: mqtt.tls.key: cannot read file.pem: Permission denied")
    }

    @Test("that `check` may not read are a warning, as the node may; for the node, they are a fault")
    func permissions() throws {
        try withTemporaryFolder { folder in
            for (name, text) in [
                ("node.pem", Self.certificate), ("node.key", Self.key), ("ca.pem", Self.certificate),
            ] {
                try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            let yaml =
                "mqtt: {brokers: [mqtts://a], username: me, password_file: pw, tls: {ca: ca.pem, certificate: node.pem, key: node.key}}"
            let load = { (purpose: NodeConfiguration.Purpose) throws(ConfigurationError) in
                try NodeConfiguration.load(
                    yaml: Array(yaml.utf8), file: folder + "/node.yaml", purpose: purpose,
                    readFile: { (path, limit) throws(FileError) in
                        if path.hasSuffix("node.key") || path.hasSuffix("pw") {
                            throw FileError(path: path, code: 13)
                        }
                        return try File.read(path, upTo: limit)
                    })
            }
            let loaded = try load(.checking)
            #expect(loaded.configuration.mqtt?.link.tls.key == folder + "/node.key")
            #expect(loaded.configuration.mqtt?.link.credentials?.password == .file(folder + "/pw"))
            let reason = "Permission denied; the node's user may be able to read it"
            #expect(
                loaded.warnings.map(\.description) == [
                    "\(folder)/node.yaml:1: warning: mqtt.tls.key: cannot read \(folder)/node.key: \(reason)",
                    "\(folder)/node.yaml:1: warning: mqtt.password_file: cannot read \(folder)/pw: \(reason)",
                ])
            #expect(throws: ConfigurationError.self) { try load(.running) }
        }
    }
}
