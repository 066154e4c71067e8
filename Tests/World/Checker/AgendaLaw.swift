import FoundationEssentials
import TimerProtocol

/// A meeting begins once.
struct AgendaLaw {
    private struct Occurrence: Hashable {
        let node: String
        let name: String
        let date: Date
    }

    private var begun: [Occurrence: Duration] = [:]
    private var endedAt: [String: Duration] = [:]

    mutating func read(_ entry: Entry) -> String? {
        switch entry.what {
        case .ended: endedAt[entry.machine] = entry.time
        case .said(_, .message(.event(let event))):
            guard case .meetingBegan(let meeting) = event.kind else { return nil }
            let occurrence = Occurrence(node: entry.machine, name: meeting.name, date: event.date)
            defer { begun[occurrence] = entry.time }
            // What was not saved before the process died happens again.
            guard let before = begun[occurrence] else { return nil }
            if let ended = endedAt[entry.machine], ended >= before, ended - before < .seconds(90) { return nil }
            return "\(meeting.name) of \(Timestamp.text(event.date)) had begun at \(before.clockText)"
        default: break
        }
        return nil
    }
}
