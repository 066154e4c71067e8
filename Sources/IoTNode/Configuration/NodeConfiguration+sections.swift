extension NodeConfiguration {
    /// `node`: who the node is.
    public struct Identity: Hashable, Sendable {
        /// The id in topics: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
        public var id: String
        /// The name for people.
        public var name: String
        /// The groups whose commands, under `@NAME`, it obeys too.
        public var groups: [String]

        /// Names a node; without a name for people the id serves.
        public init(id: String, name: String? = nil, groups: [String] = []) {
            self.id = id
            self.name = name ?? id
            self.groups = groups
        }
    }

    /// `mqtt`: the brokers and how to speak with them.
    public struct MQTT: Hashable, Sendable {
        /// Tried in turn.
        public var brokers: [Broker]
        /// The protocol to begin with.
        public var version: MQTTVersion = .v5
        /// The first level, or levels, of each topic.
        public var prefix = "timer"
        /// The client identifier.
        public var clientID: String
        /// The keep-alive.
        public var keepAlive: Duration = .seconds(15)
        /// The user name and the password.
        public var credentials: Credentials?
        /// The files of TLS, for brokers with TLS.
        public var tls = TLSFiles()
        /// How often the remaining time is published while running; zero for never.
        public var tickEvery: Duration = .seconds(1)
        /// How often the node's own condition is published; zero for at changes of a fault alone.
        public var healthInterval: Duration = .seconds(60)
        /// Commands a second on average, with bursts of twice that; 0 for no limit.
        public var commandRate = 50

        /// The broker and the client's name there; the rest as the defaults have it.
        public init(brokers: [Broker], clientID: String) {
            self.brokers = brokers
            self.clientID = clientID
        }
    }

    /// `gpio`: the chip and its lines.
    public struct GPIO: Hashable, Sendable {
        /// Where the lines are.
        public enum Chip: Hashable, Sendable {
            /// The chip that has the lines named by the outputs.
            case auto
            /// A path, a name or a label.
            case named(String)
            /// No hardware: lamps drawn in the terminal.
            case simulated
        }

        /// Where the lines are.
        public var chip: Chip
        /// The outputs by their name.
        public var outputs: [OutputName: Output]
        /// The buttons, each on a line of its own; none on a simulated chip.
        public var buttons: [Button]

        /// Lines on a chip; without outputs, a simulated stoplight.
        public init(
            chip: Chip = .simulated, outputs: [OutputName: Output] = GPIO.stoplight, buttons: [Button] = []
        ) {
            self.chip = chip
            self.outputs = outputs
            self.buttons = buttons
        }

        /// The usual outputs, for a simulated chip.
        public static let stoplight: [OutputName: Output] = [
            "green": Output(line: "GREEN"), "yellow": Output(line: "YELLOW"), "red": Output(line: "RED"),
            "buzzer": Output(line: "BUZZER"),
        ]
    }

    /// One entry of `gpio.outputs`.
    public struct Output: Hashable, Sendable {
        /// The line: its name, or its offset written as a number.
        public var line: String
        /// Whether the lamp is on when the line is low.
        public var activeLow: Bool
        /// Whether the lamp is on when the node is not there.
        public var safe: Bool
        /// What pulls the line where the output lets go of it.
        public var bias = Bias.asIs
        /// How the line is driven.
        public var drive = Drive.pushPull

        /// An output on a line.
        public init(line: String, activeLow: Bool = false, safe: Bool = false) {
            self.line = line
            self.activeLow = activeLow
            self.safe = safe
        }
    }

    /// `storage`: where the state is kept.
    public struct Storage: Hashable, Sendable {
        /// The folder; made where it is missing.
        public var directory: String
        /// What becomes of a run when the machine was started anew.
        public var afterReboot = AfterReboot.pause

        /// Storage in a folder.
        public init(directory: String) { self.directory = directory }
    }

    /// `log`: what is logged.
    public struct Log: Hashable, Sendable {
        /// The least important level that is logged.
        public var level: LogLevel
        /// What its lines look like.
        public var format: LogFormat

        /// A log from `level` up.
        public init(level: LogLevel = .info, format: LogFormat = .text) {
            self.level = level
            self.format = format
        }
    }
}
