import Foundation
import Testing

/// Verifies that the check for leaked secrets, which all other tests use, detects them.
@Suite("A secret that leaks")
struct TestSecretsTests {
    private let authority: CertificateAuthority
    private static let secret = TestSecrets.password(of: "lectern")

    init() throws { authority = try CertificateAuthority() }

    /// Requires that a closure fails because of a secret, even if the closure does not read the output.
    private func findsSecret(_ body: () throws -> Void) throws {
        try withKnownIssue {
            try body()
        } matching: {
            $0.comments.contains { $0.rawValue.contains("a secret leaked") }
        }
    }

    @Test("into a process's output fails its test, even if nothing reads it", arguments: ["", " >&2"])
    func output(redirection: String) throws {
        try findsSecret { try ChildProcess(shell: "echo \(Self.secret)\(redirection)").waitForExit() }
        try findsSecret {
            let process = try ChildProcess(shell: "printf %s \(Self.secret)\(redirection); exec sleep 1000")
            try waitUntil("the sleep after the output") {
                try String(contentsOfFile: "/proc/\(process.pid)/comm", encoding: .utf8) == "sleep\n"
            }
        }
    }

    @Test("into the node's log fails its test")
    func node() throws {
        try findsSecret {
            let node = try SpawnedNode("node: {id: lectern}\nlog: {level: debug}")
            try node.reload("\(Self.secret): 1")
            try node.process.waitForLine("the refusal") { $0.contains("the old one stays") }
        }
    }

    @Test("into a message's topic or payload fails its test", arguments: [(secret, "1"), ("topic", secret)])
    func message(topic: String, payload: String) throws {
        let broker = try MosquittoBroker(log: "information")
        let probe = try MQTTProbe(broker, "#")
        try findsSecret {
            try MQTTProbe.publish(broker, topic, payload)
            try probe.wait(for: "the message") { !$0.isEmpty }
        }
    }

    @Test("and is a key fails its test as well")
    func key() throws {
        let pair = try authority.issue("lectern")
        try findsSecret { try ChildProcess("cat", [pair.key]).waitForExit() }
    }

    @Test("nowhere fails no test")
    func nothing() throws {
        let pair = try authority.issue("lectern")
        #expect(try ChildProcess("cat", [pair.certificate]).waitForExit() == .exited(0))
    }
}
