/// Keeps one document over restarts. The real one is ``FileStore``, the one for tests ``InMemoryStore``.
public protocol Store: AnyObject {
    /// The document as last saved; nil where there is none.
    func load() throws(StoreError) -> [UInt8]?

    /// Replaces the document, whole or not at all.
    func save(_ document: [UInt8]) throws(StoreError)

    /// Keeps something under another name, of its own: nothing that is there is replaced.
    ///
    /// - Returns: what it is kept as, for a person.
    func setAside(_ what: SetAside) throws(StoreError) -> String
}

/// Why a document could not be read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which file, which step, and the system's reason.
    public let description: String

    /// Names the failure.
    public init(_ description: String) { self.description = description }
}
