internal import CMosquitto
internal import Glibc
internal import IoTNode
internal import LinuxSystem

/// The one owner of a libmosquitto client: made connecting, destroyed with its last reference.
///
/// Its calls are those of libmosquitto's external loop. The callbacks run inside of them and only note a ``MosquittoArrival``.
///
/// SAFETY (`@unchecked Sendable`): a client may go from thread to thread but is used by one at a time. The connector
/// thread makes it; ``ConnectionAttempt`` hands it over once, through a Mutex, which orders what either thread does.
@safe final class MosquittoClient: @unchecked Sendable {
    /// What a broker may send at once, in bytes; it drops what is larger (MQTT 5).
    static let maximumPacketSize: UInt32 = 256 * 1024
    /// How many messages are read at once: between them and the next ones the loop looks at the time and at signals.
    private static let messagesAtOnce = 32
    /// How many packets of any kind are read at once.
    private static let packetsAtOnce = 512

    /// The client; it does not leave this class and its extensions.
    let handle: OpaquePointer
    /// The request it was made from.
    let request: ConnectOptions
    /// What the callbacks noted since the last look.
    private var arrivals: [MosquittoArrival] = []
    private var arrivedMessages = 0
    /// Whether the last reading ended before it found that there is no more.
    private(set) var leftMore = false
    /// Whether the connection's end is among what the next look will bring.
    private(set) var hasEnded = false

    /// What was wrong with TLS, the first that was noted.
    private(set) var tlsFault: String?

    /// libmosquitto's one-time set-up, done by whichever thread is first, and what came of it.
    private static let library: Int32 = mosquitto_lib_init()

    /// Resolves the name, connects and sends CONNECT, and blocks for as long as that takes.
    init(connecting request: ConnectOptions) throws(ConnectionError) {
        guard Self.library == MOSQ_ERR_SUCCESS.rawValue else {
            throw ConnectionError("libmosquitto cannot begin: \(ConnectionError.text(Self.library))")
        }
        // SAFETY: libmosquitto copies the identifier.
        guard let handle = unsafe mosquitto_new(request.clientID, true, nil) else {
            throw ConnectionError(
                "libmosquitto cannot make a client named \(request.clientID): \(SystemError.text(errno))")
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
        // SAFETY: the last reference is gone, so no call is under way. This closes the socket, without DISCONNECT.
        unsafe mosquitto_destroy(handle)
    }

    /// The connection's socket; nil once it is closed.
    var socket: Int32? {
        let number = unsafe mosquitto_socket(handle)
        return number >= 0 ? number : nil
    }

    /// Whether something waits for room in the socket.
    var wantsToWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// Reads what has arrived, acknowledgements among it, but only so many messages at once.
    ///
    /// What remains makes the socket ready again, or is what ``hasDecryptedMore`` tells.
    func read() {
        leftMore = true
        for _ in 0..<Self.packetsAtOnce {
            errno = 0
            // The maximum is ignored: libmosquitto reads one packet, or as many as there are messages in flight, and all
            // that TLS has decrypted already. It leaves EAGAIN behind where it found no more, or where `note` says so.
            let code = unsafe mosquitto_loop_read(handle, 1)
            let number = errno
            noteLostSocket(code, errno: number)
            if code != MOSQ_ERR_SUCCESS.rawValue || number == EAGAIN || hasEnded {
                leftMore = arrivedMessages >= Self.messagesAtOnce
                break
            }
        }
        acknowledgeAtOnce()
    }

    /// Has the kernel acknowledge what was read now, and not up to 40 ms later.
    ///
    /// A broker without TCP_NODELAY, which is how mosquitto is installed, keeps its next packet back until then. The
    /// kernel forgets the option by itself, so it is set after each read. Without it everything works, only later.
    private func acknowledgeAtOnce() { setOption(TCP_QUICKACK, to: 1) }

    /// Sets an option of TCP; a socket without it works all the same, only later.
    func setOption(_ option: Int32, to value: Int32) {
        guard let socket else { return }
        var value = value
        // SAFETY: the call reads the number and keeps no pointer.
        _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes what there is room for.
    func write() {
        let code = unsafe mosquitto_loop_write(handle, 1)
        noteLostSocket(code, errno: errno)
    }

    /// Sends PINGREQ, or ends the connection where the last one was not answered, if it is time.
    func checkKeepAlive() {
        let code = unsafe mosquitto_loop_misc(handle)
        noteLostSocket(code, errno: errno)
    }

    /// Notes the end of a connection whose socket libmosquitto closed without a callback, as where a handshake fails.
    private func noteLostSocket(_ code: Int32, errno number: Int32) {
        if code != MOSQ_ERR_SUCCESS.rawValue, !hasEnded, socket == nil { note(.ended(code: code, errno: number)) }
    }

    /// Sends DISCONNECT after what waits to be written, and closes the socket when it has left.
    func disconnect() {
        // It fails only where the connection is gone already.
        _ = unsafe mosquitto_disconnect_v5(handle, Int32(MQTT_RC_NORMAL_DISCONNECTION.rawValue), nil)
    }

    /// Notes something; for the callbacks, and for calls that fail without one.
    func note(_ arrival: MosquittoArrival) {
        arrivals.append(arrival)
        switch arrival {
        case .ended: hasEnded = true
        case .message:
            arrivedMessages += 1
            // libmosquitto goes on for as long as TLS has decrypted more, which a broker that sends without a pause keeps
            // up for ever; it stops where errno says that there is no more.
            if arrivedMessages >= Self.messagesAtOnce { errno = EAGAIN }
        case .accepted, .refused, .published, .subscribed: break
        }
    }

    /// Notes what is wrong with TLS; what follows from the first fault is left out.
    func note(tlsFault fault: String) { tlsFault = tlsFault ?? fault }

    /// What was noted since the last look.
    func takeArrivals() -> [MosquittoArrival] {
        defer {
            arrivals = []
            arrivedMessages = 0
        }
        return arrivals
    }
}
