import BrokerLink
import ConfigurationFiles
import FoundationEssentials
internal import LinuxSystem
import NodeTestSupport
import Testing

@testable import NodeConfiguration
@testable import TimerProtocol

@Suite("The password from systemd")
struct CredentialTests {
    private func password(
        files: [String: String], environment: [String: String] = [:], yaml: String = "password_file: own"
    ) throws(ConfigurationError) -> Credentials.Password? {
        try NodeConfiguration.load(
            yaml: Array("mqtt: {brokers: [mqtt://a], username: me, \(yaml)}".utf8), file: "node.yaml",
            environment: environment.merging(["CREDENTIALS_DIRECTORY": "/run/credentials/node"]) { $1 },
            readFile: { (path, _) throws(FileError) in
                guard let text = files[path] else { throw FileError(path: path, code: 2) }
                return Array(text.utf8)
            }
        ).configuration.mqtt?.link.credentials?.password
    }

    private let credential = "/run/credentials/node/mqtt-password"

    @Test("takes precedence over the file, but the variable takes precedence over both")
    func order() throws {
        #expect(try password(files: ["own": "a", credential: "b\n"]) == .file(credential))
        #expect(try password(files: ["own": "a"]) == .file("own"), "the credential may be missing")
        #expect(try password(files: [credential: "b"], yaml: "keepalive: 20s") == .file(credential))
        #expect(try password(files: [credential: "b"], environment: ["TIMER_NODE_MQTT_PASSWORD": "c"]) == .text("c"))
    }

    @Test("has 1 to 4096 bytes, without the end of the line", arguments: ["", "\n", "\r\n"])
    func length(end: String) {
        for count in [1, 4096] {
            let text = String(repeating: "x", count: count)
            #expect(PasswordFile.password(in: Array((text + end).utf8)) == text)
        }
        for count in [0, 4097] {
            #expect(PasswordFile.password(in: Array((String(repeating: "x", count: count) + end).utf8)) == nil)
        }
    }

    @Test("with invalid content is a fault, which does not show the content")
    func faults() throws {
        let error = #expect(throws: ConfigurationError.self) { try password(files: [credential: "\0secret"]) }
        let text = try #require(error).description
        #expect(text.contains("found no password in \(credential)"))
        #expect(!text.contains("secret"))
    }

    @Test("that cannot be read is a fault, unlike a missing one")
    func unreadable() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try NodeConfiguration.load(
                yaml: Array("mqtt: {brokers: [mqtt://a], username: me}".utf8), file: "node.yaml",
                environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/node"],
                readFile: { (path, _) throws(FileError) in throw FileError(path: path, code: 13) })
        }
        #expect(error?.description.contains("cannot read \(credential): Permission denied") == true)
    }

    @Test(
        "may have the certificate's key beside it, which takes precedence, and is ignored without a certificate")
    func key() throws {
        let load = { (tls: String, files: [String]) throws(ConfigurationError) in
            try NodeConfiguration.load(
                yaml: Array("mqtt: {brokers: [mqtts://a], tls: {\(tls)}}".utf8), file: "node.yaml",
                environment: ["CREDENTIALS_DIRECTORY": "/run/credentials/node"],
                readFile: { (path, _) throws(FileError) in
                    guard files.contains(path) else { throw FileError(path: path, code: 2) }
                    return Array((PEMFileTests.certificate + PEMFileTests.key).utf8)
                }
            ).configuration.mqtt?.link.tls.key
        }
        let credential = "/run/credentials/node/mqtt-key"
        #expect(try load("certificate: c", ["c", credential]) == credential)
        #expect(
            try load("certificate: c, key: k", ["c", credential]) == credential, "perhaps only root can read k")
        #expect(try load("certificate: c, key: k", ["c", "k"]) == "k")
        #expect(try load("ca: a", ["a", credential]) == nil)
        #expect(throws: ConfigurationError.self) { try load("certificate: c", ["c"]) }
    }
}
