internal import ArgumentParser
internal import BrokerSession
internal import TimerClient
internal import TimerProtocol

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
