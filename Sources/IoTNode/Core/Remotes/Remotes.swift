internal import TimerEngine

/// All the remotes of a node: messages of other devices in, commands out.
struct Remotes: Hashable, Sendable {
    /// What a message is to a remote.
    enum Finding: Hashable, Sendable {
        /// Somebody pressed.
        case pressed(BoundCommand, value: String)
        /// It is nothing that the remote waits for.
        case nothing(because: String)
        /// It cannot be read.
        case unreadable(because: String)
    }

    /// A press that was carried out, so that a repeat of it is known.
    private struct Press: Hashable, Sendable {
        let remote: Int
        let topic: String
        let value: String
        let at: TimerEngine.Instant
    }

    private let settings: [NodeConfiguration.Remote]
    private var presses: [Press] = []

    /// The most presses that are remembered; a wildcard may stand for any number of topics.
    private static let capacity = 1024

    init(_ settings: [NodeConfiguration.Remote]) { self.settings = settings }

    /// The topic filters of all remotes, each once.
    var filters: [String] {
        settings.indices.filter { index in !settings[..<index].contains { $0.topic == settings[index].topic } }
            .map { settings[$0].topic.description }
    }

    /// Takes a message.
    ///
    /// - Returns: what it is to each remote whose filter matches its topic.
    mutating func take(
        _ message: IncomingMessage, at now: TimerEngine.Instant
    ) -> [(remote: NodeConfiguration.Remote, finding: Finding)] {
        settings.indices.filter { settings[$0].topic.matches(message.topic) }.map { index in
            (settings[index], finding(index, message, at: now))
        }
    }

    private mutating func finding(_ index: Int, _ message: IncomingMessage, at now: TimerEngine.Instant) -> Finding {
        let remote = settings[index]
        // Of a message that is kept nobody knows when it was sent.
        guard !message.retained else { return .nothing(because: "the message is retained") }
        let value: String
        do throws(NodeConfiguration.Remote.Unreadable) {
            guard let found = try remote.value(in: message.payload) else {
                return .nothing(because: "there is no value at its path")
            }
            value = found
        } catch {
            return .unreadable(because: error.description)
        }
        guard let command = remote.commands[value] else {
            return .nothing(because: "its map has no \(value.quoted)")
        }
        let press = Press(remote: index, topic: message.topic, value: value, at: now)
        return isRepeat(press) ? .nothing(because: "\(value.quoted) is repeated") : .pressed(command, value: value)
    }

    /// Whether the same press was there just before; if not, it is remembered.
    ///
    /// The time counts from the press that was carried out and not from its last repeat, so a button that is pressed
    /// over and over acts over and over. The same value on another topic is another button, which a wildcard matches.
    private mutating func isRepeat(_ press: Press) -> Bool {
        presses.removeAll { $0.at.duration(to: press.at) >= settings[$0.remote].ignoreRepeat }
        let isKnown = presses.contains {
            $0.remote == press.remote && $0.topic == press.topic && $0.value == press.value
        }
        if !isKnown {
            if presses.count == Self.capacity { presses.removeFirst() }
            presses.append(press)
        }
        return isKnown
    }
}
