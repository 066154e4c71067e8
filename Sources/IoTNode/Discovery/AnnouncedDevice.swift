internal import NodeConfiguration
internal import TimerProtocol

/// Where and as what a node was announced: all that is needed to take it back.
struct AnnouncedDevice: Hashable, Sendable {
    /// An entity in an announcement, saved as `sensor/mode`.
    struct Place: Hashable, Sendable, LosslessStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }

        init(_ entity: Entity) { description = "\(entity.platform.rawValue)/\(entity.key)" }

        var platform: Substring { description.prefix { $0 != "/" } }
        var key: Substring { description.dropFirst(platform.count + 1) }
    }

    var prefix = ""
    var node = ""
    var style = NodeConfiguration.Discovery.Style.device
    var entities: [Place] = []

    /// Home Assistant's identifier of a node's device. It does not depend on the prefix of the topics, which may change.
    static func identifier(of node: String) -> String { "timer_\(node)" }

    /// The topics that it was published on.
    var topics: [String] {
        switch style {
        case .device: [deviceTopic]
        case .component: entities.map(topic)
        case .none: []
        }
    }

    /// The topic of the message for all entities.
    var deviceTopic: String { "\(prefix)/device/\(node)/config" }

    /// The topic of the message for one entity.
    func topic(of entity: Place) -> String { "\(prefix)/\(entity.platform)/\(node)/\(entity.key)/config" }
}

extension AnnouncedDevice: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("prefix", &prefix, .own, "The first levels of the topics.")
        try visitor.field("node", &node, .own, "The node's id.")
        try visitor.field("style", &style, "How it was announced; not `none`.")
        try visitor.field("entities", &entities, ListBounds(()), "The entities, in their order.")
    }
}

extension AnnouncedDevice.Place: ScalarValue {
    static let expected = "an entity such as sensor/mode"
}

extension NodeConfiguration.Discovery.Style: ScalarValue {}

extension NodeConfiguration.Discovery {
    /// The topic filters of all messages that may announce a node, in either form.
    package func filters(of node: String) -> [String] {
        ["\(prefix)/+/\(node)/config", "\(prefix)/+/\(node)/+/config"]
    }

    /// Whether a payload on such a topic announces the node, and not another device with the same id.
    package static func isAnnouncement(_ payload: [UInt8], of node: String) -> Bool {
        guard let json = try? JSON(parsing: payload), let device = json["dev"] else { return false }
        return device["identifiers"] == [.string(AnnouncedDevice.identifier(of: node))]
    }
}
