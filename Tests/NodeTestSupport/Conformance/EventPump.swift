internal import BrokerLink
import IoTNode
import TimerEngine

/// Serves one source as the loop serves all of them: takes its events when a descriptor is ready or its instant has
/// come. This takes no time with a virtual clock, and real time with a real clock.
struct EventPump {
    let clock: any NodeClock

    /// The time limit for an event that never arrives. An event that arrives ends the wait at once.
    private static let timeout: Duration = .seconds(60)

    /// Waits as the source requests until `isDone` accepts its events, and returns them.
    ///
    /// Finds no events if the source does not declare its descriptors or its deadline.
    @discardableResult
    func events<Event>(
        of source: some EventSource<Event>, until what: String, _ isDone: ([Event]) -> Bool
    ) throws -> [Event] {
        try pump(source, until: what, isDone)
    }

    /// Waits for the next events, and returns at least one.
    @discardableResult
    func nextEvents<Event>(of source: some EventSource<Event>, _ what: String) throws -> [Event] {
        try events(of: source, until: what) { !$0.isEmpty }
    }

    /// Waits until a condition holds on the other side of the port, and returns the events that arrive meanwhile. The
    /// condition is polled, because it cannot end a wait here.
    @discardableResult
    func run<Event>(
        _ source: some EventSource<Event>, until what: String, _ isDone: () throws -> Bool
    ) throws -> [Event] {
        try pump(source, until: what, lookingEach: .milliseconds(5)) { _ in try isDone() }
    }

    /// Waits until the source has events, without taking them.
    func awaitEvents(of source: some EventSource) throws {
        let end = clock.now.instant + Self.timeout
        while clock.now.instant < end {
            if let due = source.nextInstant, due <= clock.now.instant { return }
            if !clock.wait(for: source.interests, until: min(end, source.nextInstant ?? end)).isEmpty { return }
        }
        throw BrokenRule("timed out waiting for an event")
    }

    /// Returns the events that are available without waiting.
    func present<Event>(_ source: some EventSource<Event>) -> [Event] {
        let (now, due) = (clock.now.instant, source.nextInstant)
        let ready = clock.wait(for: source.interests, until: now)
        return ready.isEmpty && due.map { $0 <= now } != true ? [] : source.takeEvents(ready: ready, at: now)
    }

    /// Throws if the source has events, or keeps waking its waiter without any.
    func requireIdle<Event: Equatable>(_ source: some EventSource<Event>) throws {
        try require(source.nextInstant, is: nil, "its next instant")
        for _ in 0..<100 {
            let ready = clock.wait(for: source.interests, until: clock.now.instant)
            try require(source.takeEvents(ready: ready, at: clock.now.instant), is: [], "its events")
            if ready.isEmpty { return }
        }
        throw BrokenRule("it is repeatedly ready without events")
    }

    /// Throws if anything could ever wake the source.
    func requireInactive<Event: Equatable>(_ source: some EventSource<Event>) throws {
        try require(source.interests, is: [], "its interests")
        try requireIdle(source)
    }

    private func pump<Event>(
        _ source: some EventSource<Event>, until what: String, lookingEach pause: Duration? = nil,
        _ isDone: ([Event]) throws -> Bool
    ) throws -> [Event] {
        var events: [Event] = []
        let end = clock.now.instant + Self.timeout
        while try !isDone(events) {
            let now = clock.now.instant
            guard now < end else { throw BrokenRule("timed out waiting for \(what); so far: \(events)") }
            let look = min(end, pause.map { now + $0 } ?? end)
            let due = source.nextInstant
            let ready = clock.wait(for: source.interests, until: min(look, due ?? look))
            guard !ready.isEmpty || due.map({ $0 <= clock.now.instant }) == true else { continue }
            events += source.takeEvents(ready: ready, at: clock.now.instant)
        }
        return events
    }
}
