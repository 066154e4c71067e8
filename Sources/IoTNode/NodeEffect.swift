package import BrokerLink
package import Calendar
package import NodeConfiguration
package import NodePorts
internal import TimerProtocol

/// An event that the core handles.
package enum NodeEvent: Hashable, Sendable {
    /// The node starts, with its saved state and the id of the machine's boot.
    case started(saved: [UInt8]?, boot: String)
    /// ``NodeCore/nextInstant`` was reached.
    case timePassed
    /// A connection event.
    case connection(ConnectionEvent)
    /// The output lines could not be requested or set.
    case outputsFailed(LinesFault)
    /// The output lines are held.
    case outputsAcquired(HeldOutputs)
    /// A button event, or a failure to request the lines.
    case inputs(InputEvent)
    /// The buttons' lines are held.
    case inputsAcquired(HeldInputs)
    /// A GPIO chip appeared or disappeared, or its permissions changed.
    case chipsChanged
    /// A store event.
    case store(StoreEvent)
    /// The saved state could not be read; arrives together with ``started(saved:boot:)``.
    case loadFailed(StoreError)
    /// The saved runs were read; nil if no file holds any. Arrives together with, and before, ``started(saved:boot:)``.
    case runsLoaded([UInt8]?)
    /// The saved runs could not be read; arrives instead of ``runsLoaded(_:)``.
    case loadRunsFailed(StoreError)
    /// SIGHUP arrived: ``NodeLoop`` reads the configuration again, and calls the core only if it changed.
    case reloadRequested
    /// The requested memory usage of the process, in bytes; nil if it is unknown.
    case memoryMeasured(Int?)
    /// The requested time zones were read.
    case timeZonesRead(TimeZones)
    /// The result of the requested wall clock check. The clock is trusted if the machine has a clock that runs while
    /// the power is off, or if the system reports that the clock is synchronised.
    case clockChecked(isTrusted: Bool)
    /// The wall clock was adjusted; instants are not affected.
    case wallClockSet
    /// SIGTERM or SIGINT arrived.
    case terminate
}

/// An action that the core requests. Effects are performed in order.
package enum NodeEffect: Hashable, Sendable {
    /// Request the output lines and set these levels.
    case acquireOutputs([OutputName: Bool])
    /// Set these outputs.
    case setOutputs([OutputName: Bool])
    /// Set the safe values and release the lines.
    case releaseOutputs
    /// Request the buttons' lines.
    case acquireInputs
    /// Begin a connection attempt.
    indirect case connect(ConnectOptions)
    /// Drop the attempt or the connection, after a DISCONNECT if one can be sent within the time limit.
    case disconnect(timeout: Duration)
    /// Subscribe to topic filters.
    case subscribe([Subscription])
    /// Publish a message.
    case publish(OutgoingMessage)
    /// Replace the saved runs, if there are any to save, and then the saved state; the number identifies this save.
    indirect case save(SavedNodeState, runs: SavedRuns?, number: Int)
    /// Keep a document under another name before the next saved state replaces it.
    case setAside(SetAside)
    /// Show the node's status.
    case show(NodeStatus)
    /// Announce to the service manager that the node is ready or stopping.
    case announce(Announcement)
    /// Measure the memory usage of the process.
    case measureMemory
    /// Read time zones.
    case readTimeZones([String])
    /// Check whether the wall clock can be trusted.
    case checkClock
    /// Write a log line.
    case log(LogLevel, String)
    /// Exit the loop.
    case exit

    /// Encodes the message to publish, if the effect publishes one.
    mutating func encode() { if case .publish(let message) = self { self = .publish(message.encoded) } }

    /// Whether the effect publishes a message.
    var isPublication: Bool {
        if case .publish = self { true } else { false }
    }
}

/// The effects of events that were handled together, in two steps, so the lamps and the mode do not wait until the
/// state is encoded.
///
/// ``NodeCore/deferredEffects(of:)`` consumes it. If a turn is dropped instead, everything that it had to publish and
/// save is lost.
package struct NodeTurn: ~Copyable {
    /// The urgent effects, in order.
    package let first: [NodeEffect]
    /// The batch that ``NodeCore/deferredEffects(of:)`` completes; nil if nothing else follows.
    let batch: EffectBatch?

    init(first: [NodeEffect], batch: EffectBatch?) { (self.first, self.batch) = (first, batch) }

    init(_ batch: EffectBatch) { self.init(first: batch.first, batch: batch) }
}

/// The effects of events that were handled together, collected in any order and returned in the order that clients rely
/// on.
struct EffectBatch {
    let now: Moment

    // The urgent effects, in this order.

    /// Requests lines, before they are set.
    var lines: [NodeEffect] = []
    /// Sets the lamps.
    var outputs: [NodeEffect] = []
    /// Connects, subscribes and announces the node, before anything else is published.
    var connection: [NodeEffect] = []
    /// Ticks and modes, in the timer's order.
    var progress: [NodeEffect] = []

    // The deferred effects, in this order.

    /// Announces entities to Home Assistant before it receives their states.
    var discovery: [NodeEffect] = []
    /// The model, before the state that refers to it.
    var timers: [NodeEffect] = []
    var state: [NodeEffect] = []
    var events: [NodeEffect] = []
    /// Responses follow state and events, so a client that waits for its response has already received the command's
    /// results.
    var responses: [NodeEffect] = []
    /// Other makers' devices come after the node's own messages.
    var mirrors: [NodeEffect] = []
    var status: [NodeEffect] = []
    var saves: [NodeEffect] = []
    /// Log lines and announcements.
    var log: [NodeEffect] = []
    var health: [NodeEffect] = []
    /// Subscriptions that matter only after the node has published its own values.
    var lateSubscriptions: [NodeEffect] = []
    /// Requests the information that the agenda needs.
    var questions: [NodeEffect] = []
    /// Says goodbye to the broker and exits the loop.
    var farewell: [NodeEffect] = []

    init(now: Moment) { self.now = now }

    var first: [NodeEffect] {
        var effects = lines
        effects += outputs
        effects += connection
        effects += progress
        return effects
    }

    var rest: [NodeEffect] {
        var effects = discovery
        // This is enough for one command, so the array is allocated only once.
        effects.reserveCapacity(discovery.count + timers.count + 6)
        effects += timers
        effects += state
        effects += events
        effects += responses
        effects += mirrors
        effects += status
        effects += saves
        effects += log
        effects += health
        effects += lateSubscriptions
        effects += questions
        effects += farewell
        return effects
    }

    mutating func log(_ level: LogLevel, _ message: String) { log.append(.log(level, message)) }

    mutating func announce(_ announcement: Announcement) { log.append(.announce(announcement)) }
}
