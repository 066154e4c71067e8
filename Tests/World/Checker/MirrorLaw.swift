import TimerProtocol

/// A mirror shows what the node's own topics say. It is told everything on each connection, and nothing twice.
struct MirrorLaw {
    private struct Node {
        var hasMirrors = false
        /// What each mirror has been told on this connection.
        var told: [String: [UInt8]] = [:]
        /// The mode that the node published last on this connection, with the time.
        var mode: (name: ModeName, time: Duration)?
    }

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let mode = node.mode, mode.time < entry.time {
            node.mode = nil
            guard !node.hasMirrors || !view.isConnected || node.told["mode"] == Array(mode.name.rawValue.utf8) else {
                return "the mirror of the mode shows \(text(node.told["mode"])), the node is in \(mode.name.rawValue)"
            }
        }
        switch entry.what {
        case .said(let topic, let said) where topic.hasPrefix("mirror/\(entry.machine)/"):
            let name = String(topic.dropFirst("mirror/\(entry.machine)/".count))
            guard node.told[name] != said.payload else {
                return "the mirror \(name) is told \(text(said.payload)) twice"
            }
            node.hasMirrors = true
            node.told[name] = said.payload
        case .said(_, .message(.mode(let mode))): node.mode = (mode, entry.time)
        case .connected, .ended, .booted: (node.told, node.mode) = ([:], nil)
        case .settled:
            guard node.hasMirrors, view.hasChip, let state = view.state else { return nil }
            for output in ["green", "red"] {
                let expected = state.outputs[output]?.rawValue ?? "off"
                guard node.told[output] == Array(expected.utf8) else {
                    return "the mirror of \(output) shows \(text(node.told[output])), expected \(expected)"
                }
            }
        default: break
        }
        return nil
    }

    private func text(_ payload: [UInt8]?) -> String {
        payload.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    }
}
