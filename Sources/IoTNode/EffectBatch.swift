internal import BrokerLink
internal import NodeConfiguration
internal import NodePorts

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
