internal import Glibc
package import NodePorts
internal import Synchronization

/// Writes a tape on a background thread, a second after the first new record, so that the loop never waits for the disk
/// and the disk is seldom written to. A crash therefore loses at most the last second.
package final class BackgroundTape: Sendable {
    private let queue: TapeQueue

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - size: the maximum size of all segments together, in bytes.
    ///   - segmentSize: the size of a segment, in bytes. The queue holds at most three times this.
    /// - Throws: ``SystemError`` if the process has no descriptor left, or no thread can be created.
    package init(directory: String, size: Int, segmentSize: Int) throws(SystemError) {
        queue = try TapeQueue(TapeFolder(directory: directory, size: size), segmentSize: segmentSize)
        try HelperThread.start { [queue] in queue.run() }
    }

    /// Why nothing can be written until the next segment begins; nil if the current segment has been written so far.
    package var fault: StoreError? { queue.fault }

    /// Lets the thread write the rest, and waits for that for at most 0.3 s.
    deinit { queue.finish() }

    /// Begins a new segment with some bytes. The runs are encoded on the thread.
    ///
    /// - Parameter record: makes a record of the runs' document.
    package func beginSegment(
        _ bytes: [UInt8], runs: (any Savable)?, _ record: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        var part = TapeQueue.Part(begins: bytes)
        if let runs { part.runs = { record(runs.document) } }
        queue.begin(part)
    }

    /// Appends bytes to the segment.
    ///
    /// - Throws: ``StoreError`` if the segment cannot be written, or if the disk is too slow. Nothing is written then
    ///   until the next segment begins.
    package func append(_ bytes: [UInt8]) throws(StoreError) { try queue.append(bytes) }
}

/// The bytes that wait to be written, which the loop and the thread share.
private final class TapeQueue: Sendable {
    /// Bytes for one segment.
    struct Part {
        /// The first bytes of a new segment; nil to continue the current one.
        var begins: [UInt8]?
        var runs: (@Sendable () -> [UInt8])?
        var bytes: [UInt8] = []

        var size: Int { (begins?.count ?? 0) + bytes.count }
    }

    private struct State {
        var parts: [Part] = []
        /// Why nothing is written until the next segment begins.
        var fault: StoreError?
        var isClosed = false
    }

    private let segmentSize: Int
    private let folder: Mutex<TapeFolder>
    private let state = Mutex(State())
    /// Set when there is something to write.
    private let hasWork: EventFD
    /// Set when the thread must not wait any longer.
    private let isClosing: EventFD
    private let hasEnded: EventFD

    init(_ folder: consuming sending TapeFolder, segmentSize: Int) throws(SystemError) {
        self.segmentSize = segmentSize
        self.folder = Mutex(folder)
        hasWork = try EventFD(isBlocking: true)
        isClosing = try EventFD()
        hasEnded = try EventFD()
    }

    var fault: StoreError? { state.withLock(\.fault) }

    func begin(_ part: Part) {
        state.withLock { state in
            // While the disk is stuck, only the newest segment is kept. A flood may fill more than one in a second.
            if state.parts.reduce(0, { $0 + $1.size }) >= 2 * segmentSize { state.parts = [] }
            state.parts.append(part)
            state.fault = nil
        }
        hasWork.set()
    }

    func append(_ bytes: [UInt8]) throws(StoreError) {
        let isFirst = try state.withLock { (state) throws(StoreError) in
            if let fault = state.fault { throw fault }
            let isFirst = state.parts.isEmpty
            if isFirst { state.parts.append(Part()) }
            let last = state.parts.count - 1
            guard state.parts[last].bytes.count + bytes.count <= segmentSize else {
                let fault = StoreError("cannot write the tape: the disk is too slow")
                state.fault = fault
                throw fault
            }
            state.parts[last].bytes += bytes
            return isFirst
        }
        if isFirst { hasWork.set() }
    }

    /// Waits until the thread has written everything, for at most 0.3 s.
    func finish() {
        state.withLock { $0.isClosed = true }
        hasWork.set()
        isClosing.set()
        wait(for: hasEnded, milliseconds: 300)
    }

    // MARK: - The thread

    func run() {
        while true {
            hasWork.reset()
            wait(for: isClosing, milliseconds: 1000)
            let (parts, isClosed) = state.withLock { state in
                defer { state.parts = [] }
                return (state.parts, state.isClosed)
            }
            do throws(StoreError) {
                for part in parts { try write(part) }
            } catch {
                state.withLock { state in
                    // What follows belongs to the segment that could not be written, up to the next one.
                    state.parts.removeAll { $0.begins == nil }
                    if state.parts.isEmpty { state.fault = error }
                }
            }
            if isClosed { return hasEnded.set() }
        }
    }

    private func write(_ part: Part) throws(StoreError) {
        try folder.withLock { (folder) throws(StoreError) in
            if let bytes = part.begins {
                try folder.begin(room: segmentSize)
                try folder.append(bytes + (part.runs?() ?? []))
            }
            try folder.append(part.bytes)
        }
    }

    private func wait(for flag: borrowing EventFD, milliseconds: Int32) {
        var descriptor = pollfd(fd: flag.number, events: Int16(POLLIN), revents: 0)
        // SAFETY: the call uses the struct and keeps no pointer.
        _ = unsafe poll(&descriptor, 1, milliseconds)
    }
}
