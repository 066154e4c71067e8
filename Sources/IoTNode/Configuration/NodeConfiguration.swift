internal import TimerProtocol

/// All that a node is told: what the YAML file holds, checked, with the defaults filled in.
package struct NodeConfiguration: Hashable, Sendable {
    /// Who the node is.
    package var node: Identity
    /// The broker and how to speak with it; nil runs with lamps and buttons alone.
    package var mqtt: MQTT?
    /// The lines.
    package var gpio: GPIO
    /// What each mode looks and sounds like.
    package var signals: SignalTable
    /// What other devices publish, and the commands it stands for.
    package var remotes: [Remote]
    /// The timers of a node that has none saved.
    package var timers: Timers
    /// Where the state is kept over restarts; nil keeps none.
    package var storage: Storage?
    /// What is logged.
    package var log: Log

    /// A configuration from its sections.
    package init(
        node: Identity, mqtt: MQTT? = nil, gpio: GPIO = GPIO(), signals: SignalTable = .podium,
        remotes: [Remote] = [], timers: Timers = Timers(), storage: Storage? = nil, log: Log = Log()
    ) {
        self.node = node
        self.mqtt = mqtt
        self.gpio = gpio
        self.signals = signals
        self.remotes = remotes
        self.timers = timers
        self.storage = storage
        self.log = log
    }
}

extension NodeConfiguration {
    /// `node`: who the node is.
    package struct Identity: Hashable, Sendable {
        /// The id in topics: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
        package var id: String
        /// The name for people.
        package var name: String
        /// The groups whose commands, under `@NAME`, it obeys too.
        package var groups: [String]

        /// Names a node; without a name for people the id serves.
        package init(id: String, name: String? = nil, groups: [String] = []) {
            self.id = id
            self.name = name ?? id
            self.groups = groups
        }
    }

    /// `storage`: where the state is kept.
    package struct Storage: Hashable, Sendable {
        /// The folder; made where it is missing.
        package var directory: String
        /// What becomes of a run when the machine was started anew.
        package var afterReboot = AfterReboot.pause

        /// Storage in a folder.
        package init(directory: String = "/var/lib/timer-node") { self.directory = directory }
    }

    /// `log`: what is logged.
    package struct Log: Hashable, Sendable {
        /// The least important level that is logged.
        package var level: LogLevel
        /// What its lines look like.
        package var format: LogFormat

        /// A log from `level` up.
        package init(level: LogLevel = .info, format: LogFormat = .text) {
            self.level = level
            self.format = format
        }
    }
}

extension Topics {
    /// The topics of a configuration's node.
    package init(_ configuration: NodeConfiguration) {
        self.init(
            prefix: configuration.mqtt?.prefix ?? "timer", node: configuration.node.id,
            groups: configuration.node.groups)
    }
}
