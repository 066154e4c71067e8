internal import BrokerLink
import IoTNode
import TimerEngine

/// Does for one source what the loop does for all: it asks the source when a descriptor is ready or its instant has come; at
/// once with a clock that jumps, in real time with a real one.
struct EventPump {
    let clock: any NodeClock

    /// For what never comes; what comes ends a wait at once.
    private static let timeout: Duration = .seconds(60)

    /// Waits as the source asks for until its events are what is wanted, and returns them.
    ///
    /// A source that does not say what it waits for, or until when, brings nothing here.
    @discardableResult
    func events<Event>(
        of source: some EventSource<Event>, until what: String, _ isDone: ([Event]) -> Bool
    ) throws -> [Event] {
        try pump(source, until: what, isDone)
    }

    /// The next events, one at least.
    @discardableResult
    func nextEvents<Event>(of source: some EventSource<Event>, _ what: String) throws -> [Event] {
        try events(of: source, until: what) { !$0.isEmpty }
    }

    /// Waits until something holds on the other side of the port, which wakes nobody here; returns the events meanwhile.
    @discardableResult
    func run<Event>(
        _ source: some EventSource<Event>, until what: String, _ isDone: () throws -> Bool
    ) throws -> [Event] {
        try pump(source, until: what, lookingEach: .milliseconds(5)) { _ in try isDone() }
    }

    /// Waits until the source has something to tell, and leaves it there.
    func awaitNews(of source: some EventSource) throws {
        let end = clock.now.instant + Self.timeout
        while clock.now.instant < end {
            if let due = source.nextInstant, due <= clock.now.instant { return }
            if !clock.wait(for: source.interests, until: min(end, source.nextInstant ?? end)).isEmpty { return }
        }
        throw BrokenRule("waited in vain for it to have something to tell")
    }

    /// What there is without waiting.
    func present<Event>(_ source: some EventSource<Event>) -> [Event] {
        let (now, due) = (clock.now.instant, source.nextInstant)
        let ready = clock.wait(for: source.interests, until: now)
        return ready.isEmpty && due.map { $0 <= now } != true ? [] : source.takeEvents(ready: ready, at: now)
    }

    /// Throws unless the source has nothing to tell, and wakes nobody for nothing.
    func requireIdle<Event: Equatable>(_ source: some EventSource<Event>) throws {
        try require(source.nextInstant, is: nil, "when it is due")
        for _ in 0..<100 {
            let ready = clock.wait(for: source.interests, until: clock.now.instant)
            try require(source.takeEvents(ready: ready, at: clock.now.instant), is: [], "its events")
            if ready.isEmpty { return }
        }
        throw BrokenRule("it is ready again and again, for nothing")
    }

    /// Throws unless nothing can ever wake the source.
    func requireAsleep<Event: Equatable>(_ source: some EventSource<Event>) throws {
        try require(source.interests, is: [], "what it waits for")
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
            guard now < end else { throw BrokenRule("waited in vain for \(what); so far: \(events)") }
            let look = min(end, pause.map { now + $0 } ?? end)
            let due = source.nextInstant
            let ready = clock.wait(for: source.interests, until: min(look, due ?? look))
            guard !ready.isEmpty || due.map({ $0 <= clock.now.instant }) == true else { continue }
            events += source.takeEvents(ready: ready, at: clock.now.instant)
        }
        return events
    }
}
