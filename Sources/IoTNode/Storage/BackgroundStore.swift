internal import Synchronization
public import TimerEngine

/// Keeps the state in a file, without the loop ever waiting for the disk.
///
/// A thread does the work, one piece after another, and is there only while there is some. Of states that wait for their
/// turn the newest is written alone.
public final class BackgroundStore: Store, Sendable {
    private enum Job {
        case save(SavedState, number: Int)
        case setAside(SetAside)
    }

    private struct Work {
        /// What is to be done, in order; two saves never follow each other.
        var waiting: [Job] = []
        /// Whether the thread is there.
        var isRunning = false
        /// How jobs ended, until the loop takes it.
        var events: [NodeEvent] = []

        /// Puts a job at the end; returns whether a thread is needed for it.
        mutating func add(_ job: Job) -> Bool {
            if case .save = job, case .save? = waiting.last { waiting.removeLast() }
            waiting.append(job)
            defer { isRunning = true }
            return !isRunning
        }

        /// The next job for the thread, which ends where there is none.
        mutating func next() -> Job? {
            isRunning = !waiting.isEmpty
            return isRunning ? waiting.removeFirst() : nil
        }
    }

    private let file: FileStore
    private let work = Mutex(Work())
    /// Raised when there are events.
    private let news: EventFD

    /// A store that has not begun anything.
    ///
    /// - Throws: ``SystemError`` where the process has no descriptor left.
    public init(_ file: FileStore) throws(SystemError) {
        self.file = file
        news = try EventFD()
    }

    /// Reads the file, at once.
    public func load() throws(StoreError) -> [UInt8]? { try file.load() }

    /// Has a state written, in the place of the one that waits if there is one.
    public func save(_ state: SavedState, number: Int) { begin(.save(state, number: number)) }

    /// Has something kept under another name, after what was asked for before.
    public func setAside(_ what: SetAside) { begin(.setAside(what)) }

    /// Readable once something has ended.
    public var interests: [Interest] { [Interest(descriptor: news.number, events: .read)] }

    /// How what was asked for ended.
    public func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        guard !ready.isEmpty else { return [] }
        // First, so that an event that comes in between raises it again.
        news.lower()
        return work.withLock { work in
            defer { work.events = [] }
            return work.events
        }
    }

    // MARK: - The work

    private func begin(_ job: Job) {
        guard work.withLock({ $0.add(job) }) else { return }
        do throws(SystemError) {
            try HelperThread.start { self.work(orFailBy: nil) }
        } catch {
            work(orFailBy: StoreError("there is no thread to write with: \(error)"))
        }
    }

    /// Does all there is to do, or gives it up, and tells how each piece ended.
    private func work(orFailBy failure: StoreError?) {
        while let job = work.withLock({ $0.next() }) {
            let event = end(job, failure)
            work.withLock { $0.events.append(event) }
            news.raise()
        }
    }

    private func end(_ job: Job, _ failure: StoreError?) -> NodeEvent {
        switch job {
        case .save(let state, let number):
            do throws(StoreError) {
                if let failure { throw failure }
                try file.save(state.document)
                return .stored(number)
            } catch { return .storeFailed(number, error) }
        case .setAside(let what):
            do throws(StoreError) {
                if let failure { throw failure }
                return .setAside(what, .success(try file.setAside(what)))
            } catch { return .setAside(what, .failure(error)) }
        }
    }
}
