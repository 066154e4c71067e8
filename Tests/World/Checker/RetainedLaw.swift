import TimerProtocol

/// In the end a retained topic is what the node published last, and that is true.
struct RetainedLaw {
    private struct Value {
        var newest: What.Said
        var at: Duration
        /// The value before, which the broker has while the newest one is on its way.
        var before: What.Said?
    }

    private var values: [String: [String: Value]] = [:]

    mutating func read(_ entry: Entry, _ view: NodeView) -> String? {
        switch entry.what {
        case .said(let topic, let said):
            let before = values[entry.machine]?[topic]?.newest
            values[entry.machine, default: [:]][topic] = Value(newest: said, at: entry.time, before: before)
        case .settled(let retained): return compare(retained, entry, view)
        default: break
        }
        return nil
    }

    private func compare(_ retained: [String: [UInt8]], _ entry: Entry, _ view: NodeView) -> String? {
        guard view.isAlive, view.isConnected else { return "it is not connected in the end" }
        let values = values[entry.machine] ?? [:]
        for kind in TopicKind.allCases where kind.isRetained {
            let topic = kind.name(prefix: "timer", node: entry.machine)
            let (found, value) = (retained[topic] ?? [], values[topic])
            let expected = value?.newest.payload ?? []
            let isUnderWay = value.map { entry.time - $0.at < .seconds(1) } ?? false
            guard found == expected || isUnderWay && found == value?.before?.payload ?? [] else {
                return "\(topic) is \(String(decoding: found, as: UTF8.self).prefix(200)), "
                    + "expected \(String(decoding: expected, as: UTF8.self).prefix(200))"
            }
        }
        guard retained["timer/\(entry.machine)/availability"] == Array("online".utf8) else { return "it is not online" }
        return nil
    }
}
