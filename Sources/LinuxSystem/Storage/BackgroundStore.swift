package import IoTNode
internal import Synchronization
package import TimerEngine

/// Saves the state to a file on a background thread, so that the loop never waits for the disk.
///
/// The thread does one job after another and sleeps when there is none. If several saves are queued, only the newest is
/// written.
package final class BackgroundStore: Store, Sendable {
    private let desk: Desk

    /// Readable once a job has finished.
    package let interests: [Interest]

    /// Creates a store; its thread starts with the first job.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    package init(_ file: FileStore) throws(SystemError) {
        desk = try Desk(file)
        interests = [Interest(descriptor: desk.news.number, events: .read)]
    }

    /// Queued jobs are still done; then the thread ends.
    deinit { desk.close() }

    /// Reads the file synchronously.
    package func load() throws(StoreError) -> [UInt8]? { try desk.file.load() }

    /// Queues a state for writing. It replaces a save that is still queued behind all other jobs.
    package func save(_ state: SavedNodeState, number: Int) { begin(.save(state, number: number)) }

    /// Queues the job of moving or writing something aside, after all earlier jobs.
    package func setAside(_ what: SetAside) { begin(.setAside(what)) }

    /// The results of finished jobs.
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

/// What the loop and the thread share: the queued jobs and their results.
private final class Desk: Sendable {
    enum Job {
        case save(SavedNodeState, number: Int)
        case setAside(SetAside)

        /// The event that reports this job as failed.
        func failed(_ reason: StoreError) -> NodeEvent {
            switch self {
            case .save(_, let number): .storeFailed(number, reason)
            case .setAside(let what): .setAside(what, .failure(reason))
            }
        }
    }

    private struct Work {
        /// Jobs in order; never two saves in a row.
        var waiting: [Job] = []
        /// Whether the thread is running.
        var isServed = false
        /// Whether the thread ends once the queue is empty.
        var isClosed = false
        /// Results that the loop has not read yet.
        var events: [NodeEvent] = []
    }

    let file: FileStore
    private let work = Mutex(Work())
    /// Set when there are jobs; the thread sleeps on it.
    private let orders: EventFD
    /// Set when there are results.
    let news: EventFD

    init(_ file: FileStore) throws(SystemError) {
        self.file = file
        orders = try EventFD(isAwaited: true)
        news = try EventFD()
    }

    /// Appends a job; returns whether a thread must be started for it.
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

    /// Lets the thread end once the queue is empty.
    func close() {
        work.withLock { $0.isClosed = true }
        orders.raise()
    }

    func takeEvents() -> [NodeEvent] {
        // Reset first: an event that arrives after this sets the flag again.
        news.lower()
        return work.withLock { work in
            defer { work.events = [] }
            return work.events
        }
    }

    // MARK: - The work

    /// Does the queued jobs, and sleeps between them, until the queue is closed.
    func serve() {
        var writer = SavedNodeStateWriter()
        while true {
            while let job = next() { tell(event(of: job, &writer)) }
            if work.withLock({ $0.isClosed && $0.waiting.isEmpty }) { return }
            orders.lower()
        }
    }

    /// Reports all queued jobs as failed; the next job tries to start a thread again.
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
