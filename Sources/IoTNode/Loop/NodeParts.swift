/// The ports that a loop works with.
public struct NodeParts {
    /// Tells the time and waits.
    public var clock: any NodeClock
    /// The connection to the broker.
    public var connection: any MQTTConnection
    /// The lamps and the buzzer.
    public var outputs: any Outputs
    /// The buttons.
    public var inputs: any Inputs
    /// Keeps the state over restarts.
    public var store: any Store
    /// Signals and whatever else is waited for, besides the link and the lines.
    public var otherSources: [any EventSource]
    /// Who shows the status.
    public var displays: [any StatusDisplay]
    /// Tells how many bytes of memory the process has; nil where that is not known.
    public var residentBytes: () -> Int?
    /// Takes log lines.
    public var log: (LogLevel, String) -> Void
    /// Reads the configuration again.
    public var load: () -> Result<NodeConfiguration.Loaded, ConfigurationError> = { .failure(.faulty([])) }
    /// Makes some of the parts anew for another configuration.
    public var rebuild: (inout NodeParts, ChangedParts, NodeConfiguration) -> Void = { _, _, _ in }

    /// The parts of a node, which are those for any other configuration too unless ``rebuild`` is set.
    public init(
        clock: any NodeClock, connection: any MQTTConnection, outputs: any Outputs,
        inputs: any Inputs = InMemoryInputs(), store: any Store, otherSources: [any EventSource] = [],
        displays: [any StatusDisplay] = [], residentBytes: @escaping () -> Int? = { nil },
        log: @escaping (LogLevel, String) -> Void
    ) {
        self.clock = clock
        self.connection = connection
        self.outputs = outputs
        self.inputs = inputs
        self.store = store
        self.otherSources = otherSources
        self.displays = displays
        self.residentBytes = residentBytes
        self.log = log
    }

    /// All that is waited for, in the order in which it is asked.
    var sources: [any EventSource] { [inputs] + otherSources + [outputs, connection, store] }
}
