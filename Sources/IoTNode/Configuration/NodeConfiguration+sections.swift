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

    /// `mqtt`: the brokers and how to speak with them.
    package struct MQTT: Hashable, Sendable {
        /// Tried in turn.
        package var brokers: [Broker]
        /// The protocol to begin with.
        package var version: MQTTVersion = .v5
        /// The first level, or levels, of each topic.
        package var prefix = "timer"
        /// The client identifier.
        package var clientID: String
        /// The keep-alive.
        package var keepAlive: Duration = .seconds(15)
        /// The user name and the password.
        package var credentials: Credentials?
        /// The files of TLS, for brokers with TLS.
        package var tls = TLSFiles()
        /// How often the remaining time is published while running; zero for never.
        package var tickEvery: Duration = .seconds(1)
        /// How often the node's own condition is published; zero for at changes of a fault alone.
        package var healthInterval: Duration = .seconds(60)
        /// Commands a second on average, with bursts of twice that; 0 for no limit.
        package var commandRate = 50

        /// The broker and the client's name there; the rest as the defaults have it.
        package init(brokers: [Broker], clientID: String) {
            self.brokers = brokers
            self.clientID = clientID
        }
    }

    /// `gpio`: the chip and its lines.
    package struct GPIO: Hashable, Sendable {
        /// Where the lines are.
        package enum Chip: Hashable, Sendable {
            /// The chip that has the lines named by the outputs.
            case auto
            /// A path, a name or a label.
            case named(String)
            /// No hardware: lamps drawn in the terminal.
            case simulated
        }

        /// Where the lines are.
        package var chip: Chip
        /// The outputs by their name.
        package var outputs: [OutputName: Output]
        /// The buttons, each on a line of its own; none on a simulated chip.
        package var buttons: [Button]

        /// Lines on a chip; without outputs, a simulated stoplight.
        package init(
            chip: Chip = .simulated, outputs: [OutputName: Output] = GPIO.stoplight, buttons: [Button] = []
        ) {
            self.chip = chip
            self.outputs = outputs
            self.buttons = buttons
        }

        /// The usual outputs, for a simulated chip.
        package static let stoplight: [OutputName: Output] = [
            "green": Output(line: "GREEN"), "yellow": Output(line: "YELLOW"), "red": Output(line: "RED"),
            "buzzer": Output(line: "BUZZER"),
        ]
    }

    /// One entry of `gpio.outputs`.
    package struct Output: Hashable, Sendable {
        /// The line: its name, or its offset written as a number.
        package var line: String
        /// Whether the lamp is on when the line is low.
        package var activeLow: Bool
        /// Whether the lamp is on when the node is not there.
        package var safe: Bool
        /// What pulls the line where the output lets go of it.
        package var bias = Bias.asIs
        /// How the line is driven.
        package var drive = Drive.pushPull

        /// An output on a line.
        package init(line: String, activeLow: Bool = false, safe: Bool = false) {
            self.line = line
            self.activeLow = activeLow
            self.safe = safe
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
