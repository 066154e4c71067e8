internal import BrokerLink
internal import Glibc
internal import TimerEngine

/// The orderly end of a connection.
extension MosquittoSession {
    /// Waits until all messages are acknowledged or the timeout has passed, then sends DISCONNECT.
    ///
    /// - Returns: the messages that arrived meanwhile. libmosquitto has acknowledged them, so they must be handled.
    func finish(timeout: Duration) -> [ConnectionEvent] {
        var messages: [ConnectionEvent] = []
        guard isAccepted else { return messages }
        let deadline = ContinuousClock.now + timeout
        // Messages that are not read are not acknowledged. In a flood the wait ends early; queued messages are still
        // sent.
        while !outbox.isEmpty || client.wantsToWrite, messages.count < MosquittoClient.maximumMessagesPerRead {
            guard let ready = wait(until: deadline) else { break }
            for event in serve(ready: ready, at: now) {
                switch event {
                case .message: messages.append(event)
                case .lost: return messages
                case .connected, .accepted, .rejected, .tooLarge, .leftOut, .dropped: break
                }
            }
        }
        client.disconnect()
        // Data that arrives from now on is not read, so it must not end the wait.
        while client.wantsToWrite, wait(until: deadline, toRead: false) != nil { client.write() }
        return messages
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
        // SAFETY: there is one descriptor, to which we have exclusive access during the call.
        guard unsafe poll(&descriptor, 1, milliseconds) >= 0 || errno == EINTR else { return nil }
        return descriptor.revents == 0 ? [] : [interest]
    }
}
