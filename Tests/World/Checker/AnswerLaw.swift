import TimerProtocol

/// Each command is answered once, soon, and done at most once.
struct AnswerLaw {
    /// How long an answer may take.
    private static let bound = Duration.milliseconds(100)

    private struct Command {
        let id: String?
        let topic: String
        let time: Duration
        /// Whether its answer may be late or missing, because the node lost its connection.
        var isExcused = false
    }

    private struct Node {
        var open: [Command] = []
        /// The commands that were done, with the time.
        var done: [String: Duration] = [:]
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        // A follower waits up to 2 s for its leader's answer.
        let bound = view.isFollower ? .seconds(4) : Self.bound
        if view.isAlive, !view.isHung,
            let late = node.open.first(where: { !$0.isExcused && entry.time - $0.time > bound })
        {
            return "no answer to \(late.topic) \(late.id ?? "")"
        }
        switch entry.what {
        case .heard(let topic, let payload, _):
            guard topic.isCommand else { return nil }
            let id = (try? JSON(parsing: payload))?["id"]?.text
            node.open.append(Command(id: id, topic: topic, time: entry.time, isExcused: !view.isConnected))
        case .said(let topic, .message(.response(let response))):
            guard topic.hasSuffix("/response") else { return nil }
            let place = node.open.firstIndex {
                $0.id == response.id && (response.id != nil || $0.topic.hasSuffix("/\(response.command ?? "")"))
            }
            guard let place else { return "an answer to nothing: \(response.command ?? "") \(response.id ?? "")" }
            node.open.remove(at: place)
            guard case .ok = response.outcome, !response.duplicate, let id = response.id else { return nil }
            if let before = node.done[id] { return "\(id) was done at \(before.clockText) already" }
            node.done[id] = entry.time
        case .connected(false), .hung:
            for place in node.open.indices { node.open[place].isExcused = true }
        case .ended: node = Node()
        default: break
        }
        return nil
    }
}
