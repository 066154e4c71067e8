internal import BrokerLink
internal import IoTNode
internal import TimerProtocol

/// Decides whether today's program decides the same as the program that recorded the tape.
///
/// A later program may publish more fields, and always publishes its own version. Both choose random ids for timers
/// that a client adds without ids; those are paired when the timers are published. If the beginning of the process is
/// not on the tape, random ids and counts differ, and so may the list of the runs, because some may have ended before
/// the replay was in step. They are not compared.
struct Comparison {
    /// The version of the program that recorded the tape.
    let program: String
    /// Whether the beginning of the process is on the tape.
    let isWhole: Bool
    /// Today's ids of timers, by their ids on the tape.
    private var ids: [String: String] = [:]
    /// The newest values of each retained topic if the beginning of the process is not on the tape: what was published,
    /// and what today's program published instead.
    private var values: [String: [(taped: [UInt8], today: [UInt8])]] = [:]
    /// How many values of a topic are kept. A broker may echo the last ones.
    private static let mostValues = 64

    init(program: String, isWhole: Bool) { (self.program, self.isWhole) = (program, isWhole) }

    mutating func isSame(_ taped: [Decision], _ today: [Decision]) -> Bool {
        if !isWhole { pairValues(taped, today) }
        let (taped, today) = (taped.filter(isCompared), today.filter(isCompared))
        return taped.count == today.count && zip(taped, today).allSatisfy { isSame($0, $1) }
    }

    private func isCompared(_ decision: Decision) -> Bool {
        switch decision {
        case .acquires, .sets, .releases: true
        case .publishes: isWhole || !decision.publishes(.health)
        // When a node connects again, saves, exits after its last save, and logs depends on what happened before.
        case .connects, .disconnects, .subscribes, .saves, .setsAside, .logs, .exits: isWhole
        }
    }

    private mutating func isSame(_ taped: Decision, _ today: Decision) -> Bool {
        if taped == today { return true }
        guard case .publishes(let topic, let payload, let isRetained) = taped,
            case .publishes(topic, let other, isRetained) = today,
            let own = try? JSON(parsing: payload), let other = try? JSON(parsing: other)
        else { return false }
        if taped.publishes(.timers) { pair(own, other) }
        return includes(other, own)
    }

    /// Whether a value that was published today has at least the members of one on the tape.
    private func includes(_ today: JSON, _ taped: JSON) -> Bool {
        switch (taped, today) {
        case (.object(let members), .object(let others)):
            members.allSatisfy { member in
                if !isWhole, ["id", "run", "revision", "runs", "total", "pages"].contains(member.key) { return true }
                guard let other = others.first(where: { $0.key == member.key }) else { return false }
                return includes(other.value, member.value)
            }
        case (.array(let values), .array(let others)):
            values.count == others.count && zip(others, values).allSatisfy { includes($0, $1) }
        case (.string(program), .string): true
        case (.string(let id), .string(let other)): id == other || ids[id] == other
        default: taped == today
        }
    }

    /// Returns an event as today's program would have received it: with its own ids, and with its own values in echoes.
    func translated(_ event: NodeEvent) -> NodeEvent {
        guard case .connection(.message(let message)) = event else { return event }
        if let value = values[message.topic]?.last(where: { $0.taped == message.payload }) {
            return .connection(.message(message.with(payload: value.today)))
        }
        guard !ids.isEmpty else { return event }
        var text = String(decoding: message.payload, as: UTF8.self)
        for (id, other) in ids {
            text = text.split(separator: id, omittingEmptySubsequences: false).joined(separator: other)
        }
        return .connection(.message(message.with(payload: Array(text.utf8))))
    }

    /// Pairs the values that are published on the same retained topic.
    private mutating func pairValues(_ taped: [Decision], _ today: [Decision]) {
        for case .publishes(let topic, let payload, true) in taped {
            for case .publishes(topic, let other, true) in today {
                values[topic, default: []].append((payload, other))
                if values[topic, default: []].count > Self.mostValues { values[topic]?.removeFirst() }
            }
        }
    }

    /// Pairs the ids of timers that are at the same place.
    private mutating func pair(_ taped: JSON, _ today: JSON) {
        switch (taped, today) {
        case (.object(let members), .object(let others)):
            for member in members {
                guard let other = others.first(where: { $0.key == member.key }) else { continue }
                if member.key == "id", case (.string(let id), .string(let other)) = (member.value, other.value) {
                    if id != other { ids[id] = other }
                } else {
                    pair(member.value, other.value)
                }
            }
        case (.array(let values), .array(let others)): for (value, other) in zip(values, others) { pair(value, other) }
        default: break
        }
    }
}

extension IncomingMessage {
    /// The same message with another payload.
    fileprivate func with(payload: [UInt8]) -> IncomingMessage {
        IncomingMessage(
            topic: topic, payload: payload, retained: retained, responseTopic: responseTopic,
            correlationData: correlationData, subscriptions: subscriptions)
    }
}
