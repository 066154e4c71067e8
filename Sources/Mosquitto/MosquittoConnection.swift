package import BrokerLink
internal import LinuxSystem
package import TimerEngine

/// The connection to a real broker, using libmosquitto with an external event loop.
///
/// libmosquitto blocks while it resolves the host name and connects, so each attempt runs on its own thread; see
/// ``ConnectionAttempt``. Such a thread cannot be stopped: it ends when the resolver or the kernel gives up, after up
/// to about two minutes. At most two abandoned attempts may run beside the current one.
///
/// If a new attempt has the same request as an abandoned one that is still running, the abandoned one is resumed. So an
/// unreachable broker occupies one thread, the other brokers in the list still get their turn, and no late thread takes
/// the client id away from a newer attempt. If all three threads are stuck, an attempt with any other request fails at
/// once until one of them ends.
package final class MosquittoConnection: MQTTConnection {
    /// The maximum number of abandoned attempts that may still run during another attempt.
    static let maximumAbandonedAttempts = 2

    private enum Phase {
        /// Not connected. Next: `connecting` or `failed`.
        case idle
        /// A thread is connecting. Next: `open` or `idle`.
        case connecting(ConnectionAttempt)
        /// Connected, but perhaps still waiting for CONNACK. Next: `idle`.
        case open(MosquittoSession)
        /// The attempt could not start, which is not yet reported. Next: `idle`.
        case failed(ConnectionError)
    }

    private var phase = Phase.idle
    private var abandonedAttempts: [ConnectionAttempt] = []
    /// The number of dropped messages not yet reported.
    private var droppedCount = 0
    /// The messages that arrived during a disconnect and have not yet been reported.
    private var lateMessages: [ConnectionEvent] = []

    package init() {}

    deinit { closeCurrent() }

    /// The attempt's event flag while connecting, then the socket.
    package var interests: [Interest] {
        switch phase {
        case .idle, .failed: []
        case .connecting(let attempt): [Interest(descriptor: attempt.descriptor, events: .read)]
        case .open(let session): session.interests
        }
    }

    /// The session's next deadline, or now if a failure, a message or a loss must be reported.
    package var nextInstant: Instant? {
        if !lateMessages.isEmpty || droppedCount > 0 { return Instant(sinceEpoch: .zero) }
        return switch phase {
        case .idle, .connecting: nil
        case .open(let session): session.nextInstant
        case .failed: Instant(sinceEpoch: .zero)
        }
    }

    /// Starts an attempt; an existing connection is closed without DISCONNECT.
    package func connect(_ request: ConnectOptions) {
        closeCurrent()
        abandonedAttempts.removeAll { !$0.isRunning }
        if let index = abandonedAttempts.firstIndex(where: { $0.request == request && $0.resume() }) {
            phase = .connecting(abandonedAttempts.remove(at: index))
        } else if abandonedAttempts.count > Self.maximumAbandonedAttempts {
            let stuck = abandonedAttempts.map(\.request.broker.description).joined(separator: ", ")
            phase = .failed(
                ConnectionError("not connecting: earlier attempts to reach \(stuck) are still waiting for a response"))
        } else {
            do throws(SystemError) {
                phase = .connecting(try ConnectionAttempt(request))
            } catch {
                phase = .failed(ConnectionError("cannot start a connection attempt: \(error)"))
            }
        }
    }

    /// Sends one packet per filter, so that a rejected filter does not affect the other filters.
    package func subscribe(_ subscriptions: [Subscription]) {
        if case .open(let session) = phase { session.subscribe(subscriptions) }
    }

    /// Publishes as soon as the broker has room. The message is dropped if there is no connection, or if it has QoS 0
    /// and the socket is full.
    package func publish(_ message: OutgoingMessage) {
        if case .open(let session) = phase, session.publish(message.encoded) { return }
        if !message.retain { droppedCount += 1 }
    }

    /// Lets the kernel hold back partially filled packets, for 200 ms at most.
    package func collect() {
        if case .open(let session) = phase { session.setCork(true) }
    }

    /// Lets the kernel send the packets that it held back.
    package func flush() {
        if case .open(let session) = phase { session.setCork(false) }
    }

    /// Waits up to `timeout` for the broker to acknowledge all messages, then sends DISCONNECT.
    ///
    /// Messages that arrive meanwhile are reported afterwards. An attempt is abandoned at once, even if its thread is
    /// blocked.
    package func disconnect(timeout: Duration) {
        if case .open(let session) = phase { lateMessages += session.finish(timeout: timeout) }
        closeCurrent()
    }

    /// Runs libmosquitto's loop as far as it is due.
    package func takeEvents(ready: [Interest], at now: Instant) -> [ConnectionEvent] {
        var events = lateMessages + advance(ready: ready, at: now)
        lateMessages = []
        // The first `lost` closes the connection, so there is no second one.
        for case .lost in events { closeCurrent() }
        if droppedCount > 0 {
            events.insert(.dropped(droppedCount), at: 0)
            droppedCount = 0
        }
        return events
    }

    private func advance(ready: [Interest], at now: Instant) -> [ConnectionEvent] {
        switch phase {
        case .idle:
            return []
        case .failed(let failure):
            return [.lost(failure)]
        case .open(let session):
            return session.serve(ready: ready, at: now)
        case .connecting(let attempt):
            switch attempt.consumeOutcome() {
            case nil:
                return []
            case .success(let client):
                phase = .open(MosquittoSession(client, at: now))
                return []
            case .failure(let failure):
                return [.lost(failure)]
            }
        }
    }

    private func closeCurrent() {
        switch phase {
        case .idle, .failed: break
        case .connecting(let attempt):
            attempt.abandon()
            if attempt.isRunning { abandonedAttempts.append(attempt) }
        case .open(let session): droppedCount += session.unacknowledgedCount
        }
        phase = .idle
    }
}
