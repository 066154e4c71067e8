import Foundation

/// All messages from a broker, in a file, with the time at which mosquitto_sub received each message.
///
/// In simulated time, no time passes between publishing and receiving, so this is also the time of publication.
final class MessageLog {
    struct Message {
        /// The time of arrival on the wall clock, in seconds.
        let time: Double
        /// The topic's last level.
        let topic: String
        let payload: String
    }

    private let file = "/dev/shm/messages-\(UUID().uuidString)"
    private let process: ChildProcess

    /// Starts the log, which begins with the current retained messages of one node.
    init(_ broker: MosquittoBroker, node: String) throws {
        try Data().write(to: URL(filePath: file))
        process = try ChildProcess(
            "sh",
            ["-c", "exec stdbuf -oL mosquitto_sub -p \(broker.port) -t 'timer/\(node)/#' -F '%U %t %p' > \(file)"])
        try waitUntil("the first message") { try !messages().isEmpty }
    }

    /// The messages so far.
    func messages() throws -> [Message] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        TestSecrets.check(text)
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, let time = Double(fields[0]) else { return nil }
            return Message(
                time: time, topic: String(fields[1].split(separator: "/").last ?? ""), payload: String(fields[2]))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: file) }
}
