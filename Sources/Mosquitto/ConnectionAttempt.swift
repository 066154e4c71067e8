internal import BrokerLink
internal import LinuxSystem
internal import Synchronization

/// One connection attempt: a thread that blocks in name resolution and connecting, and hands over its outcome once.
///
/// The thread cannot be stopped. If an attempt is abandoned, its own thread destroys the client.
final class ConnectionAttempt: Sendable {
    private enum Progress {
        /// The thread is running. Next: any other state.
        case connecting
        /// The thread is running, but its outcome is no longer wanted. Next: `connecting` again, or `over`.
        case abandoned
        /// The thread is done and its outcome has not been consumed. Next: `over`.
        case finished(Result<MosquittoClient, ConnectionError>)
        /// The thread is done and its outcome was consumed or destroyed.
        case over
    }

    let request: ConnectOptions
    private let progress = Mutex(Progress.connecting)
    private let done: EventFD

    init(_ request: ConnectOptions) throws(SystemError) {
        self.request = request
        done = try EventFD()
        // The thread's reference keeps the attempt alive until the thread is done, even without any other reference.
        try HelperThread.start { self.run() }
    }

    var descriptor: Int32 { done.number }

    /// Whether the thread is still running.
    var isRunning: Bool {
        progress.withLock { progress in
            switch progress {
            case .connecting, .abandoned: true
            case .finished, .over: false
            }
        }
    }

    /// The outcome, returned once; nil before and after that.
    func consumeOutcome() -> Result<MosquittoClient, ConnectionError>? {
        progress.withLock { progress in
            guard case .finished(let outcome) = progress else { return nil }
            progress = .over
            return outcome
        }
    }

    /// Stops waiting: a client that exists is destroyed now; the thread destroys a client that it creates later.
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
        // The client is destroyed here, outside the lock.
        _ = consume unwanted
    }

    /// Waits again for an abandoned attempt; returns false if its thread is not running any more.
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
            // If abandoned, the client is destroyed with `outcome` at the end of this function.
            if case .abandoned = progress { progress = .over } else { progress = .finished(outcome) }
        }
        done.set()
    }
}
