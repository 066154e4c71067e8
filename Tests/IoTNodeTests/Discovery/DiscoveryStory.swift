import BrokerLink
import NodeConfiguration
import NodeTestSupport
import TimerEngine

@testable import IoTNode
@testable import TimerProtocol

/// A node that is announced, and the messages that Home Assistant receives from it.
struct DiscoveryStory {
    /// How many entities a node without an agenda, a running order and accounts has.
    static let count = 31

    var node: Scenario
    /// How many messages have been examined already.
    private var seen = 0

    /// A connected node with two timers.
    ///
    /// - Parameters:
    ///   - saved: the state that an earlier process saved.
    ///   - names: the names of the node's timers.
    init(
        _ style: NodeConfiguration.Discovery.Style = .device, saved: [UInt8]? = nil, names: [String] = ["Talk", "Q&A"],
        configure: (inout NodeConfiguration) throws -> Void = { _ in }
    ) throws {
        let items = names.map { TimerItem(name: $0, thresholds: .zero.setting(start: 90).setting(warning: 30)) }
        let groups = items.map { TimerGroup(timers: [$0]) }
        let timers = try NodeConfiguration.Timers(groups: groups)
        var fault: (any Error)?
        node = try Scenario(saved: saved) {
            $0.node.name = "Lectern"
            $0.timers = timers
            $0.storage = .init(directory: "/nowhere")
            $0.mqtt?.discovery.style = style
            do { try configure(&$0) } catch { fault = error }
        }
        if let fault { throw fault }
    }

    /// Returns the messages since the last call: discovery with its payload, other messages by the last level of the
    /// topic.
    mutating func news() -> [String] {
        defer { seen = node.publications.count }
        return node.publications[seen...].map { message in
            guard message.topic.hasPrefix("homeassistant/") else { return String(message.topic.dropFirst(14)) }
            return "\(message.topic.dropFirst(14)) \(summary(message.payload))"
        }
    }

    /// Describes an empty payload, a migration, or the entities that exist and those that are removed.
    private func summary(_ payload: [UInt8]) -> String {
        guard !payload.isEmpty else { return "empty" }
        guard let json = try? JSON(parsing: payload) else { return "no JSON" }
        if json["migrate_discovery"] == true { return "migrate" }
        guard case .object(let members) = json["cmps"] else { return "entity" }
        let removed = members.filter { $0.value["unique_id"] == nil }.map(\.key)
        return "\(members.count - removed.count) entities"
            + (removed.isEmpty ? "" : ", removes \(removed.joined(separator: " "))")
    }

    /// The discovery messages that the broker retains.
    var retained: [String: [UInt8]] {
        var retained: [String: [UInt8]] = [:]
        for message in node.publications where message.retain && message.topic.hasPrefix("homeassistant/") {
            retained[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
        return retained
    }

    /// The retained discovery messages, parsed, in the order of the topics.
    func messages() throws -> [(topic: String, payload: JSON)] {
        try retained.sorted { $0.key < $1.key }.map { ($0.key, try JSON(parsing: $0.value)) }
    }

    /// The entities by key, wherever they are announced.
    func entities() throws -> [String: JSON] {
        var entities: [String: JSON] = [:]
        for (topic, payload) in try messages() {
            if case .object(let members) = payload["cmps"] {
                for member in members { entities[member.key] = member.value }
            } else {
                entities[String(topic.split(separator: "/")[3])] = payload
            }
        }
        return entities
    }

    mutating func reload(_ change: (inout NodeConfiguration) -> Void) {
        var configuration = node.core.configuration
        change(&configuration)
        node.reload(.success(.init(configuration)))
        if !node.isConnected || node.attempts.count > 1 { node.wait(.seconds(1)) }
    }
}
