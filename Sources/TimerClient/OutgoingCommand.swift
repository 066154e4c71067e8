internal import TimerEngine
public import TimerProtocol

/// A command that a client sends, and for whose responses it waits.
public struct OutgoingCommand: Hashable, Sendable, Identifiable {
    /// The id, which each response repeats: 1 to 128 bytes, different for each command to a node, preferably a UUID.
    public let id: String
    /// The recipient of the command.
    public let recipient: CommandRecipient
    /// The verb of the command.
    public let verb: Verb
    /// The payload, which contains the id.
    public let payload: [UInt8]
    /// How long to wait for responses. With MQTT 5, the command is not carried out after that time.
    public let timeout: Duration
    /// Receives the responses and the end of the command; nil if nothing is waiting for them.
    package var waiter: CommandWaiter?

    /// A command with its id.
    public init(id: String, to recipient: CommandRecipient, _ command: Command, timeout: Duration = .seconds(5)) {
        self.init(
            id: id, to: recipient, command.verb, payload: Request(id: id, command: command).payload, timeout: timeout)
    }

    /// A command with a ready-made payload, which only the recipient checks.
    ///
    /// - Parameter payload: a JSON object with the id as its field `id`.
    public init(
        id: String, to recipient: CommandRecipient, _ verb: Verb, payload: [UInt8], timeout: Duration = .seconds(5)
    ) {
        self.id = id
        self.recipient = recipient
        self.verb = verb
        self.payload = payload
        self.timeout = timeout
    }
}

/// Receives the responses and the end of a command. The command carries it, so no table of waiters is needed.
package final class CommandWaiter: Hashable, Sendable {
    private let told: @Sendable (NodeClient.Effect) -> Void

    /// - Parameter told: called with each response to the command, and finally with its end.
    package init(_ told: @escaping @Sendable (NodeClient.Effect) -> Void) { self.told = told }

    package static func == (one: CommandWaiter, other: CommandWaiter) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Passes each response and each end to the command's waiter.
    package static func tell(_ effects: [NodeClient.Effect]) {
        for effect in effects {
            switch effect {
            case .response(let command, _, _, _), .ended(let command, _): command.waiter?.told(effect)
            case .subscribe, .publish, .ask, .changed, .event, .unreadable: break
            }
        }
    }
}

/// Why a command has ended.
public enum CommandEnd: Hashable, Sendable {
    /// The one node that it was sent to has responded.
    case answered
    /// Its timeout passed; `responses` is the number of nodes that had responded.
    case timedOut(responses: Int)
    /// The broker refused to deliver it, for this reason.
    case rejected(String)
    /// There was no connection. The command was not sent and will not be sent.
    case notConnected
}

/// The commands that were sent and still wait for responses.
struct PendingCommands: Hashable, Sendable {
    /// A node does not carry out a command with the same id again within 10 s of the first. A command whose response
    /// may have been lost with the connection is sent again only within a shorter time.
    static let repeatWindow: Duration = .seconds(8)

    private struct Pending: Hashable, Sendable {
        let command: OutgoingCommand
        let topic: String
        let sentAt: Instant
        var responders: Set<String> = []
        /// False once a node whose response is awaited has gone offline: after a restart, it does not remember the
        /// commands that it carried out.
        var mayBeRepeated = true

        var deadline: Instant { sentAt + command.timeout }

        /// Whether a response with the command's id from a node answers the command.
        func waits(for node: String) -> Bool {
            switch command.recipient {
            case .node(let recipient): recipient == node
            case .all, .group: !responders.contains(node)
            }
        }

        /// Returns what to publish now. The message expires when the client no longer waits for responses.
        func publication(at now: TimerEngine.Instant) -> NodeClient.Effect {
            .publish(topic: topic, payload: command.payload, expiry: now.duration(to: deadline))
        }
    }

    /// The commands in the order in which they were sent.
    private var pending: [Pending] = []

    var nextInstant: Instant? { pending.map(\.deadline).min() }

    mutating func send(
        _ command: OutgoingCommand, prefix: String, isConnected: Bool, at now: Instant
    ) -> [NodeClient.Effect] {
        // A command must not be carried out after its sender has given up on it.
        guard isConnected else { return [.ended(command: command, .notConnected)] }
        let sent = Pending(
            command: command, topic: command.recipient.topic(prefix: prefix, verb: command.verb), sentAt: now)
        pending.append(sent)
        return [sent.publication(at: now)]
    }

    /// Sends commands again if they or their responses may have been lost. No node carries out a command twice.
    func connected(at now: Instant) -> [NodeClient.Effect] {
        pending.filter { $0.mayBeRepeated && $0.sentAt.duration(to: now) < Self.repeatWindow }
            .map { $0.publication(at: now) }
    }

    mutating func wentOffline(_ node: String) {
        for place in pending.indices where pending[place].waits(for: node) { pending[place].mayBeRepeated = false }
    }

    mutating func answered(by node: String, _ response: Response, _ payload: [UInt8]) -> [NodeClient.Effect] {
        // Commands to several nodes may have the same id.
        guard let id = response.id,
            let place = pending.firstIndex(where: { $0.command.id == id && $0.waits(for: node) })
        else { return [] }
        let command = pending[place].command
        let answer = NodeClient.Effect.response(command: command, node: node, response, payload: payload)
        guard case .node = command.recipient else {
            pending[place].responders.insert(node)
            return [answer]
        }
        pending.remove(at: place)
        return [answer, .ended(command: command, .answered)]
    }

    mutating func rejected(topic: String, reason: String) -> [NodeClient.Effect] {
        end({ $0.topic == topic }, with: { _ in .rejected(reason) })
    }

    /// Ends all commands, because no more responses will arrive.
    mutating func giveUp() -> [NodeClient.Effect] {
        end({ _ in true }, with: { .timedOut(responses: $0.responders.count) })
    }

    mutating func expire(at now: Instant) -> [NodeClient.Effect] {
        end({ $0.deadline <= now }, with: { .timedOut(responses: $0.responders.count) })
    }

    private mutating func end(
        _ isOver: (Pending) -> Bool, with end: (Pending) -> CommandEnd
    ) -> [NodeClient.Effect] {
        let over = pending.filter(isOver)
        pending.removeAll(where: isOver)
        return over.map { .ended(command: $0.command, end($0)) }
    }
}
