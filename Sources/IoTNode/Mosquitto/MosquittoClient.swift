internal import CMosquitto
internal import Glibc

/// The one owner of a libmosquitto client: made connecting, destroyed with its last reference.
///
/// Its calls are those of libmosquitto's external loop. The callbacks run inside of them and only note a ``MosquittoArrival``.
///
/// SAFETY (`@unchecked Sendable`): a client may go from thread to thread but is used by one at a time. The connector
/// thread makes it; ``ConnectionAttempt`` hands it over once, through a Mutex, which orders what either thread does.
@safe final class MosquittoClient: @unchecked Sendable {
    /// What a broker may send at once, in bytes; it drops what is larger (MQTT 5).
    static let maximumPacketSize: UInt32 = 256 * 1024

    /// The client; it does not leave this class and its extensions.
    let handle: OpaquePointer
    /// The request it was made from.
    let request: LinkRequest
    /// What the callbacks noted since the last look.
    private var arrivals: [MosquittoArrival] = []
    /// Whether the connection's end is among what the next look will bring.
    private(set) var hasEnded = false

    /// What was wrong with TLS, the first that was noted.
    private(set) var tlsFault: String?

    /// libmosquitto's one-time set-up, done by whichever thread is first.
    private static let library: Void = { _ = mosquitto_lib_init() }()

    /// Resolves the name, connects and sends CONNECT, and blocks for as long as that takes.
    init(connecting request: LinkRequest) throws(LinkFailure) {
        _ = Self.library
        // SAFETY: libmosquitto copies the identifier.
        guard let handle = unsafe mosquitto_new(request.clientID, true, nil) else {
            throw LinkFailure("libmosquitto cannot make a client named \(request.clientID): \(SystemError.text(errno))")
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

    /// Reads what there is, at least one packet; what remains in the socket makes it ready again.
    func read() {
        // The maximum is ignored: libmosquitto reads one packet, or as many as there are messages in flight, and all that
        // TLS has decrypted already, which no poll would see.
        noteLostSocket(unsafe mosquitto_loop_read(handle, 1))
    }

    /// Writes what there is room for.
    func write() {
        noteLostSocket(unsafe mosquitto_loop_write(handle, 1))
    }

    /// Sends PINGREQ, or ends the connection where the last one was not answered, if it is time.
    func checkKeepAlive() {
        _ = unsafe mosquitto_loop_misc(handle)
    }

    /// Notes the end of a connection whose socket libmosquitto closed without a callback, as where a handshake fails.
    private func noteLostSocket(_ code: Int32) {
        let number = errno
        if code != MOSQ_ERR_SUCCESS.rawValue, !hasEnded, socket == nil { note(.ended(code: code, errno: number)) }
    }

    /// Sends DISCONNECT after what waits to be written, and closes the socket when it has left.
    func disconnect() {
        _ = unsafe mosquitto_disconnect_v5(handle, Int32(MQTT_RC_NORMAL_DISCONNECTION.rawValue), nil)
    }

    /// Notes something; for the callbacks, and for calls that fail without one.
    func note(_ arrival: MosquittoArrival) {
        if case .ended = arrival { hasEnded = true }
        arrivals.append(arrival)
    }

    /// Notes what is wrong with TLS; what follows from the first fault is left out.
    func note(tlsFault fault: String) { tlsFault = tlsFault ?? fault }

    /// What was noted since the last look.
    func takeArrivals() -> [MosquittoArrival] {
        defer { arrivals = [] }
        return arrivals
    }
}
