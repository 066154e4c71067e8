/// Where and as what a node was announced: all that is needed to take it back.
struct AnnouncedDevice: Hashable, Sendable, Codable {
    /// The form of the announcement.
    enum Style: String, Hashable, Sendable, Codable {
        /// One message for all entities.
        case device
        /// One message for each entity.
        case component
    }

    /// An entity in an announcement, saved as `sensor/mode`.
    struct Place: Hashable, Sendable, Codable, RawRepresentable {
        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }

        init(_ entity: Entity) { self.init(rawValue: "\(entity.platform.rawValue)/\(entity.key)") }

        var platform: Substring { rawValue.prefix { $0 != "/" } }
        var key: Substring { rawValue.dropFirst(platform.count + 1) }
    }

    let prefix: String
    /// The node's id.
    let node: String
    let style: Style
    /// The entities, in their order.
    let entities: [Place]

    /// The topics that it was published on.
    var topics: [String] {
        switch style {
        case .device: [deviceTopic]
        case .component: entities.map(topic)
        }
    }

    /// The topic of the message for all entities.
    var deviceTopic: String { "\(prefix)/device/\(node)/config" }

    /// The topic of the message for one entity.
    func topic(of entity: Place) -> String { "\(prefix)/\(entity.platform)/\(node)/\(entity.key)/config" }
}
