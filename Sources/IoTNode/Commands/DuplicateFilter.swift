internal import TimerEngine
internal import TimerProtocol

/// Remembers what was answered, so that a command which arrives twice is carried out once.
struct DuplicateFilter: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let key: Int
        let at: TimerEngine.Instant
        let response: Response
    }

    /// How long a repeat is recognised.
    static let memory: Duration = .seconds(10)
    private static let capacity = 1024
    private var entries: [Entry] = []

    /// The response to the same payload, id and all, on the same topic, less than ``memory`` ago.
    func response(topic: String, payload: [UInt8], at now: TimerEngine.Instant) -> Response? {
        let key = Self.key(topic, payload)
        return entries.last { $0.key == key && $0.at.duration(to: now) < Self.memory }?.response
    }

    mutating func remember(_ response: Response, topic: String, payload: [UInt8], at now: TimerEngine.Instant) {
        entries.removeAll { $0.at.duration(to: now) >= Self.memory }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append(Entry(key: Self.key(topic, payload), at: now, response: response))
    }

    private static func key(_ topic: String, _ payload: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(topic)
        hasher.combine(payload)
        return hasher.finalize()
    }
}
