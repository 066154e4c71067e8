package import BrokerLink
internal import FoundationEssentials
package import LinuxSystem
internal import Mosquitto
package import NodeConfiguration
package import TimerClient
package import TimerEngine
package import TimerProtocol

/// A running client: a ``NodeClient``, its connection, and the loop that waits for events.
///
/// It is the client's counterpart of `NodeLoop`: one thread, one `poll`, no wake-up without a reason.
package final class ClientSession {
    /// The result of one wait.
    package struct Step {
        /// The effects that the caller has to handle.
        package var effects: [NodeClient.Effect] = []
        /// The other descriptors that are ready.
        package var ready: [Interest] = []
        /// Whether a termination signal arrived.
        package var isTerminated = false
    }

    package private(set) var client: NodeClient
    /// The broker and the reason why there is no connection to it; nil while connected, and until the first attempt
    /// ends.
    package private(set) var fault: String?
    /// The last subscription or message that the broker refused, except a subscription that it accepted later.
    package private(set) var rejection: String?
    /// Whether attempts at all brokers have failed since the last connection.
    package private(set) var hasFailed = false
    /// The messages on topics that do not belong to a node, once ``subscribe(_:)`` has been called.
    package private(set) var otherMessages: [IncomingMessage] = []
    private var wantsOthers = false
    private var failedAttempts = 0

    package let mqtt: NodeConfiguration.MQTT
    private let clock: any NodeClock
    private let connection: any MQTTConnection
    private let signals: ProcessSignals?
    private var link: Link
    /// The filter of the subscription in ``rejection``.
    private var rejectedFilter: String?

    /// Creates a client that begins to connect with its first ``step(until:watching:)``.
    ///
    /// - Parameters:
    ///   - mqtt: the brokers.
    ///   - nodes: the ids of the nodes to mirror; nil for all.
    ///   - kinds: the topics of each node to subscribe to.
    ///   - name: the prefix of the client identifier.
    ///   - asksTime: whether to query the nodes for their time, so that counting is exact; this needs their responses.
    ///   - signals: the termination signals; nil to leave them with their default action.
    ///   - clock: the clocks of the machine.
    ///   - connection: the connection, which is not connected yet.
    ///   - seed: the seed of the client id and of random delays.
    package init(
        _ mqtt: NodeConfiguration.MQTT, nodes: [String]? = nil, kinds: [TopicKind], name: String = "timer-client",
        asksTime: Bool = false, signals: ProcessSignals? = nil, clock: any NodeClock = BootClock(),
        connection: any MQTTConnection = MosquittoConnection(), seed: UInt64 = .random(in: .min ... .max)
    ) {
        (self.mqtt, self.signals, self.clock, self.connection) = (mqtt, signals, clock, connection)
        // A separate client id, since the node uses the one in the configuration. MQTT 3.1.1 guarantees 23 bytes.
        let clientID = "\(name)-\(String(UInt32(truncatingIfNeeded: seed), radix: 16))"
        client = NodeClient(
            prefix: mqtt.prefix, nodes: nodes, kinds: kinds, boot: clock.boot,
            askingTimeAs: asksTime ? clientID : nil, seed: seed)
        var settings = mqtt.link
        settings.clientID = clientID
        link = Link(settings, seed: seed, longestDelay: .seconds(5))
        link.start(at: now.instant)
    }

    /// The current moment, as the client's type.
    package var now: NodeClient.Moment {
        let now = clock.now
        return NodeClient.Moment(instant: now.instant, date: now.date)
    }

    /// The broker that is connected, or will be tried next.
    package var broker: Broker { link.broker }

    /// The version of MQTT that is used with it.
    package var version: MQTTVersion { link.version }

    /// When ``step(until:watching:)`` returns at the latest, unless something happens before; nil for never.
    package var nextInstant: Instant? {
        [client.nextInstant, link.nextInstant, signals?.nextInstant, connection.nextInstant].compactMap(\.self).min()
    }

    /// Waits until something happens, and passes it to the client.
    ///
    /// - Parameters:
    ///   - deadline: when to return at the latest; nil for never.
    ///   - other: further descriptors to wait for.
    package func step(until deadline: Instant?, watching other: [Interest] = []) -> Step {
        if let error = link.performSteps(on: connection, at: now.instant) { lost(error) }
        let own = (signals?.interests ?? [], connection.interests)
        let due = [deadline, nextInstant].compactMap(\.self).min()
        let ready = clock.wait(for: own.0 + own.1 + other, until: due)
        var step = Step()
        step.ready = ready.among(other)
        // A client has no configuration to reload, so every signal ends it.
        step.isTerminated = signals?.takeEvents(ready: ready.among(own.0), at: now.instant).isEmpty == false
        for event in connection.takeEvents(ready: ready.among(own.1), at: now.instant) { step.effects += apply(event) }
        if let due = client.nextInstant, due <= now.instant { step.effects += handle(.timePassed) }
        return step
    }

    /// Creates a command with a new id.
    package func command(
        _ command: Command, to recipient: CommandRecipient, timeout: Duration = .seconds(5)
    ) -> OutgoingCommand {
        OutgoingCommand(id: UUID().uuidString.lowercased(), to: recipient, command, timeout: timeout)
    }

    /// Passes an event to the client and performs its effects; returns those that the caller has to handle.
    package func handle(_ event: NodeClient.Event) -> [NodeClient.Effect] {
        var news: [NodeClient.Effect] = []
        for effect in client.handle(event, at: now) {
            switch effect {
            case .subscribe(let filters): add(filters)
            case .publish(let topic, let payload, let expiry):
                connection.publish(OutgoingMessage(topic: topic, payload: payload, expiry: expiry))
            case .ask(let topic, let payload):
                connection.publish(OutgoingMessage(topic: topic, payload: payload, qos: .atMostOnce))
            case .changed, .event, .response, .ended, .unreadable: news.append(effect)
            }
        }
        return news
    }

    /// Subscribes to topics that do not belong to a node; see ``otherMessages``.
    package func subscribe(_ filters: [String]) {
        wantsOthers = true
        add(filters)
    }

    private func add(_ filters: [String]) {
        let subscriptions = filters.map { Subscription($0, sendsRetained: true) }
        link.subscribed(to: subscriptions)
        connection.subscribe(subscriptions)
    }

    /// Deletes the message that the broker retains on a topic.
    package func clear(_ topic: String) { connection.publish(OutgoingMessage(topic: topic, payload: [], retain: true)) }

    /// Gives up on all commands, waits a moment for the last messages to leave, and disconnects.
    ///
    /// - Returns: the outcomes of the commands.
    @discardableResult
    package func leave(timeout: Duration = .seconds(2)) -> [NodeClient.Effect] {
        connection.disconnect(timeout: timeout)
        return client.giveUp()
    }
}

// MARK: - The connection

extension ClientSession {
    private func apply(_ event: ConnectionEvent) -> [NodeClient.Effect] {
        switch event {
        case .connected:
            link.connected(at: now.instant)
            (fault, failedAttempts, hasFailed) = (nil, 0, false)
            return handle(.connected)
        case .lost(let error):
            lost(error)
            return client.isConnected ? handle(.disconnected) : []
        case .accepted(let filter):
            link.accepted(filter)
            if filter == rejectedFilter { (rejection, rejectedFilter) = (nil, nil) }
            return []
        case .rejected(let rejected): return apply(rejected)
        case .tooLarge(let topic, let bytes, let limit):
            let reason = "\(topic) is \(bytes) bytes, but the broker accepts packets of at most \(limit) bytes"
            rejection = reason
            return handle(.rejected(topic: topic, reason: reason))
        case .leftOut, .dropped: return []
        case .message(let message):
            if wantsOthers, PublishedTopic(message.topic, prefix: client.prefix) == nil {
                otherMessages.append(message)
            }
            return handle(.message(topic: message.topic, payload: message.payload, retained: message.retained))
        }
    }

    private func apply(_ rejected: Rejection) -> [NodeClient.Effect] {
        let reason = "\(broker) refuses \(rejected)"
        rejection = reason
        guard case .subscription(let filter) = rejected.subject else {
            return handle(.rejected(topic: rejected.topic, reason: reason))
        }
        rejectedFilter = filter
        if rejected.code != nil { _ = link.refused(filter, at: now.instant) }
        return []
    }

    private func lost(_ error: ConnectionError) {
        fault = "\(broker): \(error)"
        if rejectedFilter != nil { (rejection, rejectedFilter) = (nil, nil) }
        guard !link.lost(error, at: now.instant).triesOlder else { return }
        failedAttempts += 1
        hasFailed = failedAttempts >= mqtt.link.brokers.count
    }
}
