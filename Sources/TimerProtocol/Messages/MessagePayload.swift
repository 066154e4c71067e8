/// The payload of one of the topics that a node publishes.
///
/// A node makes ``bytes`` of a value, and a client makes an equal value of the bytes. Fields that this version does not
/// know are ignored, since a client may be older than the node.
public protocol MessagePayload: Hashable, Sendable {
    /// The topic that it is published on.
    static var kind: TopicKind { get }

    /// Reads a payload as it was received.
    ///
    /// - Throws: ``PayloadError`` where the payload is not one of this topic.
    init(_ payload: [UInt8]) throws(PayloadError)

    /// The payload as it is published: UTF-8, without white space.
    var bytes: [UInt8] { get }
}

/// Why a payload is not one that a node publishes on that topic.
public struct PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found and what was expected, with the field where there is one; for people.
    public let description: String

    package init(_ description: String) { self.description = description }
}

// MARK: - Payloads that are a word

extension MessagePayload where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Reads the word.
    ///
    /// - Throws: ``PayloadError`` for any other word.
    public init(_ payload: [UInt8]) throws(PayloadError) {
        let text = try PayloadError.text(payload)
        guard let value = Self(rawValue: text) else {
            throw PayloadError("found \(text.quoted), expected \(Self.allCases.map(\.rawValue).alternatives)")
        }
        self = value
    }

    /// The word in UTF-8.
    public var bytes: [UInt8] { Array(rawValue.utf8) }
}

extension PayloadError {
    /// The text of a payload that is not JSON.
    fileprivate static func text(_ payload: [UInt8]) throws(PayloadError) -> String {
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw PayloadError("the payload is not valid UTF-8")
        }
        return text
    }
}
