public import TimerEngine
public import TimerProtocol

/// A node client. It mirrors each node, sends commands and waits for their responses.
///
/// A client is a value without I/O and without a clock. The owner of the connection to the broker passes each event to
/// ``handle(_:at:)``, performs the effects that it returns, and calls it again with ``Event/timePassed`` at
/// ``nextInstant``.
public struct NodeClient: Sendable {
    /// The maximum number of nodes that are mirrored. Any client that may publish can forge nodes, so their number is
    /// limited.
    ///
    /// If there is no room for another node, a client that requests the time finds out which nodes respond. A node that
    /// responds replaces one that never did.
    public static let maximumNodes = 1000

    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The topic filters to subscribe to, including retained messages.
    public let filters: [String]
    /// The nodes by their ids: each node that has published something that has not been cleared since.
    public private(set) var nodes: [String: NodeMirror] = [:]
    /// Whether there is a connection to the broker. Without one, each node is shown as it was last known.
    public private(set) var isConnected = false

    private var commands = PendingCommands()
    private var discovery = NodeDiscovery()

    /// The id of this machine's boot; nil if it is hidden.
    private let boot: String?
    /// The prefix of the ids of requests for the time; nil if no such requests are sent.
    private let name: String?
    private var seeds: SplitMix64

    /// A client that is not connected yet.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - nodes: the ids of the nodes to mirror; nil for all.
    ///   - kinds: the kinds of topics to subscribe to. Responses arrive only with `TopicKind.response`.
    ///   - boot: the id of this machine's boot, if the instants count from that boot: a node in the same boot has the
    ///     same clock.
    ///   - name: the prefix of the ids of requests for the time, different for each client; nil to send no such
    ///     requests. With these requests, counting depends neither on wall clocks nor on message delays. They need
    ///     `TopicKind.response`.
    ///   - seed: the seed for the random intervals between these requests.
    public init(
        prefix: String = "timer", nodes: [String]? = nil, kinds: [TopicKind] = TopicKind.allCases, boot: String? = nil,
        askingTimeAs name: String? = nil, seed: UInt64 = .random(in: .min ... .max)
    ) {
        self.prefix = prefix
        self.boot = boot.flatMap { $0.isEmpty ? nil : $0 }
        self.name = name
        seeds = SplitMix64(state: seed)
        filters = (nodes ?? ["+"]).flatMap { node in kinds.map { $0.name(prefix: prefix, node: node) } }
    }

    /// An event that the owner reports to the client.
    public enum Event: Hashable, Sendable {
        /// The broker accepted the connection.
        case connected
        /// The connection closed.
        case disconnected
        /// A message arrived; `retained` is true if the broker had stored it before.
        case message(topic: String, payload: [UInt8], retained: Bool)
        /// The broker refused a message that was published on a topic, for this reason.
        case rejected(topic: String, reason: String)
        /// A command should be sent.
        case send(OutgoingCommand)
        /// ``NodeClient/nextInstant`` has been reached.
        case timePassed
    }

    /// An action to perform, or something that has changed.
    public enum Effect: Hashable, Sendable {
        /// Subscribe to these topic filters, with QoS 1 and including retained messages.
        case subscribe([String])
        /// Publish this with QoS 1, not retained. With MQTT 5, `expiry` is the expiry interval of the message.
        case publish(topic: String, payload: [UInt8], expiry: Duration)
        /// Publish this with QoS 0, not retained: a request for the time, whose response is less useful the later it
        /// arrives.
        case ask(topic: String, payload: [UInt8])
        /// There is new information about the node from a topic of this kind.
        case changed(node: String, TopicKind)
        /// The node reports an event.
        case event(node: String, EventMessage)
        /// A node responded to a command; `payload` is the response as it was received.
        case response(command: OutgoingCommand, node: String, Response, payload: [UInt8])
        /// The command has ended; no more responses will be reported.
        case ended(command: OutgoingCommand, CommandEnd)
        /// The payload of a message is not valid for its topic. The message was ignored.
        case unreadable(topic: String, PayloadError)
    }

    /// When ``handle(_:at:)`` must be called with ``Event/timePassed``: at the next timeout of a command or the next
    /// request for a node's time; nil for never.
    ///
    /// A countdown does not need these calls; see ``NodeMirror/nextSecond(after:)``.
    public var nextInstant: TimerEngine.Instant? {
        var earliest = commands.nextInstant
        guard isConnected, name != nil else { return earliest }
        if let next = discovery.nextInstant { earliest = earliest.map { min($0, next) } ?? next }
        for node in nodes.values where node.isOnline {
            if let next = node.time.nextInstant { earliest = earliest.map { min($0, next) } ?? next }
        }
        return earliest
    }

    /// Handles an event.
    ///
    /// - Returns: the effects, in the order in which to perform them.
    public mutating func handle(_ event: Event, at now: Moment) -> [Effect] {
        switch event {
        case .connected:
            isConnected = true
            for id in nodes.keys { nodes[id]?.time.connected(at: now.instant) }
            return [.subscribe(filters)] + commands.connected(at: now.instant)
        case .disconnected:
            isConnected = false
            discovery = NodeDiscovery()
            for id in nodes.keys { nodes[id]?.time.disconnected() }
            return nodes.keys.sorted().filter { nodes[$0]?.lost() == true }.map { .changed(node: $0, .availability) }
        case .message(let topic, let payload, let retained):
            return receive(topic, payload, retained: retained, at: now)
        case .rejected(let topic, let reason):
            return commands.rejected(topic: topic, reason: reason)
        case .send(let command):
            return commands.send(command, prefix: prefix, isConnected: isConnected, at: now.instant)
        case .timePassed:
            let ended = commands.expire(at: now.instant)
            return ended + ended.flatMap { unanswered($0, at: now.instant) } + questions(at: now.instant)
        }
    }

    /// Ends all commands, for a client that will no longer be used.
    package mutating func giveUp() -> [Effect] { commands.giveUp() }

    /// A node that did not respond to a command may be gone, so the client requests its time.
    private mutating func unanswered(_ effect: Effect, at now: Instant) -> [Effect] {
        guard case .ended(let command, .timedOut(responses: 0)) = effect, case .node(let id) = command.recipient,
            nodes[id]?.lost() == true
        else { return [] }
        nodes[id]?.time.connected(at: now)
        return [.changed(node: id, .availability)]
    }

    /// Returns the requests for the time that are due.
    private mutating func questions(at now: Instant) -> [Effect] {
        guard isConnected, let name else { return [] }
        var questions: [Effect] = []
        if let next = discovery.nextInstant, next <= now {
            let id = "\(name)-nodes-\(String(seeds.next(), radix: 16))"
            discovery.asked(id, at: now)
            questions.append(question(id, to: .all))
        }
        for id in nodes.keys where nodes[id]?.isOnline == true {
            guard let due = nodes[id]?.time.consumeDue(at: now) else { continue }
            questions.append(question(due, to: .node(id)))
        }
        return questions
    }

    private func question(_ id: String, to recipient: CommandRecipient) -> Effect {
        let request = Request(id: id, command: .time)
        return .ask(topic: request.topic(prefix: prefix, for: recipient), payload: request.payload)
    }

    /// Handles a node's response to the request to all nodes. If there was no room for the node, it replaces one that
    /// never responded, and it receives the command to publish everything again.
    private mutating func found(_ id: String) -> [Effect] {
        var effects: [Effect] = []
        if nodes[id] == nil {
            if nodes.count >= Self.maximumNodes {
                let silent = nodes.values.filter { !$0.hasAnswered }
                guard let given = (silent.first { !$0.isOnline } ?? silent.first)?.id else { return [] }
                nodes[given] = nil
                effects.append(.changed(node: given, .availability))
            }
            nodes[id] = newNode(id)
            effects.append(stateRequest(to: id))
        }
        nodes[id]?.hasAnswered = true
        return effects
    }

    /// Returns the command to publish everything again.
    private func stateRequest(to node: String) -> Effect {
        let request = Request(command: .state)
        return .publish(
            topic: request.topic(prefix: prefix, for: .node(node)), payload: request.payload, expiry: .seconds(5))
    }

    /// Returns the mirror of a node that was not known before.
    private mutating func newNode(_ id: String) -> NodeMirror {
        let requests = name.map { TimeRequests(name: "\($0)-\(id)", seed: seeds.next()) }
        return NodeMirror(id: id, time: NodeTime(ownBoot: boot, requests: requests))
    }

    private mutating func heard(_ node: String) -> [Effect] {
        nodes[node]?.heard() == true ? [.changed(node: node, .availability)] : []
    }

    private mutating func receive(_ name: String, _ payload: [UInt8], retained: Bool, at now: Moment) -> [Effect] {
        // A name that is not valid as a node's id could address other recipients of commands: `all`, or a group.
        guard let topic = PublishedTopic(name, prefix: prefix), Identifier.isValid(topic.node) else { return [] }
        let node = topic.node
        // An empty message clears the retained one.
        if payload.isEmpty {
            guard nodes[node]?.clear(topic.kind) == true else { return [] }
            if nodes[node]?.isEmpty == true { nodes[node] = nil }
            return [.changed(node: node, topic.kind)]
        }
        let message: PublishedMessage
        do throws(PayloadError) { message = try PublishedMessage(topic.kind, payload) } catch {
            return [.unreadable(topic: name, error)]
        }
        switch message {
        case .response(let response):
            let news = heard(node)
            if discovery.isAnswered(by: response) { return news + found(node) }
            if let isOther = nodes[node]?.receive(response, at: now) {
                let isOutdated = nodes[node]?.state?.isOutdated(by: response) == true
                return (isOther ? [.changed(node: node, .state)] : news) + (isOutdated ? [stateRequest(to: node)] : [])
            }
            return news + commands.answered(by: node, response, payload)
        case .event(let event):
            return heard(node) + [.event(node: node, event)]
        default:
            if nodes[node] == nil {
                // A tick on its own does not show that a node exists, and it cannot be cleared.
                guard topic.kind != .tick else { return [] }
                guard nodes.count < Self.maximumNodes else {
                    discovery.want()
                    return []
                }
            }
            var mirror = nodes.removeValue(forKey: node) ?? newNode(node)
            mirror.receive(message, retained: retained, at: now)
            nodes[node] = mirror
            if message == .availability(.offline) { commands.wentOffline(node) }
            return [.changed(node: node, topic.kind)]
        }
    }
}
