internal import TimerEngine
internal import TimerProtocol

/// Finds out which nodes exist if more nodes have been forged than a client has room for. It requests the time from all
/// nodes, and only a real node receives the request.
struct NodeDiscovery: Hashable, Sendable {
    /// The time between two requests. Each existing node responds to every request.
    private static let interval: Duration = .seconds(10)

    private var isWanted = false
    private var askedAt: Instant?
    /// The id of the last request, which cannot be guessed.
    private var id: String?

    /// When the next request is due; nil for never.
    var nextInstant: Instant? {
        guard isWanted else { return nil }
        return askedAt.map { $0 + Self.interval } ?? Instant(sinceEpoch: .zero)
    }

    /// Records that there was no room for a node.
    mutating func want() { isWanted = true }

    /// Records that the request with the id was sent.
    mutating func asked(_ id: String, at now: Instant) {
        (isWanted, askedAt, self.id) = (false, now, id)
    }

    /// Whether a response answers the last request.
    func isAnswered(by response: Response) -> Bool { id != nil && response.id == id }
}
