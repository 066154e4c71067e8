internal import IoTNode
internal import TimerProtocol

extension NodeConfiguration {
    /// The sections of the file.
    enum Keys {
        static let node = Key("node", Identity.schema, absent: "the host's name as id", "Who the node is.")
        static let mqtt = Key(
            "mqtt", MQTT.schema, absent: "the node runs with its lamps alone", "The brokers and how to speak with them."
        )
        static let gpio = Key("gpio", GPIO.schema, absent: "a simulated stoplight", "The lamps and the buzzer.")
        static let signals = Key(
            "signals", SignalTable.schema, absent: "the profile podium", "What each mode looks and sounds like.")
        static let remotes = Key(
            "remotes", .list(of: Remote.schema, count: 0...64, "a list of at most 64 remotes"), absent: "none",
            "What other devices publish, and the commands it stands for; see [remotes](remotes.md).")
        static let timers = Key(
            "timers", Timers.schema, absent: "one timer of 5:00, 1:00 and 0:15",
            "The timers of a node that has none saved.")
        static let storage = Key(
            "storage", Storage.schema, absent: "nothing is kept", "Where state is kept over restarts.")
        static let log = Key("log", Log.schema, absent: "level info", "What is logged.")

        static let all: [any DeclaredKey] = [node, mqtt, gpio, signals, remotes, timers, storage, log]
    }

    /// How the whole file is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            let node = section.read(Keys.node) ?? Identity(id: Identifier.fromHostName(section.context.hostName))
            var configuration = Self(node: node, mqtt: section.read(Keys.mqtt), storage: section.read(Keys.storage))
            section.read(Keys.gpio, into: &configuration.gpio)
            // Signals name outputs, and groups name patterns of the signals.
            section.read(Keys.signals, into: &configuration.signals)
            section.read(Keys.timers, into: &configuration.timers)
            section.learnCommandTopics(of: configuration)
            section.read(Keys.remotes, into: &configuration.remotes)
            section.read(Keys.log, into: &configuration.log)
            configuration.checkCommands(section.context, hasTimers: section.node(Keys.timers) != nil)
            if configuration.mqtt?.clientID == "" { configuration.mqtt?.clientID = "timer-node-\(node.id)" }
            return configuration
        }
    }
}

extension Section {
    /// Makes the node's own command topics known to the remotes, which may not have them.
    fileprivate func learnCommandTopics(of configuration: NodeConfiguration) {
        if node(NodeConfiguration.Keys.remotes) != nil, node(NodeConfiguration.Keys.mqtt) == nil {
            report(.other("not used: there is no mqtt"), at: NodeConfiguration.Keys.remotes, severity: .warning)
        }
        guard let mqtt = configuration.mqtt else { return }
        let node = configuration.node
        let topics = Topics(prefix: mqtt.prefix, node: node.id, groups: node.groups)
        context.commandFilters = topics.commandFilters.compactMap { try? TopicFilter($0) }
    }
}
