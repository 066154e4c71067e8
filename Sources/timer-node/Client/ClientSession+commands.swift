internal import ArgumentParser
internal import BrokerLink
internal import BrokerSession
internal import CommandLineSupport
internal import FoundationEssentials
internal import LinuxSystem
internal import TimerClient
internal import TimerEngine
internal import TimerProtocol

/// Why a client command failed, with its exit code.
struct ClientFailure: Error, CustomStringConvertible {
    let code: ExitCode
    /// For people: what happened, and what to do about it if that is known.
    let description: String

    /// The broker or the node is not available.
    static func unavailable(_ text: String) -> ClientFailure { ClientFailure(code: .unavailable, description: text) }

    /// The broker or the node refused.
    static func refused(_ text: String) -> ClientFailure { ClientFailure(code: .failure, description: text) }
}

extension BrokerOptions {
    /// Opens a session and runs a body; prints a failure on standard error, and exits with its code.
    ///
    /// - Parameters:
    ///   - asksTime: whether to query the nodes' clocks, for an exact countdown.
    ///   - signals: the termination signals to watch for; nil to keep their default action.
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

// The client commands wait for one thing and exit.
extension ClientSession {
    /// Waits for the connection.
    func connect(within timeout: Duration) throws(ClientFailure) {
        if client.isConnected { return }
        wait(until: now.instant + timeout) { _ in self.client.isConnected || self.hasFailed }
        if client.isConnected { return }
        throw .unavailable("no connection to \(fault ?? "\(broker): no answer within \(DurationText.text(timeout))")")
    }

    /// Waits for the retained messages: until nothing new has arrived for a moment.
    ///
    /// MQTT does not mark the end of the retained messages.
    func collectRetained(within timeout: Duration, until isEnough: (NodeClient) -> Bool = { _ in false }) {
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

    /// Waits until a condition holds, which is checked after each step, or until the deadline.
    func wait(
        until deadline: Instant, _ isDone: ([NodeClient.Effect]) -> Bool
    ) {
        while now.instant < deadline {
            if isDone(step(until: deadline).effects) { return }
        }
    }

    /// Sends a command, and waits until no more responses are expected.
    ///
    /// - Parameter answered: called for each response, with its payload as received.
    /// - Throws: ``ClientFailure`` if there is no connection, the broker refuses, or no node answers.
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
        // The client ends each command on its own, no later than the command's timeout.
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

    /// Returns the likely reason why a command was not answered.
    private func noResponse(to command: OutgoingCommand) -> String {
        let within = "within \(DurationText.text(command.timeout))"
        if let fault { return "no response \(within): the connection was lost: \(fault)" }
        let hint =
            version == .v311
            ? "; with MQTT 3.1.1, a broker that forbids the command does not report it" : ""
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
            let nodes = online.isEmpty ? "no node is online" : "online nodes: \(online.joined(separator: ", "))"
            return "no response \(within): \(nodes)\(hint)"
        }
    }

    /// Returns the message that no node has this id, with the id that may be meant.
    func unknown(_ id: String) -> String {
        let known = client.nodes.keys.sorted()
        let prefix = "\(broker) has no node \(id) under \(client.prefix)/"
        if let nearest = nearest(to: id, in: known) { return "\(prefix); did you mean \(nearest)?" }
        return known.isEmpty ? "\(prefix), or any other" : "\(prefix), only \(known.prefix(10).joined(separator: ", "))"
    }
}
