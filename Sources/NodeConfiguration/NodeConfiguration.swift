internal import BrokerLink
package import TimerProtocol

/// What the configuration file says, checked, with the defaults filled in.
package struct NodeConfiguration: Hashable, Sendable {
    package var node: Identity
    /// Nil for a node without a broker, which has its lamps and buttons alone.
    package var mqtt: MQTT?
    /// Nil for a node with timers of its own.
    package var follow: Follow?
    package var gpio = GPIO()
    package var signals = SignalTable.podium
    package var remotes: [Remote] = []
    package var timers = Timers()
    /// Nil where the file has no such section.
    package var agenda: Agenda?
    /// Nil where no state is kept over restarts.
    package var storage: Storage?
    package var log = Log()

    package init(node: Identity) { self.node = node }
}

extension NodeConfiguration {
    /// The sections of the file.
    package static let keys = Keys(
        prototype: Self(node: Identity(id: "")),
        .optional("node", \.node, Identity.schema, absent: "the host's name as id", "Who the node is."),
        .optional(
            "mqtt", \.mqtt, MQTT.schema, absent: "the node runs with its lamps alone",
            "The brokers and how to speak with them."),
        .optional(
            "follow", \.follow, Follow.schema, absent: "the node has timers of its own",
            "The node whose timer this one shows; see [several stoplights](several-stoplights.md)."),
        .optional("gpio", \.gpio, GPIO.schema, absent: "a simulated stoplight", "The lamps and the buzzer."),
        .optional(
            "signals", \.signals, SignalTable.schema, absent: "the profile podium",
            "What each mode looks and sounds like."),
        .optional(
            "remotes", \.remotes, .list(of: Remote.schema, count: 0...64, "a list of at most 64 remotes"),
            absent: "none", "What other devices publish, and the commands it stands for; see [remotes](remotes.md)."
        ),
        .optional(
            "timers", \.timers, Timers.schema, absent: "one timer of 5:00, 1:00 and 0:15",
            "The timers of a node that has none saved."),
        .optional(
            "agenda", \.agenda, Agenda.schema, absent: "there are no meetings",
            "The meetings of a node that has none saved, weekly or dated."),
        .optional(
            "storage", \.storage, Storage.schema, absent: "nothing is kept",
            "Where state is kept over restarts."),
        .optional("log", \.log, Log.schema, absent: "level info", "What is logged.")
    )

    /// The whole file.
    package static let schema: Schema<Self> = .section(keys) { section in
        // The keys are read in order, because signals name outputs, and groups name patterns of the signals. Remotes are
        // read last: they must not have the node's own topics, which depend on the node and its broker.
        section.readAll(except: \.remotes)
        if !section.has(\.node) {
            section.draft.node = Identity(id: Identifier.fromHostName(section.context.hostName))
        }
        section.learnCommandTopics()
        section.checkLeader()
        var configuration = section.read(\.remotes)
        configuration.checkCommands(section.context, hasTimers: section.has(\.timers) && configuration.follow == nil)
        section.checkMeetings()
        if configuration.mqtt?.link.clientID == "" {
            configuration.mqtt?.link.clientID = "timer-node-\(configuration.node.id)"
        }
        return configuration
    }
}

extension Section<NodeConfiguration> {
    /// Tells the context the topics of the node's own commands.
    fileprivate func learnCommandTopics() {
        if has(\.remotes), !has(\.mqtt) {
            report(.other("not used: there is no mqtt"), at: \.remotes, severity: .warning)
        }
        guard draft.mqtt != nil else { return }
        context.commandFilters = Topics(draft).commandFilters.compactMap { try? TopicFilter($0) }
    }
}

extension Topics {
    /// The topics of a configuration's node; without a broker they have the default prefix.
    package init(_ configuration: NodeConfiguration) {
        let mqtt = configuration.mqtt ?? .init(brokers: [], clientID: "")
        self.init(prefix: mqtt.prefix, node: configuration.node.id, groups: configuration.node.groups)
    }
}

/// The version of this build.
package enum NodeVersion {
    /// As semantic versioning writes it.
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

    /// What a file is read for.
    package enum Purpose: Hashable, Sendable {
        /// A node is to run by the file. Each file that it names has to be readable.
        case running
        /// A person wants to know what is wrong with the file. A named file that only the node's user may read is right,
        /// so it is a warning.
        case checking
    }

    /// The longest file, in bytes. The largest model of timers needs a fraction of it.
    package static let maximumFileSize = 262_144
}
