internal import BrokerLink
internal import BrokerSession
internal import LinuxSystem
internal import Logging
internal import NodeConfiguration
internal import ServiceLifecycle
internal import Synchronization
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

/// The connection to the broker, on a separate thread that drives libmosquitto and the node client.
///
/// Other threads pass it commands and receive immutable snapshots; they share nothing else with it.
final class BrokerThread: Sendable {
    private let mqtt: NodeConfiguration.MQTT
    /// The ids of the visible nodes; nil for all nodes on the broker.
    private let nodes: [String]?
    private let name: String
    private let logger: Logger
    private let inbox = Mutex(Inbox())
    /// Signalled when the inbox is not empty.
    private let flag: EventFD
    /// Called on the thread with each snapshot that differs from the previous one.
    private let publish: @Sendable (Snapshot) -> Void
    private let ended = OneShot<Void>()

    /// The requests from other threads.
    private struct Inbox {
        var commands: [OutgoingCommand] = []
        /// Callers that wait for the thread's next iteration.
        var rounds: [OneShot<Void>] = []
        var isClosed = false
    }

    /// Creates a connection; ``start()`` opens it.
    ///
    /// - Parameters:
    ///   - mqtt: the brokers.
    ///   - nodes: the ids of the nodes to listen to; nil for all.
    ///   - name: the beginning of the client identifier.
    ///   - logger: logs changes of the connection, and refusals by the broker.
    ///   - publish: called on the thread with each new snapshot.
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    init(
        _ mqtt: NodeConfiguration.MQTT, nodes: [String]?, name: String, logger: Logger,
        publish: @escaping @Sendable (Snapshot) -> Void
    ) throws(SystemError) {
        self.mqtt = mqtt
        self.nodes = nodes
        self.name = name
        self.logger = logger
        self.publish = publish
        flag = try EventFD()
    }

    /// Starts the thread.
    ///
    /// - Throws: ``SystemError`` if the thread cannot be created.
    func start() throws(SystemError) { try HelperThread.start { [self] in run() } }

    /// Sends a command to a node and waits for the result, at most for the command's timeout.
    func execute(_ command: OutgoingCommand) async -> CommandResult {
        let result = OneShot<CommandResult>()
        var waited = command
        waited.waiter = CommandWaiter { result.resume(CommandResult($0)) }
        let isOpen = inbox.withLock { [waited] inbox in
            if !inbox.isClosed { inbox.commands.append(waited) }
            return !inbox.isClosed
        }
        guard isOpen else { return .notConnected }
        flag.set()
        // No caller waits for a response while the server stops.
        return await withGracefulShutdownHandler {
            await result.value
        } onGracefulShutdown: {
            result.resume(.timedOut)
        }
    }

    /// Waits until the thread has completed one iteration, which shows that it is not stuck.
    func waitForOneIteration() async {
        let round = OneShot<Void>()
        let isOpen = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.rounds.append(round) }
            return !inbox.isClosed
        }
        guard isOpen else { return }
        flag.set()
        await withGracefulShutdownHandler {
            await round.value
        } onGracefulShutdown: {
            round.resume(())
        }
    }

    /// Disconnects, and waits until the thread has ended.
    func stop() async {
        inbox.withLock { $0.isClosed = true }
        flag.set()
        await ended.value
    }
}

/// The result of a command.
enum CommandResult: Sendable {
    /// The node responded; the payload is as received.
    case answered(Response, payload: [UInt8])
    /// The broker refused the command, for this reason.
    case rejected(String)
    /// No response arrived in time. The command may have been carried out.
    case timedOut
    /// There is no connection to the broker. The command was not sent.
    case notConnected

    /// Converts an effect of the node client into the outcome of a command sent to one node.
    init(_ effect: NodeClient.Effect) {
        self =
            switch effect {
            case .response(_, _, let response, let payload): .answered(response, payload: payload)
            case .ended(_, .rejected(let reason)): .rejected(reason)
            case .ended(_, .notConnected): .notConnected
            default: .timedOut
            }
    }
}

// MARK: - On the thread

extension BrokerThread {
    private func run() {
        let session = ClientSession(mqtt, nodes: nodes, kinds: TopicKind.allCases, name: name, asksTime: true)
        let wakeUp = Interest(descriptor: flag.number, events: .read)
        var keeper = SnapshotKeeper()
        var journal = BrokerJournal(logger: logger)
        while true {
            let step = session.step(until: nil, watching: [wakeUp])
            var (news, isClosed) = (step.effects, false)
            if !step.ready.isEmpty {
                flag.reset()
                let found = inbox.withLock { inbox in
                    defer { (inbox.commands, inbox.rounds) = ([], []) }
                    return inbox
                }
                for round in found.rounds { round.resume(()) }
                for command in found.commands { news += session.handle(.send(command)) }
                isClosed = found.isClosed
            }
            CommandWaiter.tell(news)
            if isClosed { break }
            journal.note(session)
            let broker = BrokerReport(
                isConnected: session.client.isConnected, address: session.broker.description, fault: session.fault)
            if keeper.apply(news, of: session.client, broker) { publish(keeper.snapshot) }
        }
        // A broker that does not respond must not delay the shutdown.
        CommandWaiter.tell(session.leave(timeout: .milliseconds(300)))
        ended.resume(())
    }
}

/// Logs each change of the connection and each refusal by the broker once.
private struct BrokerJournal {
    let logger: Logger
    private var isConnected = false
    private var fault: String?
    private var rejection: String?

    init(logger: Logger) { self.logger = logger }

    mutating func note(_ session: ClientSession) {
        if session.client.isConnected, !isConnected { logger.info("connected to \(session.broker)") }
        if let new = session.fault, new != fault { logger.warning("no connection to \(new)") }
        if let new = session.rejection, new != rejection { logger.warning("\(new)") }
        (isConnected, fault, rejection) = (session.client.isConnected, session.fault, session.rejection)
    }
}
