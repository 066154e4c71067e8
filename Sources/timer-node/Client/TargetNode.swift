internal import ArgumentParser
internal import BrokerSession
internal import CommandLineSupport
internal import TimerClient
internal import TimerProtocol

/// The node that a command is for, and how long it is waited for.
struct TargetNode: ParsableArguments {
    @Option(help: "How long to wait for the connection, and then for the node.")
    var timeout = TimeArgument(.seconds(5))

    @Argument(help: "The node's id.", completion: NodeID.completion)
    var node: NodeID

    /// Sends a command to the node, and fails where that refuses it.
    func execute(_ command: Command, _ session: ClientSession) throws(ClientFailure) {
        let response = try answer(to: command, session)
        if let refusal = response.refusal { throw refused(refusal) }
    }

    /// Sends a command to the node, and returns what it answers.
    func answer(to command: Command, _ session: ClientSession) throws(ClientFailure) -> Response {
        var answer: Response?
        let command = session.command(command, to: .node(node.id), timeout: timeout.duration)
        try session.execute(command) { _, response, _ in answer = response }
        guard let answer else { throw .unavailable("no response from \(node.id) within \(timeout)") }
        return answer
    }

    /// The failure that a refusal of the node is.
    func refused(_ refusal: Refusal) -> ClientFailure {
        .refused("\(node.id): \(refusal.message) (\(refusal.code.rawValue))")
    }

    /// What the node has published and the broker retains.
    ///
    /// - Parameters:
    ///   - name: what it is, for people.
    ///   - value: takes it out of what is known of the node. The session needs the availability too: it tells whether
    ///     there is such a node.
    func published<Value>(
        _ name: String, _ session: ClientSession, _ value: (NodeMirror) -> Value?
    ) throws(ClientFailure) -> Value {
        try session.connect(within: timeout.duration)
        session.gather(within: timeout.duration) { $0.nodes[node.id].flatMap(value) != nil }
        guard let mirror = session.client.nodes[node.id] else {
            if let rejection = session.rejection { throw .refused(rejection) }
            throw .unavailable(session.unknown(node.id))
        }
        guard let value = value(mirror) else { throw .refused("\(node.id) has no \(name)") }
        return value
    }
}
