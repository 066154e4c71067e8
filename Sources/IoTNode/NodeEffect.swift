package import BrokerLink
package import NodeConfiguration
package import NodePorts
internal import TimerProtocol

/// What the core wants done, in order.
package enum NodeEffect: Hashable, Sendable {
    /// Request the output lines and set these levels.
    case acquireOutputs([OutputName: Bool])
    /// Set these outputs.
    case setOutputs([OutputName: Bool])
    /// Set the safe values and give the lines back.
    case releaseOutputs
    /// Request the buttons' lines.
    case acquireInputs
    /// Begin a connection attempt.
    indirect case connect(ConnectOptions)
    /// Drop the attempt or the connection, after a DISCONNECT if that is possible within the time.
    case disconnect(patience: Duration)
    /// Subscribe to topic filters.
    case subscribe([Subscription])
    /// Publish a message.
    case publish(OutgoingMessage)
    /// Replace the saved state, after the saved runs where there are any; the number tells this save from others.
    indirect case save(SavedNodeState, runs: SavedRuns?, number: Int)
    /// Keep something under another name before the next saved state replaces it.
    case setAside(SetAside)
    /// Show what the node does.
    case show(NodeStatus)
    /// Announce to the service manager that the node is ready or stopping.
    case announce(Announcement)
    /// Measure the memory of the process.
    case measureMemory
    /// Read time zones.
    case readTimeZones([String])
    /// Find out whether the wall clock can be believed.
    case checkClock
    /// Write a log line.
    case log(LogLevel, String)
    /// Leave the loop.
    case exit

    /// Whether it sends a message.
    var isPublication: Bool {
        if case .publish = self { true } else { false }
    }
}
