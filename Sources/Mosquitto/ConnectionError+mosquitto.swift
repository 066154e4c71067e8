internal import BrokerLink
internal import CMosquitto
internal import Glibc
internal import LinuxSystem

/// Error messages for the log. They contain neither credentials nor the broker, which the log line names.
extension ConnectionError {
    /// Name resolution, the TCP connection or sending CONNECT failed.
    static func cannotConnect(_ request: ConnectOptions, code: Int32, errno: Int32) -> ConnectionError {
        switch mosq_err_t(code) {
        case MOSQ_ERR_EAI:
            // SAFETY: gai_strerror returns a string literal. libmosquitto stores the resolver's error code in errno.
            let reason = unsafe gai_strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
            return ConnectionError("cannot resolve the host name: \(reason)")
        case MOSQ_ERR_INVAL:
            return ConnectionError(
                "cannot connect: the port must be 1...65535 and the keep-alive 5...65535 s, or 0 for none; "
                    + "it is \(request.keepAlive) s")
        default:
            return ConnectionError("cannot connect: \(text(code, errno: errno))")
        }
    }

    /// OpenSSL's message for a connection that the broker closed without ending TLS.
    static let unexpectedEOF = "unexpected eof while reading"

    /// The TLS connection could not be established.
    static func tlsFailed(_ request: ConnectOptions, _ fault: String) -> ConnectionError {
        // If the broker closes the connection after CONNECT, TLS detects it first.
        let isClose = fault == unexpectedEOF
        return ConnectionError(
            isClose
                ? "the broker closed the connection without responding to CONNECT"
                : "TLS failed: \(fault)",
            hintsAtOlderProtocol: isClose && request.version == .v5)
    }

    /// CONNACK refused the connection.
    static func refused(_ request: ConnectOptions, code: Int32) -> ConnectionError {
        // An older broker responds to an MQTT 5 CONNECT with code 1, which libmosquitto turns into 0x84 if it can parse
        // the packet.
        let version = request.version == .v5 && (code == 1 || code == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)
        let isReason = code >= MQTT_RC_UNSPECIFIED.rawValue
        // SAFETY: both return string literals.
        let words = unsafe String(cString: isReason ? mosquitto_reason_string(code) : mosquitto_connack_string(code))
        return ConnectionError(
            "the broker refused the connection: \(words.withoutRefusalPrefix) (CONNACK \(hexadecimal(code)))",
            hintsAtOlderProtocol: version)
    }

    /// An established connection ended; `accepted` is whether CONNACK had arrived.
    static func ended(_ request: ConnectOptions, code: Int32, errno: Int32, accepted: Bool) -> ConnectionError {
        let older = request.version == .v5 && !accepted
        if code == MQTT_RC_SESSION_TAKEN_OVER.rawValue {
            return ConnectionError("another client took over the client id \(request.clientID)")
        }
        if code >= MQTT_RC_UNSPECIFIED.rawValue {
            // SAFETY: a string literal.
            let words = unsafe String(cString: mosquitto_reason_string(code))
            return ConnectionError(
                "the broker ended the connection: \(words.withoutRefusalPrefix) (DISCONNECT \(hexadecimal(code)))")
        }
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS, MOSQ_ERR_CONN_LOST:
            return ConnectionError(
                "the broker closed the connection" + (accepted ? "" : " without responding to CONNECT"),
                hintsAtOlderProtocol: older, isUnexplainedClose: accepted)
        case MOSQ_ERR_KEEPALIVE:
            return ConnectionError("the broker is not responding: nothing arrived within the keep-alive")
        case MOSQ_ERR_PROTOCOL:
            return ConnectionError("the broker violated the protocol", hintsAtOlderProtocol: older)
        default:
            return ConnectionError("the connection broke: \(text(code, errno: errno))")
        }
    }

    /// libmosquitto's message for one of its errors, or the system's message.
    static func text(_ code: Int32, errno: Int32 = 0) -> String {
        if code == MOSQ_ERR_ERRNO.rawValue { return SystemError.text(errno) }
        // SAFETY: for all other errors it returns a string literal.
        return unsafe String(cString: mosquitto_strerror(code)).withoutRefusalPrefix
    }

    fileprivate static func hexadecimal(_ code: Int32) -> String {
        let digits = String(code, radix: 16, uppercase: true)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}

extension Rejection {
    /// Creates a rejection from a broker's reason code; nil if the code means success.
    ///
    /// - Parameter packet: the name of the packet with the code.
    init?(_ subject: Subject, _ packet: String, code: Int32) {
        guard code >= MQTT_RC_UNSPECIFIED.rawValue else { return nil }
        // SAFETY: a string literal.
        let words = unsafe String(cString: mosquitto_reason_string(code)).withoutRefusalPrefix
        self.init(subject, code: Int(code), reason: "\(words) (\(packet) \(ConnectionError.hexadecimal(code)))")
    }
}

extension String {
    /// The string without the prefix and full stop that libmosquitto adds to some messages.
    fileprivate var withoutRefusalPrefix: String {
        let frame = "Connection Refused: "
        let body = hasPrefix(frame) ? dropFirst(frame.count) : Substring(self)
        return String(body.hasSuffix(".") ? body.dropLast() : body)
    }
}
