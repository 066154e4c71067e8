package import BrokerLink
package import Calendar
package import NodeConfiguration
package import NodePorts
internal import TimerProtocol

/// What reaches the core.
package enum NodeEvent: Hashable, Sendable {
    /// The node begins, with what it saved before and the id of the machine's boot.
    case started(saved: [UInt8]?, boot: String)
    /// ``NodeCore/nextInstant`` came.
    case timePassed
    /// The connection reports.
    case connection(ConnectionEvent)
    /// The output lines could not be requested or set.
    case outputsFailed(LinesFault)
    /// The output lines are held.
    case outputsAcquired(HeldOutputs)
    /// The buttons report, or their lines could not be requested.
    case inputs(InputEvent)
    /// The buttons' lines are held.
    case inputsAcquired(HeldInputs)
    /// A GPIO chip came or went, or others may use it than before.
    case chipsChanged
    /// The store reports.
    case store(StoreEvent)
    /// The saved state could not be read; comes together with ``started(saved:boot:)``.
    case loadFailed(StoreError)
    /// The saved runs were read; nil if there are none. Comes together with ``started(saved:boot:)``, before it.
    case runsLoaded([UInt8]?)
    /// The saved runs could not be read; comes in the place of ``runsLoaded(_:)``.
    case loadRunsFailed(StoreError)
    /// SIGHUP arrived: ``NodeLoop`` reads the configuration again, and the core hears of it only where it changed.
    case reloadRequested
    /// The memory of the process in bytes, as asked for; nil where that is not known.
    case memoryMeasured(Int?)
    /// Time zones were read, as asked for.
    case timeZonesRead(TimeZones)
    /// Whether the wall clock can be believed, as asked for: there is a clock that goes on while the machine is off, or the
    /// system says that it is synchronised.
    case clockChecked(isTrusted: Bool)
    /// Somebody set the wall clock; instants are not affected.
    case wallClockSet
    /// SIGTERM or SIGINT arrived.
    case terminate
}

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

/// What one moment's events lead to, in two steps: the lamps and the mode do not wait until the state is encoded.
///
/// ``NodeCore/deferredEffects(of:)`` takes it once. Whoever drops it drops what was to be said and saved.
package struct NodeTurn: ~Copyable {
    /// What must not wait, in order.
    package let first: [NodeEffect]
    /// What ``NodeCore/deferredEffects(of:)`` is to finish; nil where nothing else follows.
    let batch: EffectBatch?

    init(first: [NodeEffect], batch: EffectBatch?) { (self.first, self.batch) = (first, batch) }

    init(_ batch: EffectBatch) { self.init(first: batch.first, batch: batch) }
}

/// The effects of one moment's events, collected in any order and given out in the order that others rely on.
struct EffectBatch {
    let now: Moment

    // What must not wait, in this order.

    /// Requests lines, before they are set.
    var lines: [NodeEffect] = []
    /// Sets the lamps.
    var outputs: [NodeEffect] = []
    /// Connects, subscribes and announces the node, before anything else is published.
    var connection: [NodeEffect] = []
    /// Ticks and modes, in the timer's order.
    var progress: [NodeEffect] = []

    // All the rest, in this order.

    /// What Home Assistant has to know of an entity before it gets the entity's state.
    var discovery: [NodeEffect] = []
    /// The model, before the state that refers to it.
    var timers: [NodeEffect] = []
    var state: [NodeEffect] = []
    var events: [NodeEffect] = []
    /// After state and events, so that whoever waits for the response has seen what the command led to.
    var responses: [NodeEffect] = []
    var status: [NodeEffect] = []
    var saves: [NodeEffect] = []
    /// Log lines and announcements.
    var log: [NodeEffect] = []
    var health: [NodeEffect] = []
    /// Subscribes to what matters only once the node has said what is true.
    var lateSubscriptions: [NodeEffect] = []
    /// Asks for what the agenda needs to know.
    var questions: [NodeEffect] = []
    /// Says goodbye and leaves the loop.
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
        // Enough for a command, so that the array grows once.
        effects.reserveCapacity(discovery.count + timers.count + 6)
        effects += timers
        effects += state
        effects += events
        effects += responses
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
