internal import BrokerLink
package import TimerProtocol

/// The validated content of the configuration file, with the defaults filled in.
package struct NodeConfiguration: Hashable, Sendable {
    package var node: Identity
    /// Nil for a node without a broker, which only has its lamps and buttons.
    package var mqtt: MQTT?
    /// Nil for a node that runs its own timers.
    package var follow: Follow?
    package var gpio = GPIO()
    package var signals = SignalTable.podium
    package var remotes: [Remote] = []
    package var mirrors: [Mirror] = []
    package var timers = Timers()
    /// Nil if the file has no such section.
    package var agenda: Agenda?
    package var programme = RunningOrder()
    /// Nil if no state is saved.
    package var storage: Storage?
    /// Nil if nothing is recorded.
    package var tape: TapeSettings?
    package var log = Log()

    package init(node: Identity) { self.node = node }
}

extension NodeConfiguration {
    /// The sections of the file.
    package static let keys = Keys(
        prototype: Self(node: Identity(id: "")),
        .optional("node", \.node, Identity.schema, absent: "the host name as id", "The identity of the node."),
        .optional(
            "mqtt", \.mqtt, MQTT.schema, absent: "the node works without a network",
            "The brokers and how to connect to them."),
        .optional(
            "follow", \.follow, Follow.schema, absent: "the node runs its own timers",
            "The node whose timer this one shows; see [several stoplights](several-stoplights.md)."),
        .optional("gpio", \.gpio, GPIO.schema, absent: "a simulated stoplight", "The lamps, buzzer and buttons."),
        .optional(
            "signals", \.signals, SignalTable.schema, absent: "the profile `podium`",
            "How each mode looks and sounds; see [signals](wiring.md#signals)."),
        .optional(
            "remotes", \.remotes, .list(of: Remote.schema, count: 0...64, "a list of at most 64 remotes"),
            absent: "none",
            "Commands that messages from other devices trigger; see [MQTT buttons](integrations.md#mqtt-buttons)."
        ),
        .optional(
            "mirrors", \.mirrors, .list(of: Mirror.schema, count: 0...32, "a list of at most 32 mirrors"),
            absent: "none",
            "Lamps and digits of other makers that show what the outputs or the timer do; see [mirrors](mirrors.md)."),
        .optional(
            "timers", \.timers, Timers.schema, absent: "one timer of 5:00, 1:00 and 0:15",
            "The timers of a node that has none saved yet."),
        .optional(
            "agenda", \.agenda, Agenda.schema, absent: "there are no meetings",
            "The meetings of a node that has none saved yet; see [the agenda](speakers.md#the-agenda)."),
        .optional(
            "programme", \.programme, RunningOrder.schema, absent: "entries follow one another at once",
            "How the [running order](running-order.md) is reckoned."),
        .optional(
            "storage", \.storage, Storage.schema, absent: "nothing is saved",
            "Where the state is saved."),
        .optional(
            "tape", \.tape, TapeSettings.schema, absent: "nothing is recorded",
            "Where a recording of all events and decisions is kept; see [a recording](operating.md#a-recording). A "
                + "change takes effect when the node starts."),
        .optional("log", \.log, Log.schema, absent: "level `info`", "What is logged.")
    )

    /// The names of all keys, in all sections.
    package static let keyNames: [String] = keys.declared.flatMap(\.names)

    /// The whole file.
    package static let schema: Schema<Self> = .section(keys) { section in
        // The order of the keys matters, because signals name outputs, and groups name patterns of the signals. Remotes
        // and mirrors are read last: they must not use the node's own topics, which depend on the sections `node` and
        // `mqtt`.
        section.readAll(except: \.remotes, \.mirrors)
        if !section.has(\.node) {
            section.draft.node = Identity(id: Identifier.fromHostName(section.context.hostName))
        }
        section.storeCommandTopics()
        section.checkLeader()
        var configuration = section.read(\.remotes, \.mirrors)
        configuration.checkCommands(section.context, hasTimers: section.has(\.timers) && configuration.follow == nil)
        section.checkMeetings()
        if configuration.mqtt?.link.clientID == "" {
            configuration.mqtt?.link.clientID = "timer-node-\(configuration.node.id)"
        }
        return configuration
    }
}

extension Section<NodeConfiguration> {
    /// Stores the topics of the node's own commands in the context.
    fileprivate func storeCommandTopics() {
        for path in [\.remotes, \.mirrors] as [PartialKeyPath<NodeConfiguration>] where has(path) && !has(\.mqtt) {
            report(.other("ignored: there is no mqtt section"), at: path, severity: .warning)
        }
        guard let mqtt = draft.mqtt else { return }
        context.topicPrefix = mqtt.prefix
        context.commandFilters = Topics(draft).commandFilters.compactMap { try? TopicFilter($0) }
    }
}

extension Topics {
    /// The topics of the configured node; without a broker they have the default prefix.
    package init(_ configuration: NodeConfiguration) {
        let mqtt = configuration.mqtt ?? .init(brokers: [], clientID: "")
        self.init(prefix: mqtt.prefix, node: configuration.node.id, groups: configuration.node.groups)
    }
}

/// The version of this build.
package enum NodeVersion {
    /// In the form of semantic versioning.
    package static let current = "0.1.0"
}

/// A configuration that can be used.
package struct LoadedConfiguration<Configuration: Hashable & Sendable>: Hashable, Sendable {
    package let configuration: Configuration
    /// The warnings in the order of their lines.
    package let warnings: [ConfigurationFault]

    package init(_ configuration: Configuration, warnings: [ConfigurationFault] = []) {
        (self.configuration, self.warnings) = (configuration, warnings)
    }
}

extension NodeConfiguration {
    package typealias Loaded = LoadedConfiguration<NodeConfiguration>

    /// The purpose of reading a file.
    package enum Purpose: Hashable, Sendable {
        /// To run a node. Each file that the configuration names must be readable.
        case running
        /// To report the faults to the user. A file that the configuration names may be readable only by the node's
        /// user, so one that cannot be read because of its permissions is only a warning.
        case checking
    }

    /// The maximum size of a file, in bytes. The largest timer model needs a fraction of it.
    package static let maximumFileSize = 262_144
}
