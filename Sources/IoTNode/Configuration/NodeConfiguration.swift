/// All that a node is told: what the YAML file holds, checked, with the defaults filled in.
public struct NodeConfiguration: Hashable, Sendable {
    /// Who the node is.
    public var node: Identity
    /// The broker and how to speak with it; nil runs with lamps and buttons alone.
    public var mqtt: MQTT?
    /// The lines.
    public var gpio: GPIO
    /// What each mode looks and sounds like.
    public var signals: SignalTable
    /// What other devices publish, and the commands it stands for.
    public var remotes: [Remote]
    /// The timers of a node that has none saved.
    public var timers: Timers
    /// Where the state is kept over restarts; nil keeps none.
    public var storage: Storage?
    /// What is logged.
    public var log: Log

    /// A configuration from its sections.
    public init(
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
