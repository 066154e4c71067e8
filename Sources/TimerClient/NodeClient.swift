public import TimerEngine
public import TimerProtocol

/// What a client of nodes knows and does: it mirrors each node, and sends commands that wait for their responses.
///
/// A client is a value without I/O and without a clock. Whoever has the connection to the broker passes each event to
/// ``handle(_:at:)``, performs the effects that come back, and calls again with ``Event/timePassed`` at ``nextInstant``.
public struct NodeClient: Sendable {
    /// The most nodes that are mirrored. Anybody who may publish can make up nodes, so that their number has a bound.
    ///
    /// Where there is no room for another, a client that asks for the time finds out which nodes answer. One that does
    /// takes the place of one that never did.
    public static let maximumNodes = 1000

    /// The first level, or levels, of each topic.
    public let prefix: String
    /// The topics to subscribe to, retained messages included.
    public let filters: [String]
    /// The nodes, by their ids: each that has published something that was not cleared since.
    public private(set) var nodes: [String: NodeMirror] = [:]
    /// Whether there is a connection to the broker. Without one each node is shown as it was last heard of.
    public private(set) var isConnected = false

    private var commands = PendingCommands()
    private var discovery = NodeDiscovery()

    /// The id of this machine's boot; nil where it is hidden.
    private let boot: String?
    /// What the ids of questions for the time begin with; nil where nobody asks.
    private let name: String?
    private var seeds: SplitMix64

    /// A client that is not connected yet.
    ///
    /// - Parameters:
    ///   - prefix: the first level, or levels, of each topic.
    ///   - nodes: the ids of the nodes to mirror; nil for all.
    ///   - kinds: the topics of a node that are wanted. Responses come only with `TopicKind.response`.
    ///   - boot: the id of this machine's boot, if the instants count from that: a node in the same boot has the same
    ///     clock.
    ///   - name: asks nodes for their time, which needs their responses, so that counting rests on no wall clock and on
    ///     no message's way: what the ids of these questions begin with, different for each client. Nil for not asking.
    ///   - seed: for the moments of these questions.
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

    /// What happened.
    public enum Event: Hashable, Sendable {
        /// The broker accepted the connection.
        case connected
        /// The connection ended.
        case disconnected
        /// A message arrived; `retained` says whether the broker had kept it from before.
        case message(topic: String, payload: [UInt8], retained: Bool)
        /// The broker refused what was published on a topic, and why.
        case rejected(topic: String, reason: String)
        /// A command is to be sent.
        case send(OutgoingCommand)
        /// ``NodeClient/nextInstant`` came.
        case timePassed
    }

    /// What is to be done, or is news.
    public enum Effect: Hashable, Sendable {
        /// Subscribe to these topic filters, with QoS 1 and the retained messages.
        case subscribe([String])
        /// Publish this with QoS 1, not retained. With MQTT 5 the broker is to pass it on no later than after `expiry`.
        case publish(topic: String, payload: [UInt8], expiry: Duration)
        /// Publish this with QoS 0, not retained: a question for the time, whose answer tells less the later it comes.
        case ask(topic: String, payload: [UInt8])
        /// Something is known of the node that was not known before.
        case changed(node: String, TopicKind)
        /// The node reports an event.
        case event(node: String, EventMessage)
        /// A node answered a command; `payload` is the response as it came.
        case response(command: OutgoingCommand, node: String, Response, payload: [UInt8])
        /// Nothing more is to be expected of a command.
        case ended(command: OutgoingCommand, CommandEnd)
        /// What was published on the topic is not what a node publishes there. It was ignored.
        case unreadable(topic: String, PayloadError)
    }

    /// When ``handle(_:at:)`` is to be called with ``Event/timePassed``: at the next timeout of a command, and the next
    /// question for a node's time; nil for never.
    ///
    /// What counts down does not need it; see ``NodeMirror/nextSecond(after:)``.
    public var nextInstant: TimerEngine.Instant? {
        var earliest = commands.nextInstant
        guard isConnected, name != nil else { return earliest }
        if let next = discovery.nextInstant { earliest = earliest.map { min($0, next) } ?? next }
        for node in nodes.values where node.isOnline {
            if let next = node.time.nextInstant { earliest = earliest.map { min($0, next) } ?? next }
        }
        return earliest
    }

    /// Takes note of an event.
    ///
    /// - Returns: what is to be done and what is news, in this order.
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

    /// Ends all commands, for a client that will not be used any more.
    package mutating func giveUp() -> [Effect] { commands.giveUp() }

    /// A node that did not answer a command may not be there: it is asked for its time.
    private mutating func unanswered(_ effect: Effect, at now: Instant) -> [Effect] {
        guard case .ended(let command, .timedOut(responses: 0)) = effect, case .node(let id) = command.recipient,
            nodes[id]?.lost() == true
        else { return [] }
        nodes[id]?.time.connected(at: now)
        return [.changed(node: id, .availability)]
    }

    /// The questions for the time that are due.
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

    /// A node answered the question to all. One that there was no place for takes that of one that never answered, and
    /// publishes again all that was not heard.
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
            let request = Request(command: .state)
            effects.append(
                .publish(
                    topic: request.topic(prefix: prefix, for: .node(id)), payload: request.payload, expiry: .seconds(5))
            )
        }
        nodes[id]?.hasAnswered = true
        return effects
    }

    /// A node that was not known before.
    private mutating func newNode(_ id: String) -> NodeMirror {
        let requests = name.map { TimeRequests(name: "\($0)-\(id)", seed: seeds.next()) }
        return NodeMirror(id: id, time: NodeTime(ownBoot: boot, requests: requests))
    }

    private mutating func heard(_ node: String) -> [Effect] {
        nodes[node]?.heard() == true ? [.changed(node: node, .availability)] : []
    }

    private mutating func receive(_ name: String, _ payload: [UInt8], retained: Bool, at now: Moment) -> [Effect] {
        // What can be no node's id would be a recipient of commands that means others: `all`, or a group.
        guard let topic = PublishedTopic(name, prefix: prefix), Identifier.isValid(topic.node) else { return [] }
        let node = topic.node
        // An empty message removes what was retained.
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
                return isOther ? [.changed(node: node, .state)] : news
            }
            return news + commands.answered(by: node, response, payload)
        case .event(let event):
            return heard(node) + [.event(node: node, event)]
        default:
            if nodes[node] == nil {
                // A tick by itself tells nothing of a node, and nobody can clear it.
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
