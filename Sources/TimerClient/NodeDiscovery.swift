internal import TimerEngine
internal import TimerProtocol

/// Finds out which nodes there are, where more are made up than a client has room for: it asks all for their time, and
/// only a node hears that.
struct NodeDiscovery: Hashable, Sendable {
    /// Between two questions. Each node that there is answers each.
    private static let interval: Duration = .seconds(10)

    private var isWanted = false
    private var askedAt: Instant?
    /// The id of the last question, which nobody can guess.
    private var id: String?

    /// When to ask next; nil for never.
    var nextInstant: Instant? {
        guard isWanted else { return nil }
        return askedAt.map { $0 + Self.interval } ?? Instant(sinceEpoch: .zero)
    }

    /// There was no place for a node.
    mutating func want() { isWanted = true }

    /// Takes note that the question with the id was asked.
    mutating func asked(_ id: String, at now: Instant) {
        (isWanted, askedAt, self.id) = (false, now, id)
    }

    /// Whether this answers the last question.
    func isAnswered(by response: Response) -> Bool { id != nil && response.id == id }
}
