internal import ArgumentParser
internal import NodeConfiguration
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

/// A time on the command line: `5`, `5s`, `500ms`, `1:30`.
struct TimeArgument: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let duration = DurationText.duration(argument), duration > .zero, duration <= .seconds(3600) else {
            return nil
        }
        self.duration = duration
    }

    var description: String { DurationText.text(duration) }
}

/// The names of the nodes, for a shell that completes a command line.
enum NodeNames {
    /// The ids of the nodes that the broker of a command line knows; none where that takes too long.
    ///
    /// What goes wrong is not said: it would be written into the line that somebody types.
    static func complete(_ words: [String]) -> [String] {
        func value(of option: String) -> String? {
            if let place = words.firstIndex(of: option), words.indices.contains(place + 1) { return words[place + 1] }
            return words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        }
        var options = BrokerOptions()
        options.config = value(of: "--config")
        options.broker = value(of: "--broker")
        guard let mqtt = options.usableMQTT else { return [] }
        let session = ClientSession(mqtt, kinds: [.availability], signals: nil)
        defer { session.leave() }
        guard (try? session.connect(within: .seconds(1))) != nil, (try? session.gather(within: .seconds(1))) != nil
        else {
            return []
        }
        return session.client.nodes.keys.sorted()
    }
}
