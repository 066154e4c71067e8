/// Keeps the document in memory.
public final class InMemoryStore: Store {
    /// The document as last saved.
    public private(set) var document: [UInt8]?

    /// What was set aside, by its name.
    public private(set) var others: [String: [UInt8]] = [:]

    /// A store that holds `document`.
    public init(_ document: [UInt8]? = nil) { self.document = document }

    /// The document.
    public func load() throws(StoreError) -> [UInt8]? { document }

    /// Replaces the document.
    public func save(_ document: [UInt8]) throws(StoreError) { self.document = document }

    /// Keeps it under its name.
    public func setAside(_ what: SetAside) throws(StoreError) -> String {
        switch what {
        case .document(let suffix):
            others["state.\(suffix)"] = document
            document = nil
            return "state.\(suffix)"
        case .edits(let timers, let suffix):
            others["timers.\(suffix)"] = timers
            return "timers.\(suffix)"
        }
    }
}
