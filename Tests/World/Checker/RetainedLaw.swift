import TimerProtocol

/// In the end a retained topic is what the node published last, and that is true.
struct RetainedLaw {
    private var newest: [String: [String: What.Said]] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        switch entry.what {
        case .said(let topic, let said): newest[entry.machine, default: [:]][topic] = said
        case .settled(let retained): return compare(retained, entry, view)
        default: break
        }
        return nil
    }

    private func compare(_ retained: [String: [UInt8]], _ entry: Entry, _ view: NodeView) -> String? {
        guard view.isAlive, view.isConnected else { return "it is not connected in the end" }
        let said = newest[entry.machine] ?? [:]
        for kind in TopicKind.allCases where kind.isRetained {
            let topic = kind.name(prefix: "timer", node: entry.machine)
            let (found, expected) = (retained[topic] ?? [], said[topic]?.payload ?? [])
            guard found == expected else {
                return "\(topic) is \(String(decoding: found, as: UTF8.self).prefix(200)), "
                    + "expected \(String(decoding: expected, as: UTF8.self).prefix(200))"
            }
        }
        guard retained["timer/\(entry.machine)/availability"] == Array("online".utf8) else { return "it is not online" }
        return nil
    }
}
