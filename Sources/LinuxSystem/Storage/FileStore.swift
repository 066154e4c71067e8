package import BrokerLink
package import NodePorts
internal import Synchronization
package import TimerEngine
internal import TimerProtocol

/// Stores documents in a file each.
///
/// A file is replaced atomically: write a new file, sync it, rename it, sync the folder. The state changes often, so it
/// is appended to the file that this process has written: that takes one sync instead of two, and writes less than half
/// as much to an SD card. A power cut can therefore leave an incomplete document after the last complete one.
///
/// The calls block on the disk; ``BackgroundStore`` makes the calls on a background thread.
package final class FileStore: Sendable {
    private let directory: StatePath
    private let name: String
    private let runsName: String
    /// The size from which a new file is begun, in bytes.
    private static let fullSize = 64 * 1024
    private let stateFile = Mutex<StateFile?>(nil)

    /// The file of the state, as this process has written it.
    private struct StateFile: ~Copyable {
        let descriptor: FileDescriptor
        var size: Int
    }

    /// Creates a store in a folder. The folder and its parents are created when the first document is saved.
    package init(directory: String, name: String = "state.json") {
        self.directory = StatePath(directory)
        self.name = name
        runsName = "runs.json"
    }

    /// Reads the file; nil if it does not exist.
    ///
    /// - Returns: the document that was saved last, after earlier ones, and perhaps followed by an incomplete one.
    /// - Throws: ``StoreError`` if the file cannot be read, or is a symbolic link or not a regular file.
    package func load() throws(StoreError) -> [UInt8]? { try load(name) }

    /// Reads the runs file; nil if it does not exist.
    ///
    /// - Throws: ``StoreError`` as ``load()`` does.
    package func loadRuns() throws(StoreError) -> [UInt8]? { try load(runsName) }

    private func load(_ name: String) throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, createIfMissing: false) else { return nil }
        return try folder.read(name, upTo: StoreLimits.documentSize)
    }

    /// Appends a document to the file on a new line, or begins a new file: the first time, if the file is full, if it was
    /// removed or replaced, and after a failure.
    ///
    /// - Throws: ``StoreError`` if the file cannot be written, or is larger than ``load()`` accepts.
    package func save(_ document: [UInt8]) throws(StoreError) {
        try check(document, for: name)
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try stateFile.withLock { (current) throws(StoreError) in
            // While it is written, and after a failure, there is no file to append to.
            if var file = current.take(), file.size + document.count <= Self.fullSize,
                folder.contains(file.descriptor, as: name)
            {
                try folder.append([UInt8(ascii: "\n")] + document, to: file.descriptor, name)
                file.size += 1 + document.count
                current = .some(file)
            } else {
                let descriptor = try folder.write(document, to: name + ".new")
                try folder.rename(name + ".new", to: name)
                current = StateFile(descriptor: descriptor, size: document.count)
            }
        }
    }

    /// Writes a new runs file and renames it over the old one.
    package func save(runs document: [UInt8]) throws(StoreError) {
        try check(document, for: runsName)
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try folder.write(document, to: runsName + ".new")
        try folder.rename(runsName + ".new", to: runsName)
    }

    private func check(_ document: [UInt8], for name: String) throws(StoreError) {
        guard document.count > StoreLimits.documentSize else { return }
        throw StoreError(
            "cannot write \(directory.text)/\(name): it would be \(document.count) bytes, more than the limit of "
                + "\(StoreLimits.documentSize)")
    }

    /// Renames the state file to `state.json.SUFFIX` or the runs file to `runs.json.SUFFIX`, or writes the new file
    /// `timers.SUFFIX.json` beside it.
    ///
    /// - Returns: the resulting path, or a string saying that there is no longer a file to move.
    package func setAside(_ what: SetAside) throws(StoreError) -> String {
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return directory.text }
        let file: String
        switch what {
        case .document(let suffix), .runs(let suffix):
            let name = if case .runs = what { runsName } else { self.name }
            // Another process may have removed it since an earlier attempt failed.
            guard folder.exists(name) else { return "nothing, because it no longer exists" }
            file = Self.firstUnusedName(in: folder) { "\(name).\(suffix)\($0)" }
            try folder.rename(name, to: file)
        case .edits(let timers, let suffix):
            file = Self.firstUnusedName(in: folder) { "timers.\(suffix)\($0).json" }
            try folder.write(timers, to: file)
            try folder.sync()
        }
        return "\(directory.text)/\(file)"
    }

    /// Returns the first unused name, trying the suffixes `""`, `-2`, `-3` and so on. No other process writes here.
    private static func firstUnusedName(in folder: borrowing StateFolder, _ name: (String) -> String) -> String {
        var (file, number) = (name(""), 1)
        while folder.exists(file) {
            number += 1
            file = name("-\(number)")
        }
        return file
    }
}

/// Saves the state to a file on a background thread, so that the loop never waits for the disk.
///
/// The thread does one job after another and sleeps when there is none. If several saves are queued, only the newest is
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
