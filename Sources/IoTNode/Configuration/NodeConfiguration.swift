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

extension Topics {
    /// The topics of a configuration's node.
    package init(_ configuration: NodeConfiguration) {
        self.init(
            prefix: configuration.mqtt?.prefix ?? "timer", node: configuration.node.id,
            groups: configuration.node.groups)
    }
}
