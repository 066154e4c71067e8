internal import TimerEngine

/// Tells copies of a message from messages that say the same.
///
/// Where several subscriptions match a topic, a broker sends a message once for all of them or once for each, right
/// after each other (MQTT 5, 3.3.4; MQTT 3.1.1, 3.3.5). mosquitto sends one for each in MQTT 5, and in MQTT 3.1.1 with
/// `allow_duplicate_messages true`.
struct Deliveries: Hashable, Sendable {
    /// Without identifiers, what comes later than this after the message is no copy of it.
    static let longestDelay: Duration = .milliseconds(200)
    /// A broker that has sent no copy in this time sends none.
    static let patience: Duration = .seconds(1)

    /// A message that copies may follow.
    private struct Delivered: Hashable, Sendable {
        /// All but the identifiers, which differ between copies.
        let content: IncomingMessage
        let at: TimerEngine.Instant
        var identifiers: Set<Int>
        var copies = 0
        /// How many copies there may be.
        let copiesMaximum: Int
    }

    private var last: Delivered?
    private var sendsNoCopies = false

    /// Whether a message is a copy of the one before.
    ///
    /// With identifiers that is certain: a copy is for another subscription, and what comes for the same one is another
    /// message. Without them it takes a guess, from the number of copies that there may be and from the time.
    ///
    /// - Parameters:
    ///   - message: the message that came.
    ///   - count: how many subscriptions match its topic.
    ///   - now: when it came.
    /// - Returns: whether it was delivered before.
    mutating func isCopy(_ message: IncomingMessage, of count: Int, at now: TimerEngine.Instant) -> Bool {
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

    private func mayBeCopy(_ message: IncomingMessage, of last: Delivered, at now: TimerEngine.Instant) -> Bool {
        guard message.subscriptions.isEmpty, last.identifiers.isEmpty else {
            return last.identifiers.isDisjoint(with: message.subscriptions)
        }
        return !sendsNoCopies && last.copies < last.copiesMaximum
            && last.at.duration(to: now) < Self.longestDelay
    }
}
