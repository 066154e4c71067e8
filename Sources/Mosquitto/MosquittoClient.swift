internal import BrokerLink
internal import CMosquitto
internal import Glibc
internal import LinuxSystem

/// The sole owner of a libmosquitto client, which connects when created and is deinitialised with the last reference.
///
/// Its methods wrap the calls for an external loop. libmosquitto's callbacks run inside these calls and only fill an
/// ``Inbox``.
///
/// SAFETY (`@unchecked Sendable`): a client may move between threads but is used by one at a time. The attempt's thread
/// creates it; ``ConnectionAttempt`` hands it over once, through a Mutex, which orders the accesses of both threads.
@safe final class MosquittoClient: @unchecked Sendable {
    /// The maximum size of a packet from the broker, in bytes. In MQTT 5 the broker drops larger ones. In MQTT 3.1.1
    /// the broker does not know the limit, and a message with a larger payload is discarded here.
    static let maximumPacketSize: UInt32 = 256 * 1024
    /// The maximum number of messages to read at once, so that the loop checks the time and signals in between.
    static let maximumMessagesPerRead = 32
    /// The bytes of payloads after which reading stops for now, since handling larger payloads takes longer.
    private static let maximumBytesPerRead = 64 * 1024
    private static let maximumPacketsPerRead = 512

    /// The libmosquitto client; it does not leave this class and its extensions.
    let handle: OpaquePointer
    let request: ConnectOptions
    /// The records since the last ``takeInbox()``.
    private var inbox = Inbox()
    /// Whether the last read stopped before everything had been read.
    private(set) var stoppedEarly = false
    /// Whether the end of the connection has been recorded.
    private(set) var hasEnded = false

    /// The first recorded TLS error.
    private(set) var tlsError: String?

    /// The result of libmosquitto's one-time initialisation, performed by whichever thread gets there first.
    private static let library: Int32 = mosquitto_lib_init()

    /// Resolves the host name, connects and sends CONNECT; blocks meanwhile.
    init(connecting request: ConnectOptions) throws(ConnectionError) {
        guard Self.library == MOSQ_ERR_SUCCESS.rawValue else {
            throw ConnectionError("libmosquitto cannot start: \(ConnectionError.text(Self.library))")
        }
        // SAFETY: libmosquitto copies the identifier.
        guard let handle = unsafe mosquitto_new(request.clientID, true, nil) else {
            throw ConnectionError(
                "libmosquitto cannot create a client named \(request.clientID): \(SystemError.text(errno))")
        }
        unsafe self.handle = handle
        self.request = request
        // SAFETY: the callbacks get self unretained; they run only inside calls of this class, so self is alive then.
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        try configure()
        try connect()
    }

    deinit {
        // SAFETY: the last reference is gone, so no call is running. This closes the socket without DISCONNECT.
        unsafe mosquitto_destroy(handle)
    }

    var socket: Int32? {
        let number = unsafe mosquitto_socket(handle)
        return number >= 0 ? number : nil
    }

    /// Whether data is waiting for room in the socket.
    var wantsToWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// Whether the maximum number of messages to handle at once has been recorded.
    private var hasReadEnough: Bool {
        inbox.messages >= Self.maximumMessagesPerRead || inbox.bytes >= Self.maximumBytesPerRead
    }

    /// Reads what has arrived, including acknowledgements, up to a limited number of messages.
    ///
    /// The rest keeps the socket readable, or is reported by ``hasDecryptedMore``.
    func read() {
        stoppedEarly = true
        for _ in 0..<Self.maximumPacketsPerRead {
            errno = 0
            // libmosquitto ignores the maximum: it reads one packet, or as many as there are messages in flight, and
            // all that TLS has already decrypted. It leaves EAGAIN in errno if there was no more, or if
            // ``record(_:bytes:_:)`` has set it.
            let code = unsafe mosquitto_loop_read(handle, 1)
            let number = errno
            recordLostSocket(code, errno: number)
            if code != MOSQ_ERR_SUCCESS.rawValue || number == EAGAIN || hasEnded {
                stoppedEarly = hasReadEnough
                break
            }
        }
        acknowledgeAtOnce()
    }

    /// Makes the kernel send TCP acknowledgements now instead of up to 40 ms later.
    ///
    /// A broker without TCP_NODELAY, which is mosquitto's default, holds its next packet back until then. The kernel
    /// resets the option on its own, so it is set after each read. Without it, everything still works, but later.
    private func acknowledgeAtOnce() { setOption(TCP_QUICKACK, to: 1) }

    /// Sets a TCP option. Errors are ignored: without the option, everything still works, but later.
    func setOption(_ option: Int32, to value: Int32) {
        guard let socket else { return }
        var value = value
        // SAFETY: the call reads the number and keeps no pointer.
        _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes as much as the socket has room for.
    func write() {
        let code = unsafe mosquitto_loop_write(handle, 1)
        recordLostSocket(code, errno: errno)
    }

    /// Sends the PINGREQ that is due, or ends the connection if the broker did not respond to the last one.
    func sendPing() {
        let code = unsafe mosquitto_loop_misc(handle)
        recordLostSocket(code, errno: errno)
    }

    /// Records the end of a connection whose socket libmosquitto closed without a callback, as after a failed
    /// handshake.
    private func recordLostSocket(_ code: Int32, errno number: Int32) {
        if code != MOSQ_ERR_SUCCESS.rawValue, !hasEnded, socket == nil { recordEnd(.ended(code: code, errno: number)) }
    }

    /// Sends DISCONNECT after all pending data, then closes the socket.
    func disconnect() {
        // This fails only if the connection is already gone.
        _ = unsafe mosquitto_disconnect_v5(handle, Int32(MQTT_RC_NORMAL_DISCONNECTION.rawValue), nil)
    }

    /// Records a message, whether read or discarded.
    func record(_ event: ConnectionEvent, bytes: Int, _ isAcknowledged: Bool) {
        inbox.events.append(event)
        inbox.hasAcknowledged = inbox.hasAcknowledged || isAcknowledged
        inbox.messages += 1
        inbox.bytes += bytes
        // libmosquitto keeps reading while TLS has decrypted more data, which could go on forever with a broker that
        // sends without a pause. It stops if errno is EAGAIN.
        if hasReadEnough { errno = EAGAIN }
    }

    /// Records a response from the broker.
    func record(_ answer: Inbox.Answer) { inbox.answers.append(answer) }

    /// Records CONNACK.
    func recordConnack(_ acceptance: Acceptance, code: Int32) {
        guard code == 0 else { return inbox.end = inbox.end ?? .refused(code: code) }
        inbox.acceptance = acceptance
        inbox.events.append(.connected)
    }

    /// Records the end; called by the callbacks, and by calls that fail without a callback.
    func recordEnd(_ end: Inbox.End) {
        hasEnded = true
        // The first record states the actual reason.
        inbox.end = inbox.end ?? end
    }

    /// Records a TLS error; only the first is kept, because later ones follow from it.
    func recordTLSError(_ text: String) { tlsError = tlsError ?? text }

    /// Returns and clears the records.
    func takeInbox() -> Inbox {
        defer { inbox = Inbox() }
        return inbox
    }
}
