internal import IoTNode
internal import TimerEngine

/// What is on its way to the broker, and what waits until there is room among that.
///
/// The broker is sent no more than it acknowledges soon, so that a burst of commands leaves no backlog: of a retained
/// message that waits, the newest value alone is kept, in the place of the older one. Answers and events all wait.
struct Outbox {
    /// A message that was sent and is not acknowledged.
    struct Sent: Hashable {
        let topic: String
        let bytes: Int
        let isRetained: Bool
    }

    /// As many bytes may be unacknowledged before further messages wait.
    static let window = 256 * 1024
    /// As many messages may wait; libmosquitto's own queue has no bound.
    static let capacity = 16_384
    /// A broker that has room for nothing and acknowledges nothing for as long is lost.
    static let patience: Duration = .seconds(5)

    private var sent: [Int32: Sent] = [:]
    private(set) var sentBytes = 0
    /// What waits, by its place in the order.
    private var waiting: [Int: OutgoingMessage] = [:]
    /// The places of the retained messages that wait, by their topics.
    private var retained: [String: Int] = [:]
    private var firstPlace = 0
    private var endPlace = 0
    /// When the broker last acknowledged something, or may have, or was sent the first message that it has not acknowledged.
    private var progressAt = TimerEngine.Instant(sinceEpoch: .zero)

    /// Whether nothing is on its way and nothing waits.
    var isEmpty: Bool { sent.isEmpty && waiting.isEmpty }

    /// How many messages have not arrived.
    var count: Int { sent.count + waiting.count }

    /// How many of them are not retained.
    var lossesWhenClosed: Int { sent.values.count { !$0.isRetained } + waiting.values.count { !$0.retain } }

    /// Whether a message need not wait: none waits, and the broker has not enough to acknowledge.
    var isOpen: Bool { waiting.isEmpty && sentBytes < Self.window }

    /// The next message to send; nil where none waits or the broker has enough to acknowledge.
    var next: OutgoingMessage? { !waiting.isEmpty && sentBytes < Self.window ? waiting[firstPlace] : nil }

    /// When the broker is lost if it acknowledges nothing before; nil while nothing waits for it.
    var deadline: TimerEngine.Instant? { waiting.isEmpty ? nil : progressAt + Self.patience }

    /// Adds a message at the end; returns false where too many wait already.
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

    /// Takes the next message out, whatever became of it.
    mutating func removeNext() {
        guard let message = waiting.removeValue(forKey: firstPlace) else { return }
        if message.retain { retained[message.topic] = nil }
        firstPlace += 1
    }

    /// Notes that a message was sent.
    mutating func noteSent(_ message: OutgoingMessage, _ identifier: Int32, bytes: Int, at now: TimerEngine.Instant) {
        if sent.isEmpty { progressAt = now }
        sent[identifier] = Sent(topic: message.topic, bytes: bytes, isRetained: message.retain)
        sentBytes += bytes
    }

    /// Notes that not all that the broker sent is read, so that there may be acknowledgements among it.
    mutating func noteProgress(at now: TimerEngine.Instant) { progressAt = now }

    /// Notes an acknowledgement; returns what it was for.
    mutating func noteAcknowledged(_ identifier: Int32, at now: TimerEngine.Instant) -> Sent? {
        guard let message = sent.removeValue(forKey: identifier) else { return nil }
        sentBytes -= message.bytes
        progressAt = now
        return message
    }
}
