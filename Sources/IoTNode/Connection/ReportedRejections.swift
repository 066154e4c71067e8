/// What the broker does not allow, each told once.
struct ReportedRejections: Hashable, Sendable {
    private static let capacity = 32
    private var known: Set<String> = []

    /// Whether this one is new; of very many no more are, as others may choose the topics that answers go to.
    mutating func note(_ denial: String) -> Bool {
        known.count < Self.capacity && known.insert(denial).inserted
    }
}
