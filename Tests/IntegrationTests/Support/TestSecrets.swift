import Synchronization
import Testing

/// Every password and key that a test gives to a node or a broker. None of these secrets may appear anywhere.
///
/// All output from a test's processes is checked as it is read: the node's log and lamps, the broker's log, and each
/// message that a probe receives, with its topic. Connection failures, the journal and the state that a node has saved
/// are checked as well.
enum TestSecrets {
    /// A part of every password, which occurs nowhere else.
    static let mark = "-horse-battery"
    private static let secrets = Mutex([mark])

    /// The password that a test's broker accepts for a user.
    static func password(of user: String) -> String { user + mark }

    /// A password that no broker accepts.
    static let wrongPassword = "wrong" + mark

    /// Adds a private key, as PEM.
    static func add(key: String) {
        // The second line is as secret as the whole key, and a log may split the key into lines.
        let line = key.split(separator: "\n").dropFirst().first.map(String.init)
        if let line { secrets.withLock { $0.append(line) } }
    }

    /// Records an issue if a string contains a secret.
    static func check(_ text: @autoclosure () -> String) {
        let text = text()
        if secrets.withLock({ $0.contains { text.contains($0) } }) { Issue.record("a secret leaked: \(text)") }
    }
}
