internal import NodeConfiguration
internal import TimerProtocol

/// The node as a device in Home Assistant.
struct HomeAssistantDevice: Hashable, Sendable {
    let topics: Topics
    let identity: NodeConfiguration.Identity
    let publishesTicks: Bool
    let takesEdits: Bool
    let follows: Bool
    /// Whether the broker should drop commands that it cannot deliver in time. This requires MQTT 5: with MQTT 3.1.1,
    /// Home Assistant would not send the commands of an entity with this option.
    var commandsExpire = false

    /// After this time, in seconds, the user no longer expects a command from Home Assistant to be executed.
    private static let commandExpiry = 10

    init(_ configuration: NodeConfiguration) {
        topics = Topics(configuration)
        identity = configuration.node
        publishesTicks = configuration.mqtt.map { $0.tickEvery > .zero } ?? false
        takesEdits = !configuration.timers.isReadOnly
        follows = configuration.follow != nil
    }

    private var identifier: String { NodeConfiguration.Discovery.identifier(of: identity.id) }

    /// The members that all entity messages have in common.
    ///
    /// Home Assistant defines the abbreviations: `dev` for device, `o` for origin.
    private var shared: [JSON.Member] {
        let version = JSON.Member(key: "sw_version", value: .string(NodeVersion.current))
        var device: [JSON.Member] = [
            .init(key: "identifiers", value: [.string(identifier)]),
            .init(key: "name", value: .string(identity.name)),
            .init(key: "manufacturer", value: "timer-node"),
            .init(key: "model", value: "Timer node"),
            version,
        ]
        if let url = identity.webURL { device.append(.init(key: "configuration_url", value: .string(url))) }
        return [
            .init(key: "dev", value: .object(device)),
            .init(key: "o", value: .object([.init(key: "name", value: "timer-node"), version])),
            .init(key: "availability_topic", value: .string(topics[.availability])),
        ]
    }

    private func options(of entity: Entity) -> [JSON.Member] {
        // Ids in Home Assistant must not contain hyphens.
        let node = String(identity.id.map { $0 == "-" ? "_" : $0 })
        let sendsCommands = entity.options.contains { $0.key == "command_topic" }
        let expiry = JSON.Member(key: "message_expiry_interval", value: .integer(Self.commandExpiry))
        return entity.options + (sendsCommands && commandsExpire ? [expiry] : []) + [
            .init(key: "unique_id", value: .string("\(identifier)_\(entity.key)")),
            .init(key: "default_entity_id", value: .string("\(entity.platform.rawValue).\(node)_\(entity.key)")),
            .init(key: "qos", value: 1),
        ]
    }

    /// Returns the message that announces one entity.
    func payload(for entity: Entity) -> [UInt8] { JSON.object(options(of: entity) + shared).bytes }

    /// Returns the message that announces all entities.
    ///
    /// - Parameter removed: the entities that were in the previous message and no longer exist.
    func payload(for entities: [Entity], removing removed: [AnnouncedDevice.Place] = []) -> [UInt8] {
        let components = entities.map { entity in
            let platform = JSON.Member(key: "platform", value: .string(entity.platform.rawValue))
            return JSON.Member(key: entity.key, value: .object([platform] + options(of: entity)))
        }
        let removals = removed.map {
            JSON.Member(key: String($0.key), value: ["platform": .string(String($0.platform))])
        }
        return JSON.object(shared + [.init(key: "cmps", value: .object(components + removals))]).bytes
    }
}

/// The topics and entities with which a node was announced: everything needed to remove the announcement.
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

    /// The topics on which the announcement was published.
    var topics: [String] {
        switch style {
        case .device: [deviceTopic]
        case .component: entities.map(topic)
        case .none: []
        }
    }

    /// The topic of the message for all entities.
    var deviceTopic: String { "\(prefix)/device/\(node)/config" }

    /// Returns the topic of the message for one entity.
    func topic(of entity: Place) -> String { "\(prefix)/\(entity.platform)/\(node)/\(entity.key)/config" }
}

extension AnnouncedDevice: Record {
    mutating func fields(_ visitor: inout some FieldVisitor) throws(Refusal) {
        try visitor.field("prefix", &prefix, .own, "The first levels of the topics.")
        try visitor.field("node", &node, .own, "The node's id.")
        try visitor.field("style", &style, "The style of the announcement; not `none`.")
        try visitor.field("entities", &entities, ListBounds(()), "The entities, in order.")
    }
}

extension AnnouncedDevice.Place: ScalarValue {
    static let expected = "an entity such as sensor/mode"
}

extension NodeConfiguration.Discovery.Style: ScalarValue {}

/// An entity in Home Assistant: a value of the node that it shows, or a command that it sends.
struct Entity: Sendable {
    /// Home Assistant's kinds of entity.
    enum Platform: String, Sendable {
        case binarySensor = "binary_sensor"
        case button, event, notify, number, select, sensor, `switch`, text
    }

    let platform: Platform
    /// The entity's key within the node. Home Assistant identifies the entity by it, so it never changes.
    let key: String
    /// The options in its message, except those that all of the node's entities share.
    let options: [JSON.Member]

    /// Creates an entity.
    ///
    /// - Parameters:
    ///   - key: the entity's key within the node.
    ///   - name: the name shown to users.
    ///   - options: the other options that its platform needs.
    init(_ platform: Platform, _ key: String, _ name: String, _ options: KeyValuePairs<String, JSON>) {
        self.platform = platform
        self.key = key
        self.options = [JSON.Member(key: "name", value: .string(name))] + options.map(JSON.Member.init)
    }
}
