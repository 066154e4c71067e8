internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// All remotes of a node. They convert messages from other devices to commands.
struct Remotes: Hashable, Sendable {
    /// The meaning of a message for a remote.
    enum Finding: Hashable, Sendable {
        /// A button of the remote was pressed.
        case pressed(BoundCommand, value: String)
        /// The message has no effect.
        case nothing(because: String)
        /// The message cannot be read.
        case unreadable(because: String, isLogged: Bool)
    }

    /// A press that was executed, kept so its repeats can be recognised.
    private struct Press: Hashable, Sendable {
        let remote: Int
        let topic: String
        let value: String
        let at: Instant
    }

    private let settings: [NodeConfiguration.Remote]
    /// The topic filters of all remotes, without duplicates.
    private let filters: [TopicFilter]
    private var presses: [Press] = []
    private var deliveries = Deliveries()
    /// A device may send unreadable messages forever, so only one a minute is logged.
    private var unreadableLog = TokenBucket(rate: 1 / 60, burst: 1)

    /// A payload counts once for each full 4 KiB. A smaller one does not count, because a device may send many messages
    /// and no press must be missed.
    private var largeMessages = TokenBucket(rate: 50, burst: 100)

    /// The maximum number of presses that are remembered. It is limited because a wildcard may match any number of
    /// topics.
    private static let capacity = 1024

    init(_ settings: [NodeConfiguration.Remote]) {
        self.settings = settings
        filters = settings.indices.filter { index in
            !settings[..<index].contains { $0.topic == settings[index].topic }
        }.map { settings[$0].topic }
    }

    /// The subscriptions, without the publisher's retain flag: some devices publish each press retained.
    ///
    /// Overlapping filters have identifiers, which show which messages are copies.
    var subscriptions: [Subscription] {
        filters.enumerated().map { place, filter in
            let overlaps = filters.enumerated().contains { $0.offset != place && $0.element.overlaps(filter) }
            return Subscription(filter.description, identifier: overlaps ? place + 1 : nil)
        }
    }

    /// Whether a remote receives messages on a topic.
    func subscribes(to topic: String) -> Bool { filters.contains { $0.matches(topic) } }

    /// Resets the detection of copies, because the new broker may deliver them differently.
    mutating func connected() { deliveries = Deliveries() }

    /// Matches a message with the remotes.
    ///
    /// - Returns: its meaning for each remote whose filter matches its topic, in the order of the configuration.
    mutating func match(
        _ message: IncomingMessage, at now: Instant
    ) -> [(remote: NodeConfiguration.Remote, finding: Finding)] {
        let matching = settings.indices.filter { settings[$0].topic.matches(message.topic) }
        if matching.isEmpty { return [] }
        if let reason = staleReason(in: message, at: now) ?? floodReason(of: message, at: now) {
            return matching.map { (settings[$0], .nothing(because: reason)) }
        }
        return matching.map { (settings[$0], finding($0, message, at: now)) }
    }

    /// Returns why a message does not report a new press; nil if it may.
    private mutating func staleReason(in message: IncomingMessage, at now: Instant) -> String? {
        // A retained message's send time is unknown.
        if message.retained { return "the message is retained" }
        let count = filters.count { $0.matches(message.topic) }
        return deliveries.isCopy(message, of: count, at: now) ? "the broker sent it again" : nil
    }

    /// Returns why a message is not parsed if too much data has arrived; nil otherwise.
    private mutating func floodReason(of message: IncomingMessage, at now: Instant) -> String? {
        let portions = message.payload.count / RateLimit.portion
        guard portions > 0, !largeMessages.consume(Double(portions), at: now) else { return nil }
        return "too many large messages arrived"
    }

    private mutating func finding(_ index: Int, _ message: IncomingMessage, at now: Instant) -> Finding {
        let remote = settings[index]
        let value: String
        do throws(NodeConfiguration.Remote.Unreadable) {
            switch try remote.reading(of: message.payload) {
            case .value(let found): value = found
            case .nothing(let reason): return .nothing(because: reason)
            }
        } catch {
            return .unreadable(because: error.description, isLogged: unreadableLog.consume(at: now))
        }
        guard let command = remote.commands[value] else {
            return .nothing(because: "\(value.quoted) is not in its map")
        }
        let press = Press(remote: index, topic: message.topic, value: value, at: now)
        return isRepeat(press) ? .nothing(because: "\(value.quoted) is repeated") : .pressed(command, value: value)
    }

    /// Returns whether the same press has just arrived; if not, remembers it.
    ///
    /// The time counts from the executed press, not from its last repeat, so a button that is pressed repeatedly acts
    /// repeatedly. The same value on another topic comes from a different button that matches the same wildcard.
    private mutating func isRepeat(_ press: Press) -> Bool {
        presses.removeAll { $0.at.duration(to: press.at) >= settings[$0.remote].ignoreRepeat }
        let isKnown = presses.contains {
            $0.remote == press.remote && $0.topic == press.topic && $0.value == press.value
        }
        if !isKnown {
            if presses.count == Self.capacity { presses.removeFirst() }
            presses.append(press)
        }
        return isKnown
    }
}

/// Distinguishes copies of a message from new messages with the same content.
///
/// If several subscriptions match a topic, a broker sends a message either once for all of them or once for each, in
/// immediate succession (MQTT 5, 3.3.4; MQTT 3.1.1, 3.3.5). mosquitto sends a copy for each with MQTT 5, and with MQTT
/// 3.1.1 if `allow_duplicate_messages` is true.
struct Deliveries: Hashable, Sendable {
    /// Without identifiers, a message that arrives more than this long after the first one is not a copy.
    static let longestDelay: Duration = .milliseconds(200)
    /// A broker that has sent no copy within this time never sends copies.
    static let timeout: Duration = .seconds(1)

    /// A message that may be followed by copies.
    private struct Delivered: Hashable, Sendable {
        /// The message without the identifiers, which differ between copies.
        let content: IncomingMessage
        let at: Instant
        var identifiers: Set<Int>
        var copies = 0
        /// The maximum number of copies that may follow.
        let copiesMaximum: Int
    }

    private var last: Delivered?
    private var sendsNoCopies = false

    /// Returns whether a message is a copy of the previous one.
    ///
    /// With identifiers this is certain: a copy is for another subscription, and a second message for the same
    /// subscription is new. Without identifiers, the result is a guess based on the possible number of copies and the
    /// time.
    ///
    /// - Parameters:
    ///   - message: the message that arrived.
    ///   - count: how many subscriptions match its topic.
    ///   - now: when it arrived.
    /// - Returns: whether the message was already delivered.
    mutating func isCopy(_ message: IncomingMessage, of count: Int, at now: Instant) -> Bool {
        var content = message
        content.subscriptions = []
        if let last, last.content == content, mayBeCopy(message, of: last, at: now) {
            self.last?.identifiers.formUnion(message.subscriptions)
            self.last?.copies += 1
            return true
        }
        if let last, last.copies == 0, last.at.duration(to: now) >= Self.timeout { sendsNoCopies = true }
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
