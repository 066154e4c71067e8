internal import BrokerLink
internal import NodeConfiguration
internal import TimerEngine
internal import TimerProtocol

/// All the remotes of a node: messages of other devices in, commands out.
struct Remotes: Hashable, Sendable {
    /// What a message means to a remote.
    enum Finding: Hashable, Sendable {
        /// Somebody pressed.
        case pressed(BoundCommand, value: String)
        /// The remote has no use for it.
        case nothing(because: String)
        /// It cannot be read.
        case unreadable(because: String, isLogged: Bool)
    }

    /// A press that was executed, to recognise a repeat of it.
    private struct Press: Hashable, Sendable {
        let remote: Int
        let topic: String
        let value: String
        let at: Instant
    }

    private let settings: [NodeConfiguration.Remote]
    /// The topic filters of all remotes, each once.
    private let filters: [TopicFilter]
    private var presses: [Press] = []
    private var deliveries = Deliveries()
    /// A device may send unreadable messages for ever, so one a minute is logged.
    private var unreadableLog = TokenBucket(rate: 1 / 60, burst: 1)

    /// A payload counts for each portion of 4 KiB that it has. One that is smaller is read without being counted: a device
    /// may have much to say, and each press is to be heard.
    private var largeMessages = TokenBucket(rate: 50, burst: 100)

    /// The most presses that are remembered; a wildcard may stand for any number of topics.
    private static let capacity = 1024

    init(_ settings: [NodeConfiguration.Remote]) {
        self.settings = settings
        filters = settings.indices.filter { index in
            !settings[..<index].contains { $0.topic == settings[index].topic }
        }.map { settings[$0].topic }
    }

    /// What to subscribe to, without the retain flag of the publisher: some devices publish each press retained.
    ///
    /// Filters that overlap have an identifier, which shows which messages are copies.
    var subscriptions: [Subscription] {
        filters.enumerated().map { place, filter in
            let overlaps = filters.enumerated().contains { $0.offset != place && $0.element.overlaps(filter) }
            return Subscription(filter.description, identifier: overlaps ? place + 1 : nil)
        }
    }

    /// Whether what is published on a topic comes for a remote.
    func subscribes(to topic: String) -> Bool { filters.contains { $0.matches(topic) } }

    /// The connection is new, perhaps to a broker that delivers copies in another way.
    mutating func connected() { deliveries = Deliveries() }

    /// Matches a message with the remotes.
    ///
    /// - Returns: what it means to each remote whose filter matches its topic, in the order of the configuration.
    mutating func match(
        _ message: IncomingMessage, at now: Instant
    ) -> [(remote: NodeConfiguration.Remote, finding: Finding)] {
        let matching = settings.indices.filter { settings[$0].topic.matches(message.topic) }
        if matching.isEmpty { return [] }
        if let reason = whatIsOld(in: message, at: now) ?? whatIsTooMuch(of: message, at: now) {
            return matching.map { (settings[$0], .nothing(because: reason)) }
        }
        return matching.map { (settings[$0], finding($0, message, at: now)) }
    }

    /// Why a message is not about something that happened just now; nil if it is.
    private mutating func whatIsOld(in message: IncomingMessage, at now: Instant) -> String? {
        // A retained message's send time is unknown.
        if message.retained { return "the message is retained" }
        let count = filters.count { $0.matches(message.topic) }
        return deliveries.isCopy(message, of: count, at: now) ? "the broker sends it once more" : nil
    }

    /// Why a message is not read, as too much came; nil if it is.
    private mutating func whatIsTooMuch(of message: IncomingMessage, at now: Instant) -> String? {
        let portions = message.payload.count / RateLimit.portion
        guard portions > 0, !largeMessages.consume(Double(portions), at: now) else { return nil }
        return "there are too many large messages"
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
            return .nothing(because: "its map has no \(value.quoted)")
        }
        let press = Press(remote: index, topic: message.topic, value: value, at: now)
        return isRepeat(press) ? .nothing(because: "\(value.quoted) is repeated") : .pressed(command, value: value)
    }

    /// Whether the same press came just before; if not, it is remembered.
    ///
    /// The time counts from the executed press and not from its last repeat, so a button that is pressed
    /// repeatedly acts repeatedly. The same value on another topic is another button, which a wildcard matches too.
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
