import Synchronization
import Testing

/// Every password and key that a test gives to a node or a broker; none of them may show anywhere.
///
/// Whatever a process of a test writes is looked through as it is read: the node's log and lamps, the broker's log, each
/// message that a probe gets with its topic. So is each failure of a connection, what the journal has, and what a node saved.
enum TestSecrets {
    /// All passwords have this in them, and nothing else has.
    static let mark = "-horse-battery"
    private static let secrets = Mutex([mark])

    /// The password of a user, which a broker of a test lets in.
    static func password(of user: String) -> String { user + mark }

    /// One that no broker lets in.
    static let wrongPassword = "wrong" + mark

    /// Adds a private key, as PEM.
    static func add(key: String) {
        // Its second line is as secret as all of it, and a log may well break the lines.
        let line = key.split(separator: "\n").dropFirst().first.map(String.init)
        if let line { secrets.withLock { $0.append(line) } }
    }

    /// Records an issue for a text with a secret in it.
    static func check(_ text: @autoclosure () -> String) {
        let text = text()
        if secrets.withLock({ $0.contains { text.contains($0) } }) { Issue.record("a secret shows: \(text)") }
    }
}
