package import BrokerLink
internal import TimerProtocol

extension NodeConfiguration {
    /// `mqtt`: the brokers and how to connect to them.
    package struct MQTT: Hashable, Sendable {
        /// The settings of the connection.
        package var link: LinkSettings
        package var prefix = "timer"
        /// Zero for never.
        package var tickEvery: Duration = .seconds(1)
        /// Zero to publish only after connecting and when a fault appears or disappears.
        package var healthInterval: Duration = .seconds(60)
        /// Commands per second on average, with bursts of twice that; 0 for no limit.
        package var commandRate = 50
        package var discovery = Discovery()

        package init(brokers: [Broker], clientID: String) { link = LinkSettings(brokers: brokers, clientID: clientID) }
    }

    /// `mqtt.discovery`: how the node is announced to Home Assistant.
    package struct Discovery: Hashable, Sendable {
        /// The number of messages that announce the node.
        package enum Style: String, CaseIterable, Hashable, Sendable {
            /// One, with the whole device. Home Assistant supports it since 2024.11.
            case device
            /// One for each entity. Every version of Home Assistant supports it, and so do other programs that
            /// implement its discovery.
            case component
            /// None.
            case none
        }

        package var style = Style.device
        package var prefix = "homeassistant"

        package init() {}
    }
}

extension NodeConfiguration.Discovery {
    /// Home Assistant's identifier of a node's device. It does not depend on the topic prefix, which may change.
    package static func identifier(of node: String) -> String { "timer_\(node)" }

    /// The topic filters of all messages that may announce a node, in either form.
    package func filters(of node: String) -> [String] {
        ["\(prefix)/+/\(node)/config", "\(prefix)/+/\(node)/+/config"]
    }

    /// Whether a payload on such a topic announces the node, rather than another device with the same id.
    package static func isAnnouncement(_ payload: [UInt8], of node: String) -> Bool {
        guard let json = try? JSON(parsing: payload), let device = json["dev"] else { return false }
        return device["identifiers"] == [.string(identifier(of: node))]
    }
}

extension NodeConfiguration.MQTT {
    /// The section as written in the file.
    private struct Draft {
        /// All other properties. The client identifier is empty if the file has none.
        var mqtt = NodeConfiguration.MQTT(brokers: [], clientID: "")
        var username: String?
        var password: Credentials.Password?
        var passwordFile: Credentials.Password?
    }

    /// The keys that every MQTT client uses.
    private static func clientKeys(password: String) -> [Key<Draft>] {
        [
            .required(
                "brokers", \.mqtt.link.brokers, .brokers,
                "The brokers, tried in turn."),
            .optional("protocol", \.mqtt.link.version, .oneOf, "The MQTT version to try first."),
            .optional(
                "prefix", \.mqtt.prefix, .topicPrefix,
                "The first level or levels of each topic, as in `timer/ID/state`."),
            .optional(
                "keepalive", \.mqtt.link.keepAlive, .seconds(in: 5...64_800),
                "The keep-alive interval. The node detects a dead broker one second later; the broker drops a lost client after "
                    + "1.5 times as long."),
            .optional("username", \.username, .text(.name), absent: "none", "The user name for the broker."),
            .optional(
                "password_file", \.passwordFile, .passwordFile, absent: "no password",
                "The file with the password, relative to this file, read on each connection. Systemd's credential "
                    + "`mqtt-password` takes precedence."),
            .optional(
                "password", \.password, .environmentPassword(password), absent: "no password",
                "The password, allowed only in the environment; it overrides `password_file`."),
            .optional(
                "tls", \.mqtt.link.tls, TLSFiles.schema, absent: "the system's certificates",
                "TLS for `mqtts://` brokers."),
        ]
    }

    /// The keys that only a node uses.
    private static let nodeKeys: [Key<Draft>] = [
        .optional(
            "client_id", \.mqtt.link.clientID, .text(.name), absent: "`timer-node-ID`",
            "The client identifier, unique among the broker's clients."),
        .optional(
            "command_rate", \.mqtt.commandRate, .integer(in: 0...10_000),
            "The commands accepted per second, with bursts of twice that; a payload counts as one per 4 KiB. "
                + "0 for no limit."),
        .optional(
            "tick_every", \.mqtt.tickEvery, .seconds(in: 1...3600, zero: "never"),
            "How often the remaining time is published while the timer runs."),
        .optional(
            "health_interval", \.mqtt.healthInterval,
            .seconds(in: 1...86_400, zero: "never"),
            "How often health is published, in addition to each connection and each change of faults."),
        .optional(
            "discovery", \.mqtt.discovery, NodeConfiguration.Discovery.schema,
            absent: "announced as a device",
            "How the node is announced to [Home Assistant](integrations.md#home-assistant)."),
    ]

    package static let schema = schema(
        Keys(
            prototype: Draft(),
            clientKeys(password: "TIMER_NODE_MQTT_PASSWORD") + nodeKeys))

    /// The section of timer-web, which may be a copy of the node's.
    static let webSchema = schema(
        Keys(
            prototype: Draft(),
            clientKeys(password: "TIMER_WEB_MQTT_PASSWORD")
                + nodeKeys.map(\.readHidden)))

    private static func schema(_ keys: Keys<Draft>) -> Schema<Self> {
        .section(keys) { section in
            var mqtt = section.readAll(except: \.passwordFile).mqtt
            if section.has(\.mqtt.link.tls), !mqtt.link.brokers.contains(where: \.usesTLS) {
                section.report(.other("ignored: no broker URL uses mqtts://"), at: \.mqtt.link.tls, severity: .warning)
            }
            mqtt.link.credentials = credentials(section)
            return mqtt
        }
    }

    private static func credentials(_ section: Section<Draft>) -> Credentials? {
        // The file is read only if neither the environment nor systemd has a password. Otherwise it need not exist.
        let password =
            if section.has(\.password) {
                section.draft.password
            } else {
                section.context.systemdPassword() ?? section.read(\.passwordFile).passwordFile
            }
        if let username = section.draft.username { return Credentials(username: username, password: password) }
        if password != nil, !section.has(\.username) {
            section.report(
                .unexpected(found: "nothing", expected: "the user name that the password belongs to"), at: \.username)
        }
        return nil
    }
}

extension Schema where Value == String {
    /// The levels that topics begin with.
    static var topicPrefix: Schema {
        scalar(
            "topic levels such as hall/timer, up to 128 bytes, none empty, without + or # or a leading $",
            format: { $0 }
        ) {
            let levels = $0.split(separator: "/", omittingEmptySubsequences: false)
            let fits = $0.utf8.count <= 128 && !$0.hasPrefix("$") && levels.allSatisfy { !$0.isEmpty }
            let refused = $0.unicodeScalars.contains {
                $0 == "+" || $0 == "#" || $0.properties.generalCategory == .control
            }
            return fits && !refused ? $0 : nil
        }
    }
}

extension NodeConfiguration.Discovery {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "style", \.style, .oneOf,
            "One message per device, for Home Assistant 2024.11 or later; one per component, for older versions; or "
                + "none."),
        .optional("prefix", \.prefix, .topicPrefix, "The first level or levels of the discovery topics.")
    )

    static let schema: Schema<Self> = .section(keys) { $0.readAll() }
}

extension Schema<Broker> {
    static var broker: Schema {
        Schema(expected: Broker.expectedURL, shape: .scalar) { node in
            guard let url = node.tree.text else {
                node.report(expected: Broker.expectedURL)
                return nil
            }
            if let broker = Broker(url: url) { return broker }
            node.report(.unexpected(found: Broker.found(url), expected: Broker.expectedURL))
            return nil
        }
    }
}

extension Schema<[Broker]> {
    /// A list of URLs. A single string instead of the list may contain a password, so a fault does not show every
    /// string.
    static var brokers: Schema {
        let expected = "a list of 1 to 16 URLs, each \(Broker.expectedURL)"
        let list = Schema.list(of: Schema<Broker>.broker, count: 1...16, expected)
        return Schema(expected: expected, shape: list.shape) { node in
            guard let url = node.tree.text else { return list.read(node) }
            node.report(.unexpected(found: Broker.found(url), expected: expected))
            return nil
        }
    }
}
