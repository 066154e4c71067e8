internal import IoTNode
internal import TimerEngine

/// Tracks messages in flight to the broker and queues further ones until there is room.
///
/// The window limits what is sent before the broker acknowledges it, so that a burst of commands leaves no backlog. For
/// a queued retained message, a newer value replaces the older one in place. All other messages stay queued.
struct Outbox {
    /// A message that was sent but not yet acknowledged.
    struct Sent: Hashable {
        let topic: String
        let bytes: Int
        let isRetained: Bool
    }

    /// When this many bytes are in flight, further messages are queued.
    static let window = 256 * 1024
    /// The maximum number of queued messages; libmosquitto's own queue is unbounded.
    static let capacity = 16_384
    /// If messages are queued and the broker acknowledges nothing for this long, the connection counts as lost.
    static let patience: Duration = .seconds(5)

    private var sent: [Int32: Sent] = [:]
    private(set) var sentBytes = 0
    /// Queued messages by their position.
    private var waiting: [Int: OutgoingMessage] = [:]
    /// Positions of queued retained messages by topic.
    private var retained: [String: Int] = [:]
    private var firstPlace = 0
    private var endPlace = 0
    /// When the broker last acknowledged something, or may have, or when a message was sent while none was in flight.
    private var progressAt = TimerEngine.Instant(sinceEpoch: .zero)

    /// Whether nothing is in flight or queued.
    var isEmpty: Bool { sent.isEmpty && waiting.isEmpty }

    /// The number of messages in flight or queued.
    var count: Int { sent.count + waiting.count }

    /// The number of those that are not retained, and so are lost if the connection closes.
    var lossesWhenClosed: Int { sent.values.count { !$0.isRetained } + waiting.values.count { !$0.retain } }

    /// Whether a new message can be sent at once: nothing is queued and the window has room.
    var isOpen: Bool { waiting.isEmpty && sentBytes < Self.window }

    /// The next queued message; nil if there is none or the window is full.
    var next: OutgoingMessage? { !waiting.isEmpty && sentBytes < Self.window ? waiting[firstPlace] : nil }

    /// When the connection counts as lost unless the broker acknowledges something; nil while nothing is queued.
    var deadline: TimerEngine.Instant? { waiting.isEmpty ? nil : progressAt + Self.patience }

    /// Appends a message; returns false if the queue is full.
    mutating func add(_ message: OutgoingMessage) -> Bool {
        if message.retain, let place = retained[message.topic] {
            waiting[place] = message
            return true
        }
        guard waiting.count < Self.capacity else { return false }
        if message.retain { retained[message.topic] = endPlace }
        waiting[endPlace] = message
        endPlace += 1
        return true
    }

    /// Removes the next queued message, whether or not it could be sent.
    mutating func removeNext() {
        guard let message = waiting.removeValue(forKey: firstPlace) else { return }
        if message.retain { retained[message.topic] = nil }
        firstPlace += 1
    }

    /// Records that a message was sent.
    mutating func noteSent(_ message: OutgoingMessage, _ identifier: Int32, bytes: Int, at now: TimerEngine.Instant) {
        if sent.isEmpty { progressAt = now }
        sent[identifier] = Sent(topic: message.topic, bytes: bytes, isRetained: message.retain)
        sentBytes += bytes
    }

    /// Counts as progress that not all received data has been read: it may contain acknowledgements.
    mutating func noteProgress(at now: TimerEngine.Instant) { progressAt = now }

    /// Records an acknowledgement; returns the acknowledged message.
    mutating func noteAcknowledged(_ identifier: Int32, at now: TimerEngine.Instant) -> Sent? {
        guard let message = sent.removeValue(forKey: identifier) else { return nil }
        sentBytes -= message.bytes
        progressAt = now
        return message
    }
}
