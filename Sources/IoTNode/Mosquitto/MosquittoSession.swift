internal import Glibc
internal import TimerEngine

/// One TCP connection, from the moment it is made to its end.
final class MosquittoSession {
    /// How many bytes may wait for the broker's acknowledgement; libmosquitto's own queue has no bound.
    static let unacknowledgedMaximum = 1024 * 1024

    private let client: MosquittoClient
    private var keepAlive: KeepAlive
    private var isAccepted = false
    private var subscribing: [Int32: String] = [:]
    private var unacknowledged: [Int32: (topic: String, bytes: Int, retain: Bool)] = [:]
    private var unacknowledgedBytes = 0
    private var now: TimerEngine.Instant

    /// Takes over a client that has just sent CONNECT.
    init(_ client: MosquittoClient, at now: TimerEngine.Instant) {
        self.client = client
        self.now = now
        keepAlive = KeepAlive(seconds: client.request.keepAlive, at: now)
    }

    /// The socket, for reading and, while something waits for room there, for writing.
    var interests: [Interest] {
        guard let socket = client.socket else { return [] }
        return [Interest(descriptor: socket, events: client.wantsToWrite ? [.read, .write] : .read)]
    }

    /// The keep-alive's deadline, or at once where a call between two waits found the connection broken.
    var nextInstant: TimerEngine.Instant? {
        if client.hasEnded { return now }
        // Before CONNACK libmosquitto takes its own deadline for a lost connection; the core has one for that.
        return isAccepted ? keepAlive.deadline : nil
    }

    /// Reads, writes and looks at the keep-alive as far as is due; after a ``LinkEvent/lost(_:)`` the session is over.
    ///
    /// The loop calls it after each wait and before it publishes, so that what is published counts as sent now.
    func serve(ready: [Interest], at now: TimerEngine.Instant) -> [LinkEvent] {
        self.now = now
        let ready = ready.first { $0.descriptor == client.socket }?.events ?? []
        if ready.contains(.write) {
            client.write()
            keepAlive.sent(at: now)
        }
        // A TLS handshake goes on by reading, also when it waits for room.
        if ready.contains(.read) || (!isAccepted && !ready.isEmpty) {
            client.read()
            keepAlive.received(at: now)
        }
        if isAccepted, let deadline = keepAlive.deadline, deadline <= now {
            client.checkKeepAlive()
            keepAlive.checked(at: now)
        }
        return settle()
    }

    /// Subscribes to each filter.
    func subscribe(_ filters: [String]) {
        guard isAccepted else { return }
        for filter in filters {
            if let identifier = client.subscribe(filter) { subscribing[identifier] = filter }
        }
        noteSent()
    }

    /// Publishes, or drops the message: one without QoS where the socket is full, as it would come late.
    ///
    /// - Returns: whether it was not dropped.
    func publish(_ publication: Publication) -> Bool {
        guard isAccepted, publication.qos != .atMostOnce || !client.wantsToWrite else { return false }
        guard let identifier = client.publish(publication) else { return false }
        noteSent()
        guard publication.qos != .atMostOnce else { return true }
        let bytes = publication.topic.utf8.count + publication.payload.count
        unacknowledged[identifier] = (publication.topic, bytes, publication.retain)
        unacknowledgedBytes += bytes
        return true
    }

    /// How many messages, not counting retained ones, the broker has not acknowledged.
    var undelivered: Int { unacknowledged.values.count { !$0.retain } }

    /// Waits for what was published to be acknowledged, as long as patience lasts, and sends DISCONNECT.
    func finish(patience: Duration) {
        guard isAccepted else { return }
        let deadline = ContinuousClock.now + patience
        while !unacknowledged.isEmpty || client.wantsToWrite {
            guard let ready = wait(until: deadline) else { break }
            for case .lost in serve(ready: ready, at: now) { return }
        }
        client.disconnect()
        while client.wantsToWrite, wait(until: deadline) != nil { client.write() }
    }

    /// What the callbacks noted, as events.
    private func settle() -> [LinkEvent] {
        var events: [LinkEvent] = []
        for arrival in client.takeArrivals() {
            switch arrival {
            case .accepted(let imposed):
                isAccepted = true
                if let imposed { keepAlive.period = imposed > 0 ? .seconds(imposed) : nil }
                events.append(.connected)
            case .message(let message, let acknowledged):
                if acknowledged { keepAlive.sent(at: now) }
                events.append(.message(message))
            case .subscribed(let identifier, let code):
                guard let filter = subscribing.removeValue(forKey: identifier) else { continue }
                if let denial = client.request.denial(of: "subscription to \(filter)", "SUBACK", code: code) {
                    events.append(.denied(denial))
                }
            case .published(let identifier, let code):
                guard let (topic, bytes, _) = unacknowledged.removeValue(forKey: identifier) else { continue }
                unacknowledgedBytes -= bytes
                // Whoever asked may have chosen it.
                if let denial = client.request.denial(of: "publication on \(topic.brief)", "PUBACK", code: code) {
                    events.append(.denied(denial))
                }
                // One that waited for its turn may have left in the same call.
                if !unacknowledged.isEmpty { keepAlive.sent(at: now) }
            case .refused(let code):
                return events + [.lost(.refused(client.request, code: code))]
            case .ended(let code, let number):
                if !isAccepted, let failure = client.brokenTLS(code, errno: number) { return events + [.lost(failure)] }
                return events + [
                    .lost(.ended(client.request, code: code, errno: number, accepted: isAccepted))
                ]
            }
        }
        if unacknowledgedBytes > Self.unacknowledgedMaximum {
            events.append(
                .lost(
                    LinkFailure(
                        "\(client.request.broker) leaves \(unacknowledged.count) messages of \(unacknowledgedBytes) bytes "
                            + "unacknowledged")))
        }
        return events
    }

    /// A packet left, unless the socket had no room for it.
    private func noteSent() {
        if !client.wantsToWrite { keepAlive.sent(at: now) }
    }

    /// Waits for the socket; nil when patience, or the socket, has come to an end.
    private func wait(until deadline: ContinuousClock.Instant) -> [Interest]? {
        let left = deadline - .now
        guard left > .zero, let interest = interests.first else { return nil }
        var descriptor = pollfd(fd: interest.descriptor, events: Int16(POLLIN), revents: 0)
        if interest.events.contains(.write) { descriptor.events |= Int16(POLLOUT) }
        let milliseconds = Int32((left.inSeconds * 1000).rounded(.up))
        // SAFETY: one descriptor, ours for the length of the call.
        guard unsafe poll(&descriptor, 1, milliseconds) >= 0 || errno == EINTR else { return nil }
        return descriptor.revents == 0 ? [] : [interest]
    }
}
