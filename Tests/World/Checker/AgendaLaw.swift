import FoundationEssentials
import TimerProtocol

/// A meeting begins once, and on time.
struct AgendaLaw {
    private struct Occurrence: Hashable {
        let name: String
        let date: Date
    }

    private struct Node {
        var begun: [Occurrence: Duration] = [:]
        var endedAt: Duration?
        /// How far the wall clock is ahead of the world's time, in seconds; nil if it is not known.
        var ahead: Double?
        /// The next meeting that the node has announced.
        var next: AgendaMessage.Occurrence?
    }

    /// How late a meeting may begin.
    private static let bound = Duration.seconds(1)

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if let next = node.next, let ahead = node.ahead, !view.isFollower,
            entry.time > .seconds(next.beginsAt.timeIntervalSince1970 - ahead) + Self.bound
        {
            node.next = nil
            return "\(next.name) of \(Timestamp.text(next.beginsAt)) did not begin"
        }
        switch entry.what {
        case .ended: (node.endedAt, node.next) = (entry.time, nil)
        case .booted: (node.ahead, node.next) = (nil, nil)
        // What begins without a connection is not announced.
        case .hung, .connected, .clockSet, .reloaded: (node.ahead, node.next) = (nil, nil)
        case .said(_, .message(.state(let state))):
            node.ahead = state.date.timeIntervalSince1970 - entry.time / .seconds(1)
        case .said(_, .message(.agenda(let agenda))): node.next = agenda.next
        case .said(_, .message(.event(let event))):
            guard case .meetingBegan(let meeting) = event.kind else { return nil }
            if node.next?.name == meeting.name { node.next = nil }
            let occurrence = Occurrence(name: meeting.name, date: event.date)
            defer { node.begun[occurrence] = entry.time }
            // What was not saved before the process died happens again.
            guard let before = node.begun[occurrence] else { return nil }
            if let ended = node.endedAt, ended >= before, ended - before < .seconds(90) { return nil }
            return "\(meeting.name) of \(Timestamp.text(event.date)) had begun at \(before.clockText)"
        default: break
        }
        return nil
    }
}
