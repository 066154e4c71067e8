package import BrokerLink
internal import IoTNode
package import NodePorts
package import TimerEngine
internal import TimerProtocol

/// Keeps the document in memory, at once or as slowly as is asked for.
///
/// Like the real one it does one thing after another, and of states that wait for their turn it writes the newest alone.
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
    /// How often the runs were saved.
    package private(set) var runsSaves = 0
    /// What was set aside, in order.
    package private(set) var setAsideItems: [SetAside] = []
    /// What was set aside, by its name.
    package private(set) var others: [String: [UInt8]] = [:]
    /// Whether the disk does nothing at present: what is asked for waits until it does again.
    package var isStuck = false
    /// What each piece of work fails with, until it is taken away.
    package var fault: StoreError?
    /// What loading fails with, until it is taken away.
    package var loadFault: StoreError?
    /// What loading the runs fails with, until it is taken away.
    package var loadRunsFault: StoreError?
    /// How long each piece of work takes.
    package var time: Duration = .zero

    private let clock: VirtualClock
    private var jobs: [Job] = []
    /// When the first job is done.
    private var doneAt: Instant?

    /// A store that holds `document`.
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
        // The first one is under way.
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

    /// Keeps something, and returns as what.
    private func keep(_ what: SetAside) -> String {
        switch what {
        case .document:
            guard let document else { return "nothing, as it is gone" }
            self.document = nil
            return keep(document)
        case .runs:
            guard let runs else { return "nothing, as it is gone" }
            self.runs = nil
            return keep(runs)
        case .edits(let timers, _):
            return keep(timers)
        }
    }

    /// Keeps bytes under a name of their own.
    private func keep(_ bytes: [UInt8]) -> String {
        let name = others.isEmpty ? "a file" : "file \(others.count + 1)"
        others[name] = bytes
        return name
    }
}
