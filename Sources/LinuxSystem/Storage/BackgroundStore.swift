package import BrokerLink
package import NodePorts
internal import Synchronization
package import TimerEngine

/// Saves the state to a file on a background thread, so that the loop never waits for the disk.
///
/// The thread does one job after another and sleeps while the queue is empty. If several saves are queued, only the newest is
/// written.
package final class BackgroundStore: Store, Sendable {
    private let queue: JobQueue

    /// Readable once a job has finished.
    package let interests: [Interest]

    /// Creates a store; its thread starts with the first job.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    package init(_ file: FileStore) throws(SystemError) {
        queue = try JobQueue(file)
        interests = [Interest(descriptor: queue.resultsFlag.number, events: .read)]
    }

    /// The thread completes the queued jobs, then ends.
    deinit { queue.close() }

    /// Reads the file synchronously.
    package func load() throws(StoreError) -> [UInt8]? { try queue.file.load() }

    /// Reads the runs file synchronously.
    package func loadRuns() throws(StoreError) -> [UInt8]? { try queue.file.loadRuns() }

    /// Queues a state for writing. It replaces the last queued job if that is also a save.
    package func save(_ state: any Savable, runs: (any Savable)?, number: Int) {
        begin(.save(state, runs: runs, number: number))
    }

    /// Queues the job of moving or writing something aside, after all earlier jobs.
    package func setAside(_ what: SetAside) { begin(.setAside(what)) }

    /// Returns the results of finished jobs.
    package func takeEvents(ready: [Interest], at now: Instant) -> [StoreEvent] {
        ready.isEmpty ? [] : queue.drainEvents()
    }

    private func begin(_ job: JobQueue.Job) {
        guard queue.add(job) else { return }
        do throws(SystemError) {
            try HelperThread.start { [queue] in queue.runJobs() }
        } catch {
            queue.failAll(StoreError("cannot start a thread for writing: \(error)"))
        }
    }
}

/// The queued jobs and their results, which the loop and the thread share.
private final class JobQueue: Sendable {
    enum Job {
        case save(any Savable, runs: (any Savable)?, number: Int)
        case setAside(SetAside)

        /// The event that reports this job as failed.
        func failed(_ reason: StoreError) -> StoreEvent {
            switch self {
            case .save(_, _, let number): .failed(number, reason)
            case .setAside(let what): .setAside(what, .failure(reason))
            }
        }
    }

    private struct State {
        /// Jobs in order; never two saves in a row.
        var jobs: [Job] = []
        /// Whether the thread is running.
        var hasThread = false
        /// Whether the thread ends once the queue is empty.
        var isClosed = false
        /// Results that the loop has not read yet.
        var events: [StoreEvent] = []
    }

    let file: FileStore
    private let state = Mutex(State())
    /// Set when there are jobs; the thread sleeps on it.
    private let jobsFlag: EventFD
    /// Set when there are results.
    let resultsFlag: EventFD

    init(_ file: FileStore) throws(SystemError) {
        self.file = file
        jobsFlag = try EventFD(isBlocking: true)
        resultsFlag = try EventFD()
    }

    /// Appends a job; returns whether a thread must be started for it.
    func add(_ job: Job) -> Bool {
        let hasThread = state.withLock { state in
            if case .save = job, case .save? = state.jobs.last { state.jobs.removeLast() }
            state.jobs.append(job)
            defer { state.hasThread = true }
            return state.hasThread
        }
        if hasThread { jobsFlag.set() }
        return !hasThread
    }

    /// Lets the thread end once the queue is empty.
    func close() {
        state.withLock { $0.isClosed = true }
        jobsFlag.set()
    }

    func drainEvents() -> [StoreEvent] {
        // Reset first: an event that arrives after this sets the flag again.
        resultsFlag.reset()
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    // MARK: - The work

    /// Runs the queued jobs, and sleeps between them, until the queue is closed.
    func runJobs() {
        while true {
            while let job = next() { report(event(of: job)) }
            if state.withLock({ $0.isClosed && $0.jobs.isEmpty }) { return }
            jobsFlag.reset()
        }
    }

    /// Reports all queued jobs as failed; the next job tries to start a thread again.
    func failAll(_ reason: StoreError) {
        while let job = next() { report(job.failed(reason)) }
        state.withLock { $0.hasThread = false }
    }

    private func next() -> Job? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    private func report(_ event: StoreEvent) {
        state.withLock { $0.events.append(event) }
        resultsFlag.set()
    }

    private func event(of job: Job) -> StoreEvent {
        do throws(StoreError) {
            switch job {
            case .save(let state, let runs, let number):
                if let runs { try file.save(runs: runs.document) }
                try file.save(state.document)
                return .stored(number)
            case .setAside(let what):
                return .setAside(what, .success(try file.setAside(what)))
            }
        } catch { return job.failed(error) }
    }
}
