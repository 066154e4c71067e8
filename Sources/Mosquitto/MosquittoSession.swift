internal import BrokerLink
internal import Glibc
internal import LinuxSystem
internal import TimerEngine
internal import TimerProtocol

/// One TCP connection, from its establishment to its end.
final class MosquittoSession {
    let client: MosquittoClient
    private var keepAlive: KeepAlive
    private(set) var isAccepted = false
    /// The subscriptions without a response so far, by packet identifier.
    private var pendingSubscriptions: [Int32: (filter: String, sentAt: Instant)] = [:]
    private var rejectedFilters: Set<String> = []
    private(set) var outbox = Outbox()
    /// The limits from the broker's CONNACK.
    private var limits = Acceptance()
    /// Events from calls between two waits, not yet reported.
    private var unreportedEvents: [ConnectionEvent] = []
    /// The time of the last call of the session, used as the current time.
    private(set) var now: Instant

    init(_ client: MosquittoClient, at now: Instant) {
        self.client = client
        self.now = now
        keepAlive = KeepAlive(seconds: client.request.keepAlive, at: now)
    }

    /// The socket, for reading and, while data is waiting to be sent, for writing.
    var interests: [Interest] {
        guard let socket = client.socket else { return [] }
        return [Interest(descriptor: socket, events: client.wantsToWrite ? [.read, .write] : .read)]
    }

    /// The next deadline, or now if there are events to report, or data to read that `poll` does not see.
    var nextInstant: Instant? {
        if client.hasEnded || !unreportedEvents.isEmpty || client.hasDecryptedMore { return now }
        // Before CONNACK, libmosquitto's keep-alive check would end the connection; the core has its own deadline for
        // that phase.
        return isAccepted ? .earliest(keepAlive.nextInstant, .earliest(outbox.deadline, overdueAt)) : nil
    }

    /// Reads, writes and checks the keep-alive as needed; after a ``ConnectionEvent/lost(_:)`` the session is over.
    func serve(ready: [Interest], at now: Instant) -> [ConnectionEvent] {
        self.now = now
        let ready = ready.first { $0.descriptor == client.socket }?.events ?? []
        if ready.contains(.write) {
            client.write()
            keepAlive.recordSent(at: now)
        }
        // A TLS handshake continues by reading, even while it is waiting to write.
        if ready.contains(.read) || (!isAccepted && !ready.isEmpty) || client.hasDecryptedMore {
            client.read()
            keepAlive.recordReceived(at: now)
            // The data not yet read may contain acknowledgements.
            if client.stoppedEarly { outbox.recordProgress(at: now) }
        }
        if isAccepted { sendKeepAlivePackets() }
        return collectEvents()
    }

    /// Sends the packets that a silent connection needs.
    private func sendKeepAlivePackets() {
        if let deadline = keepAlive.probeDeadline, deadline <= now {
            // Recorded even if it fails, because a deadline that stays in the past would keep the loop awake.
            keepAlive.recordAsked(at: now)
            if client.requestSignOfLife() { recordPacketSent() }
        }
        if let deadline = keepAlive.pingDeadline, deadline <= now {
            client.sendPing()
            keepAlive.recordSent(at: now)
        }
    }

    /// When the connection counts as lost because the broker does not acknowledge a message or a subscription.
    private var overdueAt: Instant? {
        guard let period = keepAlive.period else { return nil }
        return .earliest(outbox.oldestInFlight?.since, oldestSubscription?.sentAt).map { $0 + period }
    }

    private var oldestSubscription: (filter: String, sentAt: Instant)? {
        pendingSubscriptions.values.min { $0.sentAt < $1.sentAt }
    }

    /// Why the connection counts as lost although it is open; nil if it does not.
    private var silence: ConnectionError? {
        if let deadline = keepAlive.lossDeadline, deadline <= now {
            return ConnectionError("the broker is not responding: nothing arrived within the keep-alive")
        }
        if let overdueAt, overdueAt <= now {
            let subscription = oldestSubscription.map { ($0.sentAt, "subscription to \($0.filter)") }
            let message = outbox.oldestInFlight.map { ($0.since, "publication on \($0.topic.brief)") }
            let oldest = [subscription, message].compactMap(\.self).min { $0.0 < $1.0 }
            return ConnectionError(
                "the broker did not acknowledge the \(oldest?.1 ?? "packet") within the keep-alive")
        }
        if let deadline = outbox.deadline, deadline <= now {
            let seconds = Outbox.acknowledgementTimeout.components.seconds
            return ConnectionError(
                "the broker has acknowledged nothing for \(seconds) s, with \(outbox.count) messages waiting")
        }
        return nil
    }

    func subscribe(_ subscriptions: [Subscription]) {
        guard isAccepted else { return }
        now = BootClock.bootTime
        for subscription in subscriptions {
            let filter = subscription.filter
            let reject = { (reason: String) in self.reject(.subscription(filter: filter), reason) }
            switch client.subscribe(subscription, withIdentifier: limits.supportsSubscriptionIdentifiers) {
            case .sent(let identifier): pendingSubscriptions[identifier] = (filter, now)
            case .noConnection: return
            case .tooLarge:
                reject("it is larger than the broker accepts")
            case .refused(let reason): reject("libmosquitto rejects it: \(reason)")
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
        now = BootClock.bootTime
        guard message.qos == .atMostOnce else {
            if outbox.hasRoom, send(message) { return true }
            // If the connection is gone, the message is counted with the other lost messages.
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
            reject(
                .publication(topic: message.topic, isRetained: message.retain),
                "libmosquitto rejects it: \(reason)")
            if !message.retain { unreportedEvents.append(.dropped(1)) }
        }
        return true
    }

    private func reject(_ subject: Rejection.Subject, _ reason: String) {
        unreportedEvents.append(.rejected(Rejection(subject, code: nil, reason: reason)))
    }

    /// Turns the callbacks' records into events.
    private func collectEvents() -> [ConnectionEvent] {
        let inbox = client.takeInbox()
        var events = unreportedEvents + inbox.events
        unreportedEvents = []
        if let acceptance = inbox.acceptance { accept(acceptance) }
        if inbox.hasAcknowledged { keepAlive.recordSent(at: now) }
        events += inbox.answers.compactMap(event)
        if let end = inbox.end { return events + [.lost(reason(of: end))] }
        sendQueued()
        if let silence { events.append(.lost(silence)) }
        return events
    }

    private func accept(_ acceptance: Acceptance) {
        isAccepted = true
        limits = acceptance
        if let imposed = acceptance.keepAlive { keepAlive.period = imposed > 0 ? .seconds(imposed) : nil }
    }

    /// Returns the event for a response from the broker; nil for the normal response.
    private func event(about answer: Inbox.Answer) -> ConnectionEvent? {
        switch answer {
        case .subscribed(let identifier, let code):
            guard let (filter, _) = pendingSubscriptions.removeValue(forKey: identifier) else { return nil }
            if let rejection = Rejection(.subscription(filter: filter), "SUBACK", code: code) {
                rejectedFilters.insert(filter)
                return .rejected(rejection)
            }
            return rejectedFilters.remove(filter) == nil ? nil : .accepted(filter: filter)
        case .published(let identifier, let code):
            guard let message = outbox.recordAcknowledgement(identifier, at: now) else { return nil }
            // A queued message may have been sent in the same call.
            if !outbox.isEmpty { keepAlive.recordSent(at: now) }
            let subject = Rejection.Subject.publication(topic: message.topic, isRetained: message.isRetained)
            return Rejection(subject, "PUBACK", code: code).map(ConnectionEvent.rejected)
        }
    }

    private func reason(of end: Inbox.End) -> ConnectionError {
        switch end {
        case .refused(let code): return .refused(client.request, code: code)
        case .ended(let code, let number):
            if !isAccepted, let failure = client.tlsFailure(code, errno: number) { return failure }
            return .ended(client.request, code: code, errno: number, accepted: isAccepted)
        }
    }

    /// Records for the keep-alive that a packet was sent, unless the socket had no room for it.
    private func recordPacketSent() {
        if !client.wantsToWrite { keepAlive.recordSent(at: now) }
    }
}
