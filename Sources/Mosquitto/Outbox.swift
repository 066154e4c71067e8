internal import BrokerLink
internal import TimerEngine

/// The messages in flight to the broker, and a queue of further messages that wait for room.
///
/// The window limits how much is sent before the broker acknowledges it, so a burst of commands leaves no backlog. A
/// newer value of a queued retained message replaces the older one in place. All other messages stay queued.
struct Outbox {
    /// A message that was sent but not yet acknowledged.
    struct InFlightMessage: Hashable {
        let topic: String
        let bytes: Int
        let isRetained: Bool
    }

    /// When this many bytes are in flight, further messages are queued.
    static let window = 256 * 1024
    /// The maximum number of queued messages; libmosquitto's own queue is unbounded.
    static let capacity = 16_384
    /// If messages are queued and the broker acknowledges nothing for this long, the connection counts as lost.
    static let acknowledgementTimeout: Duration = .seconds(5)

    private var inFlight: [Int32: InFlightMessage] = [:]
    private(set) var inFlightBytes = 0
    /// Queued messages by their position.
    private var queued: [Int: OutgoingMessage] = [:]
    /// Positions of queued retained messages by topic.
    private var queuedRetained: [String: Int] = [:]
    private var firstPosition = 0
    private var endPosition = 0
    /// When the broker last acknowledged something or may have done so, or when a message was sent while none was in
    /// flight.
    private var progressAt = Instant(sinceEpoch: .zero)
    /// The identifiers in the order of sending. Some are already acknowledged, but never the one at ``oldest``.
    private var sendOrder: [Int32] = []
    /// The index in ``sendOrder`` of the message that has been in flight the longest.
    private var oldest = 0
    /// Since when that message has been the oldest.
    private var oldestSince = Instant(sinceEpoch: .zero)

    /// Whether nothing is in flight or queued.
    var isEmpty: Bool { inFlight.isEmpty && queued.isEmpty }

    /// The number of messages in flight or queued.
    var count: Int { inFlight.count + queued.count }

    /// The number of these messages that are not retained, and so are lost if the connection closes.
    var unretainedCount: Int { inFlight.values.count { !$0.isRetained } + queued.values.count { !$0.retain } }

    /// Whether a new message can be sent at once: nothing is queued and the window has room.
    var hasRoom: Bool { queued.isEmpty && inFlightBytes < Self.window }

    /// The next queued message, or nil if there is none or the window is full.
    var next: OutgoingMessage? { !queued.isEmpty && inFlightBytes < Self.window ? queued[firstPosition] : nil }

    /// When the connection counts as lost unless the broker acknowledges something; nil while nothing is queued.
    var deadline: Instant? { queued.isEmpty ? nil : progressAt + Self.acknowledgementTimeout }

    /// The topic of the message that has been in flight the longest, and since when it has been the oldest; nil if
    /// there is none.
    ///
    /// A broker acknowledges in the order of sending (MQTT 5, 4.6), so under load this changes with each
    /// acknowledgement. If it does not change, the acknowledgement was lost.
    var oldestInFlight: (topic: String, since: Instant)? {
        guard oldest < sendOrder.count, let message = inFlight[sendOrder[oldest]] else { return nil }
        return (message.topic, oldestSince)
    }

    /// Appends a message; returns false if the queue is full.
    mutating func add(_ message: OutgoingMessage) -> Bool {
        if message.retain, let position = queuedRetained[message.topic] {
            queued[position] = message
            return true
        }
        guard queued.count < Self.capacity else { return false }
        if message.retain { queuedRetained[message.topic] = endPosition }
        queued[endPosition] = message
        endPosition += 1
        return true
    }

    /// Removes the next queued message, whether or not it could be sent.
    mutating func removeFirst() {
        guard let message = queued.removeValue(forKey: firstPosition) else { return }
        if message.retain { queuedRetained[message.topic] = nil }
        firstPosition += 1
    }

    /// Records that a message was sent.
    mutating func recordSent(_ message: OutgoingMessage, _ identifier: Int32, bytes: Int, at now: Instant) {
        if inFlight.isEmpty { (progressAt, oldestSince) = (now, now) }
        sendOrder.append(identifier)
        inFlight[identifier] = InFlightMessage(topic: message.topic, bytes: bytes, isRetained: message.retain)
        inFlightBytes += bytes
    }

    /// Records progress because some received data has not been read: it may contain acknowledgements.
    mutating func recordProgress(at now: Instant) { progressAt = now }

    /// Records an acknowledgement; returns the acknowledged message.
    mutating func recordAcknowledgement(_ identifier: Int32, at now: Instant) -> InFlightMessage? {
        guard let message = inFlight.removeValue(forKey: identifier) else { return nil }
        inFlightBytes -= message.bytes
        progressAt = now
        if sendOrder[oldest] == identifier { findOldest(at: now) }
        return message
    }

    /// Advances to the next message that is still in flight.
    private mutating func findOldest(at now: Instant) {
        oldestSince = now
        while oldest < sendOrder.count, inFlight[sendOrder[oldest]] == nil { oldest += 1 }
        // Acknowledged identifiers are removed in batches, because each removal at the front moves all the other
        // elements.
        guard oldest == sendOrder.count || oldest >= 1024 else { return }
        sendOrder.removeFirst(oldest)
        oldest = 0
    }
}
