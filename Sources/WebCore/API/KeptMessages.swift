package import TimerProtocol

/// The messages to a speaker that people keep for all remotes, besides those of the configuration.
package struct KeptMessages: Hashable, Sendable {
    /// The maximum number of messages.
    private static let capacity = 50

    /// In the order in which they were kept, each once.
    package private(set) var messages: [String] = []

    package init() {}

    /// Reads the content of the file.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    package init(_ bytes: [UInt8]) throws(PayloadError) { self = try Self.read(bytes) }

    /// The content of the file.
    package var bytes: [UInt8] { json(capacity: 1024) + [UInt8(ascii: "\n")] }

    /// Keeps a message, or forgets it.
    ///
    /// - Returns: false if there are as many as there may be, and nothing was changed.
    package mutating func apply(_ change: KeptMessageChange) -> Bool {
        if !change.isKept {
            messages.removeAll { $0 == change.text }
        } else if !messages.contains(change.text) {
            guard messages.count < Self.capacity else { return false }
            messages.append(change.text)
        }
        return true
    }

    /// Why no further message can be kept.
    package static let isFull = "found \(capacity) messages, expected fewer: remove one first"
}

extension KeptMessages: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field(
            "messages", &messages, ListBounds(.message, count: (0...Self.capacity, "messages")),
            "The messages, in the order in which they were kept.")
    }
}

/// A message to keep or to forget.
package struct KeptMessageChange: Hashable, Sendable {
    package private(set) var text = ""
    package private(set) var isKept = true

    package init() {}

    /// Reads the body of a request.
    ///
    /// - Throws: ``PayloadError`` that names the field.
    package init(_ bytes: [UInt8]) throws(PayloadError) {
        self = try Self.read(bytes)
        if text.isEmpty { throw PayloadError("field \"text\": found an empty string, expected a message") }
    }
}

extension KeptMessageChange: Record {
    package mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("text", &text, .message, "The message.")
        try visitor.field("keep", &isKept, .usual, "Whether to keep it; false removes it.")
    }
}
