internal import Glibc
internal import IoTNode
internal import TimerEngine
internal import TimerProtocol

/// One TCP connection, from the moment it is made to its end.
final class MosquittoSession {
    private let client: MosquittoClient
    private var keepAlive: KeepAlive
    private var isAccepted = false
    private var subscribing: [Int32: String] = [:]
    private var outbox = Outbox()
    /// What the broker takes.
    private var limits = Acceptance()
    /// What happened between two waits and is not told yet.
    private var untold: [ConnectionEvent] = []
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

    /// The next deadline, or at once where something is to be told or read that no poll sees.
    var nextInstant: TimerEngine.Instant? {
        if client.hasEnded || !untold.isEmpty || client.hasDecryptedMore { return now }
        // Before CONNACK libmosquitto takes its own deadline for a lost connection; the core has one for that.
        return isAccepted ? .earliest(keepAlive.deadline, outbox.deadline) : nil
    }

    /// Reads, writes and looks at the keep-alive as far as is due; after a ``ConnectionEvent/lost(_:)`` the session is over.
    ///
    /// The loop calls it after each wait and before it publishes, so that what is published counts as sent now.
    func serve(ready: [Interest], at now: TimerEngine.Instant) -> [ConnectionEvent] {
        self.now = now
        let ready = ready.first { $0.descriptor == client.socket }?.events ?? []
        if ready.contains(.write) {
            client.write()
            keepAlive.sent(at: now)
        }
        // A TLS handshake goes on by reading, also when it waits for room.
        if ready.contains(.read) || (!isAccepted && !ready.isEmpty) || client.hasDecryptedMore {
            client.read()
            keepAlive.received(at: now)
            // Acknowledgements may be behind what is not read yet.
            if client.leftMore { outbox.noteProgress(at: now) }
        }
        if isAccepted, let deadline = keepAlive.deadline, deadline <= now {
            client.checkKeepAlive()
            keepAlive.checked(at: now)
        }
        return settle()
    }

    /// Subscribes to each filter.
    func subscribe(_ subscriptions: [Subscription]) {
        guard isAccepted else { return }
        for subscription in subscriptions {
            let filter = subscription.filter
            switch client.subscribe(subscription, withIdentifier: limits.takesIdentifiers) {
            case .sent(let identifier): subscribing[identifier] = filter
            case .noConnection: return
            case .tooLarge: deny("the subscription to \(filter)", "it is larger than \(client.request.broker) takes")
            case .refused(let reason): deny("the subscription to \(filter)", reason)
            }
        }
        noteSent()
    }

    /// Publishes, at once or when the broker has acknowledged what was sent before.
    ///
    /// A message without QoS is dropped where the socket is full, as it would come late.
    ///
    /// - Returns: whether it was taken; what becomes of it then is told later.
    func publish(_ message: OutgoingMessage) -> Bool {
        guard isAccepted else { return false }
        guard message.qos == .atMostOnce else {
            if outbox.isOpen, send(message) { return true }
            // Where the connection is gone, it counts with all that is lost with it.
            return outbox.add(message)
        }
        guard !client.wantsToWrite, case .sent = client.publish(message) else { return false }
        noteSent()
        return true
    }

    /// Whether the kernel keeps packets back that are not full.
    func setsCork(_ isOn: Bool) { client.setOption(TCP_CORK, to: isOn ? 1 : 0) }

    /// How many messages, not counting retained ones, the broker has not acknowledged.
    var undelivered: Int { outbox.lossesWhenClosed }

    /// Sends what waits, as far as the broker has acknowledged what was sent before.
    private func sendWaiting() {
        while let message = outbox.next, send(message) { outbox.removeNext() }
    }

    /// Hands a message to libmosquitto, whatever that makes of it; returns false only where the connection is gone.
    private func send(_ message: OutgoingMessage) -> Bool {
        let bytes =
            message.topic.utf8.count + message.payload.count + (message.correlationData?.count ?? 0)
        switch client.publish(message) {
        case .sent(let identifier):
            outbox.noteSent(message, identifier, bytes: bytes, at: now)
            noteSent()
        case .noConnection:
            return false
        case .tooLarge:
            untold.append(.tooLarge(topic: message.topic, bytes: bytes, limit: limits.maximumPacketSize ?? 0))
        case .refused(let reason):
            deny("the publication on \(message.topic.brief)", reason)
            if !message.retain { untold.append(.dropped(1)) }
        }
        return true
    }

    private func deny(_ what: String, _ reason: String) {
        untold.append(.denied("libmosquitto does not take \(what): \(reason)"))
    }

    /// Waits for what was published to be acknowledged, as long as patience lasts, and sends DISCONNECT.
    func finish(patience: Duration) {
        guard isAccepted else { return }
        let deadline = ContinuousClock.now + patience
        while !outbox.isEmpty || client.wantsToWrite {
            guard let ready = wait(until: deadline) else { break }
            for case .lost in serve(ready: ready, at: now) { return }
        }
        client.disconnect()
        // What arrives from now on is read by nobody, and must not wake this.
        while client.wantsToWrite, wait(until: deadline, toRead: false) != nil { client.write() }
    }

    /// What the callbacks noted, as events.
    private func settle() -> [ConnectionEvent] {
        var events = untold
        untold = []
        for arrival in client.takeArrivals() {
            switch arrival {
            case .accepted(let acceptance):
                isAccepted = true
                limits = acceptance
                if let imposed = acceptance.keepAlive { keepAlive.period = imposed > 0 ? .seconds(imposed) : nil }
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
                guard let message = outbox.noteAcknowledged(identifier, at: now) else { continue }
                // Whoever asked may have chosen it.
                if let denial = client.request.denial(of: "publication on \(message.topic.brief)", "PUBACK", code: code)
                {
                    events.append(.denied(denial))
                }
                // One that waited for its turn may have left in the same call.
                if !outbox.isEmpty { keepAlive.sent(at: now) }
            case .refused(let code):
                return events + [.lost(.refused(client.request, code: code))]
            case .ended(let code, let number):
                if !isAccepted, let failure = client.brokenTLS(code, errno: number) { return events + [.lost(failure)] }
                return events + [
                    .lost(.ended(client.request, code: code, errno: number, accepted: isAccepted))
                ]
            }
        }
        sendWaiting()
        if let deadline = outbox.deadline, deadline <= now {
            let seconds = Outbox.patience.components.seconds
            let broker = client.request.broker
            events.append(
                .lost(
                    ConnectionError(
                        "\(broker) acknowledges nothing for \(seconds) s, and leaves \(outbox.count) messages waiting"))
            )
        }
        return events
    }

    /// A packet left, unless the socket had no room for it.
    private func noteSent() {
        if !client.wantsToWrite { keepAlive.sent(at: now) }
    }

    /// Waits for the socket; nil when patience, or the socket, has come to an end.
    private func wait(until deadline: ContinuousClock.Instant, toRead: Bool = true) -> [Interest]? {
        let left = deadline - .now
        guard left > .zero, let interest = interests.first else { return nil }
        // What TLS has decrypted no poll sees.
        if toRead, client.hasDecryptedMore { return [interest] }
        var descriptor = pollfd(fd: interest.descriptor, events: toRead ? Int16(POLLIN) : 0, revents: 0)
        if interest.events.contains(.write) { descriptor.events |= Int16(POLLOUT) }
        let milliseconds = Int32((left.inSeconds * 1000).rounded(.up))
        // SAFETY: one descriptor, ours for the length of the call.
        guard unsafe poll(&descriptor, 1, milliseconds) >= 0 || errno == EINTR else { return nil }
        return descriptor.revents == 0 ? [] : [interest]
    }
}
