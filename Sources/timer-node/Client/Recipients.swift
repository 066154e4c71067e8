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

/// A node's id on the command line.
struct NodeID: ExpressibleByArgument {
    let id: String

    /// Nil for what is no id, which ArgumentParser reports.
    init?(argument: String) {
        guard Identifier.isValid(argument) else { return nil }
        id = argument
    }

    /// Completes with the nodes that the broker knows.
    static var completion: CompletionKind { .custom { words, _, _ in NodeNames.complete(words) } }
}

/// Whom a command is for, on the command line: a node's id, `all`, or `@` and the name of a group.
struct Recipient: ExpressibleByArgument {
    let recipient: CommandRecipient

    init?(argument: String) {
        if argument == "all" {
            recipient = .all
        } else if argument.hasPrefix("@"), Identifier.isValid(String(argument.dropFirst())) {
            recipient = .group(String(argument.dropFirst()))
        } else if Identifier.isValid(argument) {
            recipient = .node(argument)
        } else {
            return nil
        }
    }

    /// Completes with the nodes that the broker knows, and with `all`.
    static var completion: CompletionKind { .custom { words, _, _ in NodeNames.complete(words) + ["all"] } }
}

/// The names of the nodes, for a shell that completes a command line.
enum NodeNames {
    /// The ids of the nodes that the broker of a command line knows; none where that takes too long.
    ///
    /// What goes wrong is not said: it would be written into the line that somebody types.
    static func complete(_ words: [String]) -> [String] {
        func value(of option: String) -> String? {
            if let place = words.firstIndex(of: option), words.indices.contains(place + 1) {
                // bash makes a word of each colon in a URL.
                var (value, next) = (words[place + 1], place + 2)
                while words.indices.contains(next + 1), words[next] == ":" {
                    value += ":" + words[next + 1]
                    next += 2
                }
                return value
            }
            return words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        }
        var options = BrokerOptions()
        options.config = value(of: "--config")
        options.broker = value(of: "--broker")
        guard let mqtt = options.usableMQTT else { return [] }
        let session = ClientSession(mqtt, kinds: [.availability])
        defer { session.leave() }
        guard (try? session.connect(within: .seconds(1))) != nil else { return [] }
        session.gather(within: .seconds(1))
        return session.client.nodes.keys.sorted()
    }
}
