package import BrokerLink
internal import IoTNode
package import NodePorts
package import TimerEngine
internal import TimerProtocol

/// An in-memory store that completes requests at once or takes a configurable time.
///
/// Like the real store, it handles one request after another, and writes only the newest of several queued states.
package final class InMemoryStore: Store {
    private enum Job {
        case save(any Savable, runs: (any Savable)?, number: Int)
        case setAside(SetAside)
    }

    /// The document as last saved.
    package private(set) var document: [UInt8]?
    /// Every document that was saved, in order.
    package private(set) var saved: [[UInt8]] = []
    /// The document of the runs as last saved.
    package private(set) var runs: [UInt8]?
    /// How many times the runs were saved.
    package private(set) var runsSaves = 0
    /// The requests to set a document aside, in order.
    package private(set) var setAsideItems: [SetAside] = []
    /// The bytes that were set aside, by name.
    package private(set) var others: [String: [UInt8]] = [:]
    /// Whether the disk hangs. If so, requests wait until it works again.
    package var isStuck = false
    /// The error with which each request fails while it is set.
    package var fault: StoreError?
    /// The error with which loading fails while it is set.
    package var loadFault: StoreError?
    /// The error with which loading the runs fails while it is set.
    package var loadRunsFault: StoreError?
    /// How long each request takes.
    package var time: Duration = .zero

    private let clock: VirtualClock
    private var jobs: [Job] = []
    /// When the first job will be finished; nil while there are no jobs.
    private var doneAt: Instant?

    /// Creates a store that contains `document`.
    package init(_ document: [UInt8]? = nil, runs: [UInt8]? = nil, clock: VirtualClock = VirtualClock()) {
        self.document = document
        self.runs = runs
        self.clock = clock
    }

    package func load() throws(StoreError) -> [UInt8]? {
        if let loadFault { throw loadFault }
        return document
    }

    package func loadRuns() throws(StoreError) -> [UInt8]? {
        if let loadRunsFault { throw loadRunsFault }
        return runs
    }

    package func save(_ state: any Savable, runs: (any Savable)?, number: Int) {
        // The first job is already in progress.
        if case .save? = jobs.dropFirst(time > .zero ? 1 : 0).last { jobs.removeLast() }
        add(.save(state, runs: runs, number: number))
    }

    package func setAside(_ what: SetAside) { add(.setAside(what)) }

    private func add(_ job: Job) {
        jobs.append(job)
        doneAt = doneAt ?? clock.now.instant + time
    }

    package var interests: [Interest] { [] }

    package var nextInstant: Instant? { isStuck ? nil : doneAt }

    package func takeEvents(ready: [Interest], at now: Instant) -> [StoreEvent] {
        var events: [StoreEvent] = []
        while !isStuck, let doneAt, doneAt <= now {
            events.append(event(of: jobs.removeFirst()))
            self.doneAt = jobs.isEmpty ? nil : now + time
        }
        return events
    }

    private func event(of job: Job) -> StoreEvent {
        switch job {
        case .save(let state, let runs, let number):
            if let fault { return .failed(number, fault) }
            if let runs {
                self.runs = runs.document
                runsSaves += 1
            }
            document = state.document
            saved.append(state.document)
            return .stored(number)
        case .setAside(let what):
            if let fault { return .setAside(what, .failure(fault)) }
            setAsideItems.append(what)
            return .setAside(what, .success(keep(what)))
        }
    }

    /// Sets a document aside, and returns its name.
    private func keep(_ what: SetAside) -> String {
        switch what {
        case .document:
            guard let document else { return "nothing, because it no longer exists" }
            self.document = nil
            return keep(document)
        case .runs:
            guard let runs else { return "nothing, because it no longer exists" }
            self.runs = nil
            return keep(runs)
        case .edits(let timers, _):
            return keep(timers)
        }
    }

    /// Keeps bytes under a new name, and returns the name.
    private func keep(_ bytes: [UInt8]) -> String {
        let name = others.isEmpty ? "a file" : "file \(others.count + 1)"
        others[name] = bytes
        return name
    }
}
