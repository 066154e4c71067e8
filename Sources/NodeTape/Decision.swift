internal import BrokerLink
internal import IoTNode
internal import NodePorts
internal import TimerProtocol

/// What a node decided, as far as anybody can see it: its lamps, what it publishes, and what it logs.
package enum Decision: Hashable, Sendable {
    /// The outputs are requested, with these levels.
    case acquires([Level])
    /// These outputs are set.
    case sets([Level])
    case releases
    case connects(String)
    case disconnects
    case subscribes([String])
    case publishes(topic: String, payload: [UInt8], isRetained: Bool)
    case saves
    case setsAside(String)
    case logs(String)
    case exits

    /// The level of an output.
    package struct Level: Hashable, Sendable {
        package let output: String
        package let isOn: Bool
    }

    /// Creates a decision from an effect; nil for an effect that a tape leaves out, such as a change of a local display.
    init?(_ effect: NodeEffect) {
        switch effect {
        case .acquireOutputs(let levels): self = .acquires(Self.sorted(levels))
        case .setOutputs(let levels): self = .sets(Self.sorted(levels))
        case .releaseOutputs: self = .releases
        case .connect(let options): self = .connects(options.broker.description)
        case .disconnect: self = .disconnects
        case .subscribe(let subscriptions): self = .subscribes(subscriptions.map(\.filter))
        case .publish(let message):
            self = .publishes(topic: message.topic, payload: message.payload, isRetained: message.retain)
        case .save: self = .saves
        case .setAside(let what): self = .setsAside(what.name)
        case .log(_, let message): self = .logs(message)
        case .exit: self = .exits
        case .acquireInputs, .show, .announce, .measureMemory, .readTimeZones, .checkClock: return nil
        }
    }

    private static func sorted(_ levels: [String: Bool]) -> [Level] {
        levels.map { Level(output: $0, isOn: $1) }.sorted { $0.output < $1.output }
    }

    /// Whether this is a state, which shows whether a replay that began in the middle is in step.
    var isState: Bool { publishes(.state) }

    /// Whether this is a state of a node that follows no other one.
    package var isOwnState: Bool {
        guard isState, case .publishes(_, let payload, _) = self else { return false }
        return payload.contains(Array(#""follows":null"#.utf8))
    }

    /// Whether this publishes a message of a kind.
    func publishes(_ kind: TopicKind) -> Bool {
        if case .publishes(let topic, _, _) = self { topic.hasSuffix("/\(kind.rawValue)") } else { false }
    }
}

// Each kind of decision has a number, which never changes. A new kind gets a new number; 0 ends the decisions of a turn.

extension TapeWriter {
    /// Writes the decision that an effect shows, if it shows one. The frequent effects need no ``Decision``.
    mutating func effect(_ effect: NodeEffect) {
        switch effect {
        case .publish(let message): publication(message.topic, message.payload, isRetained: message.retain)
        case .save: decision(.saves)
        default: if let decision = Decision(effect) { self.decision(decision) }
        }
    }

    private mutating func publication(_ topic: String, _ payload: [UInt8], isRetained: Bool) {
        tag(7)
        text(topic)
        array(payload)
        flag(isRetained)
    }

    mutating func decision(_ decision: Decision) {
        switch decision {
        case .acquires(let levels):
            tag(1)
            self.levels(levels)
        case .sets(let levels):
            tag(2)
            self.levels(levels)
        case .releases: tag(3)
        case .connects(let broker):
            tag(4)
            text(broker)
        case .disconnects: tag(5)
        case .subscribes(let filters):
            tag(6)
            list(filters) { $0.text($1) }
        case .publishes(let topic, let payload, let isRetained): publication(topic, payload, isRetained: isRetained)
        case .saves: tag(8)
        case .setsAside(let what):
            tag(9)
            text(what)
        case .logs(let message):
            tag(10)
            text(message)
        case .exits: tag(11)
        }
    }

    private mutating func levels(_ levels: [Decision.Level]) {
        list(levels) {
            $0.text($1.output)
            $0.flag($1.isOn)
        }
    }
}

extension TapeReader {
    /// Reads a decision; returns nil at the end of a turn's decisions.
    mutating func decision() throws(TapeError) -> Decision? {
        switch try tag() {
        case 0: return nil
        case 1: return .acquires(try levels())
        case 2: return .sets(try levels())
        case 3: return .releases
        case 4: return .connects(try text())
        case 5: return .disconnects
        case 6: return .subscribes(try list { (reader) throws(TapeError) in try reader.text() })
        case 7: return .publishes(topic: try text(), payload: try array(), isRetained: try flag())
        case 8: return .saves
        case 9: return .setsAside(try text())
        case 10: return .logs(try text())
        case 11: return .exits
        default: throw .damaged
        }
    }

    private mutating func levels() throws(TapeError) -> [Decision.Level] {
        try list { (reader) throws(TapeError) in
            Decision.Level(output: try reader.text(), isOn: try reader.flag())
        }
    }
}
