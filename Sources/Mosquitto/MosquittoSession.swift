internal import Glibc
internal import IoTNode
internal import TimerEngine
internal import TimerProtocol

/// One TCP connection, from its establishment to its end.
final class MosquittoSession {
    private let client: MosquittoClient
    private var keepAlive: KeepAlive
    private var isAccepted = false
    private var pendingSubscriptions: [Int32: String] = [:]
    private var outbox = Outbox()
    /// The limits that the broker gave in CONNACK.
    private var limits = Acceptance()
    /// Events from calls between two waits, not yet reported.
    private var unreportedEvents: [ConnectionEvent] = []
    private var now: TimerEngine.Instant

    init(_ client: MosquittoClient, at now: TimerEngine.Instant) {
        self.client = client
        self.now = now
        keepAlive = KeepAlive(seconds: client.request.keepAlive, at: now)
    }

    /// The socket, for reading and, while data is waiting to be sent, for writing.
    var interests: [Interest] {
        guard let socket = client.socket else { return [] }
        return [Interest(descriptor: socket, events: client.wantsToWrite ? [.read, .write] : .read)]
    }

    /// The next deadline, or at once if there is something to report or read that `poll` does not see.
    var nextInstant: TimerEngine.Instant? {
        if client.hasEnded || !unreportedEvents.isEmpty || client.hasDecryptedMore { return now }
        // Before CONNACK, libmosquitto's keep-alive check would end the connection; the core has its own deadline for
        // that phase.
        return isAccepted ? .earliest(keepAlive.deadline, outbox.deadline) : nil
    }

    /// Reads, writes and checks the keep-alive as far as due; after a ``ConnectionEvent/lost(_:)`` the session is over.
    ///
    /// The loop calls it after each wait and before publishing, so `now` is the time at which those messages are sent.
    func serve(ready: [Interest], at now: TimerEngine.Instant) -> [ConnectionEvent] {
        self.now = now
        let ready = ready.first { $0.descriptor == client.socket }?.events ?? []
        if ready.contains(.write) {
            client.write()
            keepAlive.recordSent(at: now)
        }
        // A TLS handshake continues by reading, even if it is waiting to write.
        if ready.contains(.read) || (!isAccepted && !ready.isEmpty) || client.hasDecryptedMore {
            client.read()
            keepAlive.recordReceived(at: now)
            // There may be acknowledgements in the data not yet read.
            if client.stoppedEarly { outbox.recordProgress(at: now) }
        }
        if isAccepted, let deadline = keepAlive.deadline, deadline <= now {
            client.checkKeepAlive()
            keepAlive.restart(at: now)
        }
        return collectEvents()
    }

    func subscribe(_ subscriptions: [Subscription]) {
        guard isAccepted else { return }
        for subscription in subscriptions {
            let filter = subscription.filter
            switch client.subscribe(subscription, withIdentifier: limits.supportsSubscriptionIdentifiers) {
            case .sent(let identifier): pendingSubscriptions[identifier] = filter
            case .noConnection: return
            case .tooLarge:
                reportRejection(
                    filter, "the subscription to \(filter)", "it is larger than \(client.request.broker) takes")
            case .refused(let reason): reportRejection(filter, "the subscription to \(filter)", reason)
            }
        }
        recordPacketSent()
    }

    /// Publishes at once, or when the broker has acknowledged earlier messages.
    ///
    /// A message with QoS 0 is dropped if the socket is full, because it would arrive late.
    ///
    /// - Returns: whether it was accepted; later failures are reported as events.
    func publish(_ message: OutgoingMessage) -> Bool {
        guard isAccepted else { return false }
        guard message.qos == .atMostOnce else {
            if outbox.hasRoom, send(message) { return true }
            // If the connection is gone, the message counts among all that are lost with it.
            return outbox.add(message)
        }
        guard !client.wantsToWrite, case .sent = client.publish(message) else { return false }
        recordPacketSent()
        return true
    }

    /// Sets whether the kernel holds back partially filled packets.
    func setCork(_ isOn: Bool) { client.setOption(TCP_CORK, to: isOn ? 1 : 0) }

    /// The number of unacknowledged messages that are not retained.
    var unacknowledgedCount: Int { outbox.unretainedCount }

    /// Sends queued messages as far as the window has room.
    private func sendQueued() {
        while let message = outbox.next, send(message) { outbox.removeFirst() }
    }

    /// Passes a message to libmosquitto, and reports a rejection as an event; returns false only if the connection is
    /// gone.
    private func send(_ message: OutgoingMessage) -> Bool {
        let bytes =
            message.topic.utf8.count + message.payload.count + (message.correlationData?.count ?? 0)
        switch client.publish(message) {
        case .sent(let identifier):
            outbox.recordSent(message, identifier, bytes: bytes, at: now)
            recordPacketSent()
        case .noConnection:
            return false
        case .tooLarge:
            unreportedEvents.append(.tooLarge(topic: message.topic, bytes: bytes, limit: limits.maximumPacketSize ?? 0))
        case .refused(let reason):
            reportRejection(message.topic, "the publication on \(message.topic.brief)", reason)
            if !message.retain { unreportedEvents.append(.dropped(1)) }
        }
        return true
    }

    private func reportRejection(_ topic: String, _ what: String, _ reason: String) {
        unreportedEvents.append(.rejected("libmosquitto does not take \(what): \(reason)", topic: topic))
    }

    /// Waits until all messages are acknowledged or the timeout has passed, then sends DISCONNECT.
    func finish(timeout: Duration) {
        guard isAccepted else { return }
        let deadline = ContinuousClock.now + timeout
        while !outbox.isEmpty || client.wantsToWrite {
            guard let ready = wait(until: deadline) else { break }
            for case .lost in serve(ready: ready, at: now) { return }
        }
        client.disconnect()
        // Nobody reads what arrives from now on, so it must not end the wait.
        while client.wantsToWrite, wait(until: deadline, toRead: false) != nil { client.write() }
    }

    /// Turns what the callbacks recorded into events.
    private func collectEvents() -> [ConnectionEvent] {
        var events = unreportedEvents
        unreportedEvents = []
        for event in client.drainEvents() {
            switch event {
            case .accepted(let acceptance):
                isAccepted = true
                limits = acceptance
                if let imposed = acceptance.keepAlive { keepAlive.period = imposed > 0 ? .seconds(imposed) : nil }
                events.append(.connected)
            case .message(let message, let acknowledged):
                if acknowledged { keepAlive.recordSent(at: now) }
                events.append(.message(message))
            case .subscribed(let identifier, let code):
                guard let filter = pendingSubscriptions.removeValue(forKey: identifier) else { continue }
                if let rejection = client.request.rejection(of: "subscription to \(filter)", "SUBACK", code: code) {
                    events.append(.rejected(rejection, topic: filter))
                }
            case .published(let identifier, let code):
                guard let message = outbox.recordAcknowledgement(identifier, at: now) else { continue }
                // The topic may come from a request, so it is shortened.
                let rejection = client.request.rejection(
                    of: "publication on \(message.topic.brief)", "PUBACK", code: code)
                if let rejection { events.append(.rejected(rejection, topic: message.topic)) }
                // A queued message may have been sent in the same call.
                if !outbox.isEmpty { keepAlive.recordSent(at: now) }
            case .refused(let code):
                return events + [.lost(.refused(client.request, code: code))]
            case .ended(let code, let number):
                if !isAccepted, let failure = client.tlsFailure(code, errno: number) {
                    return events + [.lost(failure)]
                }
                return events + [
                    .lost(.ended(client.request, code: code, errno: number, accepted: isAccepted))
                ]
            }
        }
        sendQueued()
        if let deadline = outbox.deadline, deadline <= now {
            let seconds = Outbox.acknowledgementTimeout.components.seconds
            let broker = client.request.broker
            events.append(
                .lost(
                    ConnectionError(
                        "\(broker) acknowledges nothing for \(seconds) s, and leaves \(outbox.count) messages waiting"))
            )
        }
        return events
    }

    /// Tells the keep-alive that a packet was sent, unless the socket had no room for it.
    private func recordPacketSent() {
        if !client.wantsToWrite { keepAlive.recordSent(at: now) }
    }

    /// Waits for the socket; nil when the deadline has passed or the socket is closed.
    private func wait(until deadline: ContinuousClock.Instant, toRead: Bool = true) -> [Interest]? {
        let left = deadline - .now
        guard left > .zero, let interest = interests.first else { return nil }
        // `poll` does not see data that TLS has already decrypted.
        if toRead, client.hasDecryptedMore { return [interest] }
        var descriptor = pollfd(fd: interest.descriptor, events: toRead ? Int16(POLLIN) : 0, revents: 0)
        if interest.events.contains(.write) { descriptor.events |= Int16(POLLOUT) }
        let milliseconds = Int32((left.inSeconds * 1000).rounded(.up))
        // SAFETY: one descriptor, which is ours during the call.
        guard unsafe poll(&descriptor, 1, milliseconds) >= 0 || errno == EINTR else { return nil }
        return descriptor.revents == 0 ? [] : [interest]
    }
}
