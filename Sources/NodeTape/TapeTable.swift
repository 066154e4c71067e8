internal import BrokerLink
internal import IoTNode
package import NodeConfiguration
internal import NodePorts
internal import TimerProtocol

extension Tape {
    /// The configurations on the tape, in order.
    package func configurations(
        read: (TapeConfiguration) throws(ConfigurationError) -> NodeConfiguration
    ) throws(TapeError) -> [NodeConfiguration] {
        var configurations: [NodeConfiguration] = []
        for segment in segments {
            var taped = [segment.header.configuration]
            for turn in segment.turns {
                if case .reconfiguration(let configuration) = turn.cause { taped.append(configuration) }
            }
            for configuration in taped {
                do throws(ConfigurationError) { configurations.append(try read(configuration)) } catch {
                    throw .configuration(error.lines)
                }
            }
        }
        return configurations
    }

    /// Returns the beginning of the node's own topics, according to the first configuration.
    package func topicPrefix(
        _ read: (TapeConfiguration) throws(ConfigurationError) -> NodeConfiguration
    ) -> String {
        guard let taped = segments.first?.header.configuration, let configuration = try? read(taped) else { return "" }
        return "\(configuration.mqtt?.prefix ?? "timer")/\(configuration.node.id)/"
    }

    /// The text of the tape, for people.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the node's own topics, which is left out.
    ///   - isBrief: whether to leave out what happens every second, and what follows from the rest.
    package func text(prefix: String, isBrief: Bool) -> String {
        var lines: [String] = []
        var day: Substring = ""
        for (number, segment) in segments.enumerated() {
            if number == 0 || !segment.continues(segments[number - 1]) {
                lines.append("timer-node \(segment.header.program)")
            }
            for turn in segment.turns {
                let text = turn.text(prefix: prefix, isBrief: isBrief)
                let date = Timestamp.text(turn.moment.date).prefix(10)
                if date != day, !text.isEmpty {
                    lines.append("\(date) (UTC)")
                    day = date
                }
                lines += text
            }
            if segment.isTorn { lines.append("the end of this part is missing") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Replay {
    /// The result of the replay, for people.
    package func text(prefix: String) -> String {
        var lines = [""]
        if uncompared > 0 { lines.append("\(uncompared) turns could not be compared: the tape begins in the middle") }
        if differences.isEmpty {
            lines.append("\(compared) turns replayed: this version decides the same")
        } else {
            lines.append("\(compared) turns replayed: this version decides otherwise in \(differences.count)")
            for difference in differences.prefix(20) { lines += difference.text(prefix: prefix) }
            if differences.count > 20 { lines.append("and \(differences.count - 20) more") }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Tape.Turn {
    /// The lines of a turn: what the node was told, then what it decided.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the node's own topics, which is left out.
    ///   - isBrief: whether to leave out what happens every second, and what follows from the rest.
    package func text(prefix: String, isBrief: Bool) -> [String] {
        let causes = self.causes(prefix: prefix, isBrief: isBrief)
        let decisions = decisions.filter { !isBrief || $0.isNotable }.map { "  → " + $0.text(prefix: prefix) }
        if isBrief, causes.isEmpty, decisions.isEmpty { return [] }
        let blank = String(repeating: " ", count: 12)
        return (causes + decisions).enumerated().map { "\($0 == 0 ? moment.timeText : blank)  \($1)" }
    }

    fileprivate func causes(prefix: String, isBrief: Bool) -> [String] {
        switch cause {
        case .events(let events): events.compactMap { isBrief && !$0.isNotable ? nil : $0.text(prefix: prefix) }
        case .reconfiguration: ["the configuration was reloaded"]
        }
    }
}

extension Replay.Difference {
    /// The lines of a difference, without the decisions that are the same.
    package func text(prefix: String) -> [String] {
        let own = turn.decisions.filter { !today.contains($0) }.map { "- " + $0.text(prefix: prefix, limit: 2000) }
        let todays = today.filter { !turn.decisions.contains($0) }.map { "+ " + $0.text(prefix: prefix, limit: 2000) }
        let isReordered = own.isEmpty && todays.isEmpty
        let causes = turn.causes(prefix: prefix, isBrief: false).joined(separator: "; ")
        return ["\(turn.moment.timeText)  \(causes)"] + own + todays
            + (isReordered ? ["  the same decisions, in another order"] : [])
    }
}

extension Moment {
    /// The time of day in UTC, to the millisecond.
    fileprivate var timeText: String { String(Timestamp.text(date).dropFirst(11).prefix(12)) }
}

extension NodeEvent {
    /// Whether the brief table shows it.
    fileprivate var isNotable: Bool {
        switch self {
        case .timePassed, .store(.stored), .memoryMeasured, .timeZonesRead, .clockChecked, .inputsAcquired, .runsLoaded:
            false
        default: true
        }
    }

    fileprivate func text(prefix: String) -> String {
        switch self {
        case .started(let saved, _): saved == nil ? "started" : "started, with a saved state"
        case .timePassed: "time passed"
        case .connection(let event): event.text(prefix: prefix)
        case .outputsFailed(let fault): "the outputs failed: \(fault)"
        case .outputsAcquired(let held): "the outputs are held\(held.chip.map { " on \($0)" } ?? "")"
        case .inputs(.edges(let edges)):
            edges.map { "button \($0.line) \($0.isActive ? "pressed" : "released")" }.joined(separator: ", ")
        case .inputs(.failed(let fault)): "the buttons failed: \(fault)"
        case .inputsAcquired: "the buttons are held"
        case .chipsChanged: "a GPIO chip came or went"
        case .store(.stored(let number)): "save \(number) is on the disk"
        case .store(.failed(_, let error)), .loadFailed(let error), .loadRunsFailed(let error): "\(error)"
        case .store(.setAside(let what, .success(let file))): "set \(what.name) aside as \(file)"
        case .store(.setAside(let what, .failure(let error))): "could not set \(what.name) aside: \(error)"
        case .runsLoaded: "the saved runs were read"
        case .reloadRequested: "asked to reload the configuration"
        case .memoryMeasured: "measured the memory"
        case .timeZonesRead: "read the time zones"
        case .clockChecked(let isTrusted): "the wall clock \(isTrusted ? "can" : "cannot") be trusted"
        case .wallClockSet: "the wall clock was set"
        case .terminate: "asked to stop"
        }
    }
}

extension ConnectionEvent {
    fileprivate func text(prefix: String) -> String {
        switch self {
        case .connected: "connected"
        case .lost(let error): "no connection: \(error)"
        case .accepted(let filter): "subscribed to \(filter)"
        case .rejected(let rejection): "\(rejection)"
        case .tooLarge(let topic, let bytes, let limit):
            "\(topic): not sent, because \(bytes) bytes exceed the broker's \(limit)"
        case .leftOut(let topic, let bytes, let limit):
            "\(topic): discarded, because \(bytes) bytes exceed \(limit)"
        case .dropped(let count): "\(count) messages were dropped"
        case .message(let message):
            Decision.message(message.topic, message.payload, prefix: prefix, limit: 200)
                + (message.retained ? " (retained)" : "")
        }
    }
}

extension Decision {
    /// Whether the brief table shows it.
    fileprivate var isNotable: Bool {
        if case .publishes = self {
            return [TopicKind.mode, .event, .response, .availability].contains { publishes($0) }
        }
        return self != .saves
    }

    func text(prefix: String, limit: Int = 200) -> String {
        switch self {
        case .acquires(let levels): "requests the outputs: \(Self.text(levels))"
        case .sets(let levels): Self.text(levels)
        case .releases: "releases the outputs"
        case .connects(let broker): "connects to \(broker)"
        case .disconnects: "disconnects"
        case .subscribes(let filters): "subscribes to \(filters.joined(separator: ", "))"
        case .publishes(let topic, let payload, _): Self.message(topic, payload, prefix: prefix, limit: limit)
        case .saves: "saves"
        case .setsAside(let what): "sets \(what) aside"
        case .logs(let message): "logs: \(message)"
        case .exits: "exits"
        }
    }

    private static func text(_ levels: [Level]) -> String {
        levels.isEmpty ? "none" : levels.map { "\($0.output) \($0.isOn ? "on" : "off")" }.joined(separator: ", ")
    }

    fileprivate static func message(_ topic: String, _ payload: [UInt8], prefix: String, limit: Int) -> String {
        let name = topic.hasPrefix(prefix) ? String(topic.dropFirst(prefix.count)) : topic
        let text = String(decoding: payload, as: UTF8.self).terminalText
        if text.isEmpty { return name }
        return "\(name) \(text.count > limit ? text.prefix(limit) + "…" : text)"
    }
}
