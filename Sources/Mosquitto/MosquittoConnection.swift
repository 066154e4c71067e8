package import IoTNode
internal import LinuxSystem
package import TimerEngine

/// The connection to a real broker, by libmosquitto with its external loop.
///
/// libmosquitto blocks while it resolves a name and connects, so that a thread does this for each attempt; see
/// ``ConnectionAttempt``. Such a thread cannot be stopped: it ends when the resolver or the kernel gives up, after up to
/// about two minutes. At most two are left behind, beside that of the attempt under way.
///
/// A new attempt with the very request that one of them is at work on takes that one up again. So an unreachable broker
/// keeps one thread, the others in the list still get their chance, and no late thread takes the client id away from the
/// attempt that followed it. Where all three are stuck, an attempt with any other request is lost at once, until one of
/// them ends.
package final class MosquittoConnection: MQTTConnection {
    /// How many threads may be at work for nobody while another attempt is made.
    static let leftBehindMaximum = 2

    private enum Phase {
        /// Nothing is under way. Can become `connecting` or `failed`.
        case idle
        /// A thread connects. Can become `open`, or `idle`.
        case connecting(ConnectionAttempt)
        /// There is a connection, if perhaps no CONNACK. Can become `idle`.
        case open(MosquittoSession)
        /// An attempt could not begin, which is to be told. Can become `idle`.
        case failed(ConnectionError)
    }

    private var phase = Phase.idle
    private var leftBehind: [ConnectionAttempt] = []
    /// What was dropped and is not told yet.
    private var dropped = 0

    /// Makes a link that is not connected.
    package init() {}

    deinit { drop() }

    /// The thread's event flag while it connects, then the socket.
    package var interests: [Interest] {
        switch phase {
        case .idle, .failed: []
        case .connecting(let attempt): [Interest(descriptor: attempt.descriptor, events: .read)]
        case .open(let session): session.interests
        }
    }

    /// The keep-alive's deadline, or at once where something failed between two waits.
    package var nextInstant: TimerEngine.Instant? {
        switch phase {
        case .idle, .connecting: nil
        case .open(let session): session.nextInstant
        case .failed: TimerEngine.Instant(sinceEpoch: .zero)
        }
    }

    /// Begins an attempt; what there was is dropped, without DISCONNECT.
    package func connect(_ request: ConnectOptions) {
        drop()
        leftBehind.removeAll { !$0.isRunning }
        if let index = leftBehind.firstIndex(where: { $0.request == request && $0.resume() }) {
            phase = .connecting(leftBehind.remove(at: index))
        } else if leftBehind.count > Self.leftBehindMaximum {
            let stuck = leftBehind.map(\.request.broker.description).joined(separator: ", ")
            phase = .failed(
                ConnectionError("no attempt at \(request.broker): earlier ones at \(stuck) still wait for an answer"))
        } else {
            do throws(SystemError) {
                phase = .connecting(try ConnectionAttempt(request))
            } catch {
                phase = .failed(ConnectionError("cannot begin an attempt at \(request.broker): \(error)"))
            }
        }
    }

    /// Subscribes with one packet for each filter, so that one the broker refuses takes no other with it.
    package func subscribe(_ subscriptions: [Subscription]) {
        if case .open(let session) = phase { session.subscribe(subscriptions) }
    }

    /// Publishes as soon as the broker has room; without a connection, or with QoS 0 and a full socket, drops the message.
    package func publish(_ message: OutgoingMessage) {
        if case .open(let session) = phase, session.publish(message.encoded) { return }
        if !message.retain { dropped += 1 }
    }

    /// Has the kernel keep packets back that are not full, for 200 ms at most.
    package func collect() {
        if case .open(let session) = phase { session.setsCork(true) }
    }

    /// Has the kernel send what it kept.
    package func flush() {
        if case .open(let session) = phase { session.setsCork(false) }
    }

    /// Waits for the broker to acknowledge what was published, no longer than `patience`, and sends DISCONNECT.
    ///
    /// An attempt is dropped at once, whatever its thread hangs in.
    package func disconnect(patience: Duration) {
        if case .open(let session) = phase { session.finish(patience: patience) }
        drop()
    }

    /// Drives libmosquitto's loop as far as is due.
    package func takeEvents(ready: [Interest], at now: TimerEngine.Instant) -> [NodeEvent] {
        var events = advance(ready: ready, at: now)
        // Whatever reported the end is let go with it, so that no second one can come.
        for case .lost in events { drop() }
        if dropped > 0 {
            events.insert(.dropped(dropped), at: 0)
            dropped = 0
        }
        return events.map(NodeEvent.connection)
    }

    private func advance(ready: [Interest], at now: TimerEngine.Instant) -> [ConnectionEvent] {
        switch phase {
        case .idle:
            return []
        case .failed(let failure):
            return [.lost(failure)]
        case .open(let session):
            return session.serve(ready: ready, at: now)
        case .connecting(let attempt):
            switch attempt.takeOutcome() {
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

    private func drop() {
        switch phase {
        case .idle, .failed: break
        case .connecting(let attempt):
            attempt.abandon()
            if attempt.isRunning { leftBehind.append(attempt) }
        case .open(let session): dropped += session.undelivered
        }
        phase = .idle
    }
}
