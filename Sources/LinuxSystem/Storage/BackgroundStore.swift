package import IoTNode
internal import Synchronization
package import TimerEngine

/// Keeps the state in a file, without the loop ever waiting for the disk.
///
/// A thread does the work, one piece after another, and sleeps while there is none. Of states that wait for their turn the
/// newest is written alone.
package final class BackgroundStore: Store, Sendable {
    private let desk: Desk

    /// Readable once something has ended.
    package let interests: [Interest]

    /// A store that has not begun anything.
    ///
    /// - Throws: ``SystemError`` where the process has no descriptor left.
    package init(_ file: FileStore) throws(SystemError) {
        desk = try Desk(file)
        interests = [Interest(descriptor: desk.news.number, events: .read)]
    }

    /// The thread does what was asked for, and ends.
    deinit { desk.close() }

    /// Reads the file, at once.
    package func load() throws(StoreError) -> [UInt8]? { try desk.file.load() }

    /// Has a state written, in the place of the one that waits if there is one.
    package func save(_ state: SavedNodeState, number: Int) { begin(.save(state, number: number)) }

    /// Has something kept under another name, after what was asked for before.
    package func setAside(_ what: SetAside) { begin(.setAside(what)) }

    /// How what was asked for ended.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        ready.isEmpty ? [] : desk.takeEvents()
    }

    private func begin(_ job: Desk.Job) {
        guard desk.add(job) else { return }
        do throws(SystemError) {
            try HelperThread.start { [desk] in desk.serve() }
        } catch {
            desk.giveUp(StoreError("there is no thread to write with: \(error)"))
        }
    }
}

/// What the loop and the thread share: what is to be done, and what came of it.
private final class Desk: Sendable {
    enum Job {
        case save(SavedNodeState, number: Int)
        case setAside(SetAside)

        /// That it failed, and why.
        func failed(_ reason: StoreError) -> NodeEvent {
            switch self {
            case .save(_, let number): .storeFailed(number, reason)
            case .setAside(let what): .setAside(what, .failure(reason))
            }
        }
    }

    private struct Work {
        /// What is to be done, in order; two saves never follow each other.
        var waiting: [Job] = []
        /// Whether the thread is there.
        var isServed = false
        /// Whether the thread is to end when there is nothing left to do.
        var isClosed = false
        /// How jobs ended, until the loop takes it.
        var events: [NodeEvent] = []
    }

    let file: FileStore
    private let work = Mutex(Work())
    /// Raised when there are jobs; the thread sleeps on it.
    private let orders: EventFD
    /// Raised when there are events.
    let news: EventFD

    init(_ file: FileStore) throws(SystemError) {
        self.file = file
        orders = try EventFD(isAwaited: true)
        news = try EventFD()
    }

    /// Puts a job at the end; returns whether a thread is needed for it.
    func add(_ job: Job) -> Bool {
        let isServed = work.withLock { work in
            if case .save = job, case .save? = work.waiting.last { work.waiting.removeLast() }
            work.waiting.append(job)
            defer { work.isServed = true }
            return work.isServed
        }
        if isServed { orders.raise() }
        return !isServed
    }

    /// Has the thread end, once all is done.
    func close() {
        work.withLock { $0.isClosed = true }
        orders.raise()
    }

    func takeEvents() -> [NodeEvent] {
        // First, so that an event that comes in between raises it again.
        news.lower()
        return work.withLock { work in
            defer { work.events = [] }
            return work.events
        }
    }

    // MARK: - The work

    /// Does what there is to do, and sleeps in between, until the desk is closed.
    func serve() {
        var writer = SavedNodeStateWriter()
        while true {
            while let job = next() { tell(event(of: job, &writer)) }
            if work.withLock({ $0.isClosed && $0.waiting.isEmpty }) { return }
            orders.lower()
        }
    }

    /// Tells that all there is to do failed; the next job has a thread asked for again.
    func giveUp(_ reason: StoreError) {
        while let job = next() { tell(job.failed(reason)) }
        work.withLock { $0.isServed = false }
    }

    private func next() -> Job? {
        work.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private func tell(_ event: NodeEvent) {
        work.withLock { $0.events.append(event) }
        news.raise()
    }

    private func event(of job: Job, _ writer: inout SavedNodeStateWriter) -> NodeEvent {
        do throws(StoreError) {
            switch job {
            case .save(let state, let number):
                try file.save(writer.document(of: state))
                return .stored(number)
            case .setAside(let what):
                return .setAside(what, .success(try file.setAside(what)))
            }
        } catch { return job.failed(error) }
    }
}
