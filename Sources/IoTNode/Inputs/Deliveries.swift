internal import BrokerLink
internal import TimerEngine

/// Distinguishes copies of a message from new messages with the same content.
///
/// Where several subscriptions match a topic, a broker sends a message once for all of them or once for each, right
/// after each other (MQTT 5, 3.3.4; MQTT 3.1.1, 3.3.5). mosquitto sends one for each in MQTT 5, and in MQTT 3.1.1 with
/// `allow_duplicate_messages true`.
struct Deliveries: Hashable, Sendable {
    /// Without identifiers, a message that comes later than this after the first one is no copy.
    static let longestDelay: Duration = .milliseconds(200)
    /// A broker that has sent no copy within this time sends none at all.
    static let patience: Duration = .seconds(1)

    /// A message that copies may follow.
    private struct Delivered: Hashable, Sendable {
        /// All but the identifiers, which differ between copies.
        let content: IncomingMessage
        let at: Instant
        var identifiers: Set<Int>
        var copies = 0
        /// How many copies there may be.
        let copiesMaximum: Int
    }

    private var last: Delivered?
    private var sendsNoCopies = false

    /// Whether a message is a copy of the one before.
    ///
    /// With identifiers that is certain: a copy is for another subscription, and a second message for the same
    /// subscription is new. Without them we guess, from the possible number of copies and from the time.
    ///
    /// - Parameters:
    ///   - message: the message that came.
    ///   - count: how many subscriptions match its topic.
    ///   - now: when it came.
    /// - Returns: whether it was delivered before.
    mutating func isCopy(_ message: IncomingMessage, of count: Int, at now: Instant) -> Bool {
        var content = message
        content.subscriptions = []
        if let last, last.content == content, mayBeCopy(message, of: last, at: now) {
            self.last?.identifiers.formUnion(message.subscriptions)
            self.last?.copies += 1
            return true
        }
        if let last, last.copies == 0, last.at.duration(to: now) >= Self.patience { sendsNoCopies = true }
        last = nil
        if count > 1 {
            last = Delivered(
                content: content, at: now, identifiers: Set(message.subscriptions), copiesMaximum: count - 1)
        }
        return false
    }

    private func mayBeCopy(_ message: IncomingMessage, of last: Delivered, at now: Instant) -> Bool {
        guard message.subscriptions.isEmpty, last.identifiers.isEmpty else {
            return last.identifiers.isDisjoint(with: message.subscriptions)
        }
        return !sendsNoCopies && last.copies < last.copiesMaximum
            && last.at.duration(to: now) < Self.longestDelay
    }
}
