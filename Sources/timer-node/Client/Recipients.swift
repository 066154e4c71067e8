internal import ArgumentParser
internal import BrokerSession
internal import CommandLineSupport
internal import TimerClient
internal import TimerProtocol

/// The node that a command is for, and how long to wait for it.
struct TargetNode: ParsableArguments {
    @Option(help: "How long to wait for the connection, and then for the node.")
    var timeout = TimeArgument(.seconds(5))

    @Argument(help: "The node's id.", completion: NodeID.completion)
    var node: NodeID

    /// Sends a command to the node, and throws if the node refuses it.
    func execute(_ command: Command, _ session: ClientSession) throws(ClientFailure) {
        let response = try answer(to: command, session)
        if let refusal = response.refusal { throw refused(refusal) }
    }

    /// Sends a command to the node, and returns the response.
    func answer(to command: Command, _ session: ClientSession) throws(ClientFailure) -> Response {
        var answer: Response?
        let command = session.command(command, to: .node(node.id), timeout: timeout.duration)
        try session.execute(command) { _, response, _ in answer = response }
        guard let answer else { throw .unavailable("no response from \(node.id) within \(timeout)") }
        return answer
    }

    /// Returns the failure for a refusal by the node.
    func refused(_ refusal: Refusal) -> ClientFailure {
        .refused("\(node.id): \(refusal.message) (\(refusal.code.rawValue))")
    }

    /// Returns a value that the node has published and the broker retains.
    ///
    /// - Parameters:
    ///   - name: the value's name, for people.
    ///   - value: returns the value of a node; nil if it is not known. The session must also receive the availability,
    ///     which shows whether the node exists.
    func published<Value>(
        _ name: String, _ session: ClientSession, _ value: (NodeMirror) -> Value?
    ) throws(ClientFailure) -> Value {
        try session.connect(within: timeout.duration)
        session.collectRetained(within: timeout.duration) { $0.nodes[node.id].flatMap(value) != nil }
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

    /// Returns nil if the argument is not a valid id; ArgumentParser reports it.
    init?(argument: String) {
        guard Identifier.isValid(argument) else { return nil }
        id = argument
    }

    /// Completes with the nodes that the broker knows.
    static var completion: CompletionKind { .custom { words, _, _ in NodeNames.complete(words) } }
}

/// The recipient of a command, on the command line: a node's id, `all`, or `@` and the name of a group.
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
    /// Returns the ids of the nodes that the broker named on the command line knows; none if that takes too long.
    ///
    /// Prints no errors, because they would end up in the line that the user is typing.
    static func complete(_ words: [String]) -> [String] {
        func value(of option: String) -> String? {
            if let place = words.firstIndex(of: option), words.indices.contains(place + 1) {
                // bash passes each colon in a URL as a separate word.
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
        session.collectRetained(within: .seconds(1))
        return session.client.nodes.keys.sorted()
    }
}
