package import BrokerLink
package import NodeConfiguration
package import NodePorts

/// The ports that a loop uses.
package struct NodeParts {
    /// Provides the time and waits.
    package var clock: any NodeClock
    /// The connection to the broker.
    package var connection: any MQTTConnection
    /// The lamps and the buzzer.
    package var outputs: any Outputs
    /// The buttons.
    package var inputs: any Inputs
    /// Keeps the state across restarts.
    package var store: any Store
    /// Signals and other sources besides the connection, the lines and the store.
    package var otherSources: [any EventSource<NodeEvent>]
    /// The local displays of the status.
    package var displays: [any StatusDisplay]
    /// The system's time zones.
    package var timeZones: any TimeZoneSource = NoTimeZones()
    /// Whether the wall clock can be trusted.
    package var isClockTrusted: () -> Bool = { true }
    /// Keeps what the node is told and what it decides; nil if nothing is kept.
    package var recorder: (any TurnRecorder)?
    /// Returns how many bytes of memory the process uses; nil if that is unknown.
    package var residentBytes: () -> Int?
    /// Writes a log line.
    package var log: (LogLevel, String) -> Void
    /// Reads the configuration again.
    package var load: () -> Result<NodeConfiguration.Loaded, ConfigurationError> = { .failure(.faulty([])) }
    /// Replaces some of the ports when the configuration changes.
    package var replace: (inout NodeParts, ChangedParts, NodeConfiguration) -> Void = { _, _, _ in }

    /// Creates the ports of a node. They are never replaced unless ``replace`` is set.
    package init(
        clock: any NodeClock, connection: any MQTTConnection, outputs: any Outputs,
        inputs: any Inputs = NoInputs(), store: any Store, otherSources: [any EventSource<NodeEvent>] = [],
        displays: [any StatusDisplay] = [], residentBytes: @escaping () -> Int? = { nil },
        log: @escaping (LogLevel, String) -> Void
    ) {
        (self.clock, self.connection, self.outputs, self.inputs) = (clock, connection, outputs, inputs)
        (self.store, self.otherSources, self.displays) = (store, otherSources, displays)
        (self.residentBytes, self.log) = (residentBytes, log)
    }

    /// The event sources, in the order in which the loop reads them.
    package var sources: [any EventSource<NodeEvent>] {
        [inputs.reporting(as: NodeEvent.inputs)] + otherSources + [
            connection.reporting(as: NodeEvent.connection), store.reporting(as: NodeEvent.store),
            timeZones.reporting(as: NodeEvent.timeZonesRead),
        ]
    }
}

/// The ports that a new configuration replaces.
package struct ChangedParts: OptionSet, Hashable, Sendable {
    /// The raw bits of the set.
    package let rawValue: UInt8

    /// Creates a set from its raw bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The outputs and the buttons.
    package static let lines = ChangedParts(rawValue: 1)
    /// The store.
    package static let store = ChangedParts(rawValue: 2)
    /// The log settings.
    package static let log = ChangedParts(rawValue: 4)

    init(from old: NodeConfiguration, to new: NodeConfiguration) {
        self = []
        if new.gpio != old.gpio { insert(.lines) }
        if new.storage?.directory != old.storage?.directory { insert(.store) }
        if new.log != old.log { insert(.log) }
    }
}
