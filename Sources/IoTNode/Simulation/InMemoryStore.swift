/// Keeps the document in memory.
public final class InMemoryStore: Store {
    /// The document as last saved.
    public private(set) var document: [UInt8]?

    /// A store that holds `document`.
    public init(_ document: [UInt8]? = nil) { self.document = document }

    /// The document.
    public func load() throws(StoreError) -> [UInt8]? { document }

    /// Replaces the document.
    public func save(_ document: [UInt8]) throws(StoreError) { self.document = document }
}
