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
        /// The meetings that the node has announced as the next ones and that have not begun.
        var next: [AgendaMessage.Occurrence] = []

        /// Whether a meeting had to begin before a time.
        func isDue(_ meeting: AgendaMessage.Occurrence, before time: Duration) -> Bool {
            ahead.map { .seconds(meeting.beginsAt.timeIntervalSince1970 - $0) < time } ?? false
        }
    }

    /// How late a meeting may begin.
    private static let bound = Duration.seconds(1)

    private var nodes: [String: Node] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        var node = nodes[entry.machine] ?? Node()
        defer { nodes[entry.machine] = node }
        if !view.isFollower, let late = node.next.first(where: { node.isDue($0, before: entry.time - Self.bound) }) {
            node.next = []
            return "\(late.name) of \(Timestamp.text(late.beginsAt)) did not begin"
        }
        switch entry.what {
        case .ended: (node.endedAt, node.next) = (entry.time, [])
        // What begins without a connection is not announced.
        case .booted, .hung, .connected, .clockSet, .reloaded: (node.ahead, node.next) = (nil, [])
        case .said(_, .message(.state(let state))):
            node.ahead = state.date.timeIntervalSince1970 - entry.time / .seconds(1)
        case .said(_, .message(.agenda(let agenda))):
            node.next = node.next.filter { node.isDue($0, before: entry.time) } + [agenda.next].compactMap(\.self)
        case .said(_, .message(.event(let event))):
            guard case .meetingBegan(let meeting) = event.kind else { return nil }
            node.next.removeAll { $0.name == meeting.name }
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
