internal import LinuxSystem
internal import NodePorts
internal import TimerProtocol
internal import WebCore

/// The file with the messages that people keep for all remotes.
struct MessageFile: Sendable {
    private let file: SecretFile

    init(directory: String) { file = SecretFile(directory: directory, name: "messages.json") }

    /// The messages; none if there is no file.
    func read() throws(StoreError) -> KeptMessages {
        try file.read().map { (bytes) throws(StoreError) in try messages(bytes) } ?? KeptMessages()
    }

    /// Changes the messages under a lock.
    ///
    /// - Returns: the changed messages; nil if there is no room for another one.
    func apply(_ change: KeptMessageChange) throws(StoreError) -> KeptMessages? {
        var result: KeptMessages?
        try file.update { (bytes) throws(StoreError) in
            var kept = try bytes.map { (bytes) throws(StoreError) in try messages(bytes) } ?? KeptMessages()
            guard kept.apply(change) else { return nil }
            result = kept
            return kept.bytes
        }
        return result
    }

    private func messages(_ bytes: [UInt8]) throws(StoreError) -> KeptMessages {
        do throws(PayloadError) { return try KeptMessages(bytes) } catch {
            throw StoreError("cannot use \(file.path): \(error); remove it to keep messages again")
        }
    }
}
