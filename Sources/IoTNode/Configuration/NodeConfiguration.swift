package import TimerProtocol

/// What the configuration file says, checked, with the defaults filled in.
package struct NodeConfiguration: Hashable, Sendable {
    package var node: Identity
    /// Nil for a node without a broker, which has its lamps and buttons alone.
    package var mqtt: MQTT?
    /// The node whose timer this one shows; nil for a node with timers of its own.
    package var follow: Follow?
    package var gpio: GPIO
    package var signals: SignalTable
    package var remotes: [Remote]
    package var timers: Timers
    /// The meetings of a node that has none saved; nil where the file has no such section.
    package var agenda: Agenda?
    /// Nil where no state is kept over restarts.
    package var storage: Storage?
    package var log: Log

    package init(
        node: Identity, mqtt: MQTT? = nil, follow: Follow? = nil, gpio: GPIO = GPIO(), signals: SignalTable = .podium,
        remotes: [Remote] = [], timers: Timers = Timers(), agenda: Agenda? = nil, storage: Storage? = nil,
        log: Log = Log()
    ) {
        self.node = node
        self.mqtt = mqtt
        self.follow = follow
        self.gpio = gpio
        self.signals = signals
        self.remotes = remotes
        self.timers = timers
        self.agenda = agenda
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
        /// The groups of nodes it belongs to. It obeys their commands, under `@NAME`, too.
        package var groups: [String]
        /// The URL of a page about the node, for people.
        package var webURL: String?

        /// An identity; without a name the id is shown to people too.
        package init(id: String, name: String? = nil, groups: [String] = [], webURL: String? = nil) {
            self.id = id
            self.name = name ?? id
            self.groups = groups
            self.webURL = webURL
        }
    }

    /// `follow`: the node whose timer this one shows.
    package struct Follow: Codable, Hashable, Sendable {
        /// The leader's id.
        package var node: String
        /// The first level, or levels, of the leader's topics.
        package var prefix: String

        /// A leader under a prefix.
        package init(node: String, prefix: String) {
            self.node = node
            self.prefix = prefix
        }
    }

    /// `storage`: where the state is kept.
    package struct Storage: Hashable, Sendable {
        /// The folder; it is made where it is missing.
        package var directory: String
        /// What becomes of a run when the machine was started anew.
        package var afterReboot = AfterReboot.pause
        /// How many runs that ended are kept for the report; 0 for none.
        package var runs = 200
        /// How many may be kept: as many as fit into the file, whatever their names are.
        package static let runCounts = 0...1000

        package init(directory: String = "/var/lib/timer-node") { self.directory = directory }
    }

    /// `log`: what is logged.
    package struct Log: Hashable, Sendable {
        /// The least important level that is logged.
        package var level: LogLevel
        package var format: LogFormat

        package init(level: LogLevel = .info, format: LogFormat = .text) {
            self.level = level
            self.format = format
        }
    }
}

extension NodeConfiguration {
    /// How many runs are kept; a node without storage keeps them until it is restarted.
    var runLimit: Int { (storage ?? Storage()).runs }
}

extension Topics {
    /// The topics of a configuration's node; without a broker they have the default prefix.
    package init(_ configuration: NodeConfiguration) {
        let mqtt = configuration.mqtt ?? .init(brokers: [], clientID: "")
        self.init(prefix: mqtt.prefix, node: configuration.node.id, groups: configuration.node.groups)
    }
}
