internal import BrokerLink
internal import CMosquitto
internal import Glibc

extension MosquittoClient {
    /// Configures TLS: the broker's certificate must be valid and match its host name.
    func configureTLS(_ files: TLSFiles) throws(ConnectionError) {
        setLogCallback()
        if files.ca == nil {
            try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the system's certificates")
        }
        guard files.ca != nil || files.certificate != nil else { return }
        // libmosquitto requires a CA file or folder; the system's folder is searched anyway.
        let folder = files.ca == nil ? "/etc/ssl/certs" : nil
        // SAFETY: libmosquitto copies the paths. The callback supplies an empty key passphrase: without the callback,
        // OpenSSL would prompt on the terminal.
        let code = unsafe mosquitto_tls_set(
            handle, files.ca, folder, files.certificate, files.key, { _, _, _, _ in 0 })
        let names = [files.ca, files.certificate, files.key].compactMap(\.self).joined(separator: ", ")
        try check(code, "the TLS files \(names)")
    }

    /// The TLS error behind a failure before CONNACK; nil if TLS was not the reason.
    func tlsFailure(_ code: Int32, errno: Int32) -> ConnectionError? {
        guard request.tls != nil else { return nil }
        // A broker rejects the client's certificate after the client's side of the handshake: if writing fails, the
        // broker's reason may still be readable.
        let isBroken = code == MOSQ_ERR_ERRNO.rawValue && errno == EPROTO
        if isBroken, tlsError == nil, socket != nil { _ = unsafe mosquitto_loop_read(handle, 1) }
        return (tlsError ?? (isBroken ? Self.unexplainedFailure : nil)).map { .tlsFailed(request, $0) }
    }

    /// Whether TLS has decrypted data that has not been read; `poll` does not see it on the socket.
    var hasDecryptedMore: Bool {
        guard request.tls != nil, socket != nil else { return false }
        // SAFETY: libmosquitto owns the TLS connection, which exists as long as its socket.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return false }
        return unsafe SSL_pending(OpaquePointer(connection)) > 0
    }

    /// The message for a handshake that the broker ended without a reason.
    private static let unexplainedFailure =
        "the broker ended the handshake; it may not use TLS on this port, or may need a client certificate or a different one"

    /// Sets the log callback: libmosquitto reports the cause of TLS errors only in its log.
    private func setLogCallback() {
        unsafe mosquitto_log_callback_set(handle) { _, owner, level, text in
            guard level == MOSQ_LOG_ERR, let owner = unsafe owner, let text = unsafe text else { return }
            // SAFETY: this callback runs inside a call of the owner, so the owner is alive; the string is valid until
            // it returns.
            let client = unsafe Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue()
            client.parseLogLine(unsafe String(cString: text))
        }
    }

    /// Translates one error line of the log.
    private func parseLogLine(_ line: String) {
        guard line.hasPrefix("OpenSSL Error") else {
            let isName = line.hasPrefix("Error: host name verification failed")
            return recordTLSError(
                isName
                    ? "the broker's certificate is for a host other than \(request.broker.host)"
                    : line.withoutErrorPrefix)
        }
        // OpenSSL puts its message last: "error:0A00010B:SSL routines::wrong version number".
        let words = line.split(separator: ":").last.map(String.init) ?? line
        guard words != ConnectionError.unexpectedEOF || isHandshakeOver else {
            return recordTLSError(Self.unexplainedFailure)
        }
        recordTLSError(verificationError.map { "the broker's certificate was refused: \($0)" } ?? words)
    }

    /// Whether the handshake is complete, so that CONNECT was sent and a close may be the response to it.
    private var isHandshakeOver: Bool {
        // SAFETY: libmosquitto logs before it frees its TLS connection, so the pointer is valid.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return false }
        return unsafe SSL_is_init_finished(OpaquePointer(connection)) == 1
    }

    /// OpenSSL's reason for rejecting the broker's certificate; nil if it was accepted.
    private var verificationError: String? {
        // SAFETY: libmosquitto logs before it frees its TLS connection, so the pointer is valid; the message is a
        // string literal.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return nil }
        let result = unsafe SSL_get_verify_result(OpaquePointer(connection))
        guard result != X509_V_OK else { return nil }
        return unsafe String(cString: X509_verify_cert_error_string(result))
    }
}

extension String {
    /// The string without a leading "Error: " and a final full stop.
    fileprivate var withoutErrorPrefix: String {
        let body = hasPrefix("Error: ") ? dropFirst("Error: ".count) : Substring(self)
        return String(body.hasSuffix(".") ? body.dropLast() : body)
    }
}
