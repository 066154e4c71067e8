internal import IoTNode
internal import LinuxSystem
internal import Synchronization

/// One connection attempt: a thread of its own that blocks in name resolution and connecting, and the box through which
/// it hands over, once, what came of it.
///
/// The thread cannot be stopped. An attempt nobody waits for is abandoned, and its thread destroys the client itself.
final class ConnectionAttempt: Sendable {
    private enum Progress {
        /// The thread is at work. Can become any other.
        case connecting
        /// The thread is at work, for nothing. Can become `connecting` again, or `over`.
        case abandoned
        /// The thread is done, and what it leaves waits to be taken. Can become `over`.
        case finished(Result<MosquittoClient, ConnectionError>)
        /// There is nothing left to take.
        case over
    }

    /// What to connect to, and how.
    let request: ConnectOptions
    private let progress = Mutex(Progress.connecting)
    private let done: EventFD

    /// Starts the thread.
    init(_ request: ConnectOptions) throws(SystemError) {
        self.request = request
        done = try EventFD()
        // The thread's reference keeps the attempt alive until the thread is done, whoever else has let go.
        try HelperThread.start { self.run() }
    }

    /// Readable once there is an outcome.
    var descriptor: Int32 { done.number }

    /// Whether the thread is still at work.
    var isRunning: Bool {
        progress.withLock { progress in
            switch progress {
            case .connecting, .abandoned: true
            case .finished, .over: false
            }
        }
    }

    /// What came of it, once; nil before that and afterwards.
    func takeOutcome() -> Result<MosquittoClient, ConnectionError>? {
        progress.withLock { progress in
            guard case .finished(let outcome) = progress else { return nil }
            progress = .over
            return outcome
        }
    }

    /// Gives up waiting: a client that is there is destroyed now, one to come is destroyed by the thread.
    func abandon() {
        let unwanted: Result<MosquittoClient, ConnectionError>? = progress.withLock { progress in
            switch progress {
            case .connecting:
                progress = .abandoned
                return nil
            case .finished(let outcome):
                progress = .over
                return outcome
            case .abandoned, .over:
                return nil
            }
        }
        // A client is destroyed here, outside of the lock.
        _ = consume unwanted
    }

    /// Waits for it again, if its thread is still at work.
    func resume() -> Bool {
        progress.withLock { progress in
            guard case .abandoned = progress else { return false }
            progress = .connecting
            return true
        }
    }

    private func run() {
        let outcome = Result { () throws(ConnectionError) in try MosquittoClient(connecting: request) }
        progress.withLock { progress in
            // The client of an abandoned attempt goes with `outcome`, at the end of this function.
            if case .abandoned = progress { progress = .over } else { progress = .finished(outcome) }
        }
        done.raise()
    }
}
