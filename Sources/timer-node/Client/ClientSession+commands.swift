internal import ArgumentParser
internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// Why a command of the command line did not do what it was asked for, with its exit code.
struct ClientFailure: Error, CustomStringConvertible {
    let code: ExitCode
    /// For people: what happened, and what to do where that is known.
    let description: String

    /// A service is not available: the broker, or the node.
    static func unavailable(_ text: String) -> ClientFailure { ClientFailure(code: .unavailable, description: text) }

    /// Somebody refused.
    static func refused(_ text: String) -> ClientFailure { ClientFailure(code: .failure, description: text) }
}

extension BrokerOptions {
    /// Opens a session and runs a body; a failure is said on standard error and ends the process with its code.
    ///
    /// - Parameters:
    ///   - asksTime: whether nodes are asked for their time, so that counting is exact.
    ///   - signals: what asks the process to end; nil where signals end it as usual.
    func withSession<Value>(
        nodes: [String]? = nil, kinds: [TopicKind], asksTime: Bool = false, signals: ProcessSignals? = nil,
        _ body: (ClientSession) throws(ClientFailure) -> Value
    ) throws -> Value {
        let mqtt = try mqtt()
        let session = ClientSession(mqtt, nodes: nodes, kinds: kinds, asksTime: asksTime, signals: signals)
        defer { session.leave() }
        do throws(ClientFailure) {
            return try body(session)
        } catch {
            StandardError.say(error)
            throw error.code
        }
    }
}

// Commands of the command line wait for one thing and end.
extension ClientSession {
    /// Waits for the connection.
    func connect(within timeout: Duration) throws(ClientFailure) {
        if client.isConnected { return }
        wait(until: now.instant + timeout) { _ in self.client.isConnected || self.hasFailed }
        if client.isConnected { return }
        throw .unavailable("no connection to \(fault ?? "\(broker): no answer within \(DurationText.text(timeout))")")
    }

    /// Waits for what the broker retains: until nothing new has arrived for a moment.
    ///
    /// The end of what is retained is marked by nothing in MQTT.
    func gather(within timeout: Duration, until isEnough: (NodeClient) -> Bool = { _ in false }) {
        let deadline = now.instant + timeout
        var (quiet, count) = (min(deadline, now.instant + .seconds(1)), otherMessages.count)
        while !isEnough(client), now.instant < quiet {
            wait(until: quiet) { news in
                guard !news.isEmpty || otherMessages.count > count else { return false }
                (quiet, count) = (min(deadline, now.instant + .milliseconds(300)), otherMessages.count)
                return true
            }
        }
    }

    /// Waits until a condition holds, which is asked after each step, or until the deadline.
    func wait(
        until deadline: Instant, _ isDone: ([NodeClient.Effect]) -> Bool
    ) {
        while now.instant < deadline {
            if isDone(step(until: deadline).effects) { return }
        }
    }

    /// Sends a command, and waits until nothing more is to be expected of it.
    ///
    /// - Parameter answered: called for each response, with the payload as it came.
    /// - Throws: ``ClientFailure`` where there is no connection, the broker refuses, or nobody answers.
    func execute(
        _ command: OutgoingCommand, answered: (_ node: String, Response, _ payload: [UInt8]) -> Void
    ) throws(ClientFailure) {
        try connect(within: command.timeout)
        var end: CommandEnd?
        func note(_ effects: [NodeClient.Effect]) {
            for effect in effects {
                if case .response(_, let node, let response, let payload) = effect { answered(node, response, payload) }
                if case .ended(_, let how) = effect { end = how }
            }
        }
        note(handle(.send(command)))
        // The client ends each command itself, at its timeout at the latest.
        wait(until: now.instant + command.timeout + .seconds(1)) { effects in
            note(effects)
            return end != nil
        }
        switch end {
        case .answered: return
        case .timedOut(let responses) where responses > 0: return
        case .rejected(let reason): throw .refused(reason)
        case .timedOut, .notConnected, nil: throw .unavailable(noResponse(to: command))
        }
    }

    /// Why a command may not have been answered.
    private func noResponse(to command: OutgoingCommand) -> String {
        let within = "within \(DurationText.text(command.timeout))"
        if let fault { return "no response \(within): the connection is lost: \(fault)" }
        let hint =
            version == .v311
            ? "; a broker that forbids the command does not say so with MQTT 3.1.1" : ""
        let online = client.nodes.values.filter(\.isOnline).map(\.id).sorted()
        switch command.recipient {
        case .node(let id):
            if let node = client.nodes[id] {
                return node.isOnline
                    ? "no response from \(id) \(within), though it is online\(hint)"
                    : "no response from \(id) \(within): it is offline"
            }
            return "no response from \(id) \(within): \(unknown(id))\(hint)"
        case .all, .group:
            let nodes = online.isEmpty ? "no node is online" : "online are \(online.joined(separator: ", "))"
            return "no response \(within): \(nodes)\(hint)"
        }
    }

    /// Says that no node has an id, and which one may be meant.
    func unknown(_ id: String) -> String {
        let known = client.nodes.keys.sorted()
        let prefix = "\(broker) knows no node \(id) under \(client.prefix)/"
        if let near = nearest(to: id, in: known) { return "\(prefix); did you mean \(near)?" }
        return known.isEmpty ? "\(prefix), and no other" : "\(prefix), but \(known.prefix(10).joined(separator: ", "))"
    }
}
