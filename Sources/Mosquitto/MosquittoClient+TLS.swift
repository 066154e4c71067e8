internal import CMosquitto
internal import Glibc
internal import IoTNode

extension MosquittoClient {
    /// Sets up TLS: the broker's certificate has to be valid, and for its host.
    func configureTLS(_ files: TLSFiles) throws(ConnectionError) {
        noteTLSFaults()
        if files.ca == nil {
            try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "the system's certificates")
        }
        guard files.ca != nil || files.certificate != nil else { return }
        // Without a file libmosquitto wants a folder; the system's is looked through anyway.
        let folder = files.ca == nil ? "/etc/ssl/certs" : nil
        // SAFETY: libmosquitto copies the paths. The callback is asked for a key's passphrase, and has none: without it
        // OpenSSL would ask the terminal.
        let code = unsafe mosquitto_tls_set(
            handle, files.ca, folder, files.certificate, files.key, { _, _, _, _ in 0 })
        let names = [files.ca, files.certificate, files.key].compactMap(\.self).joined(separator: ", ")
        try check(code, "the files of TLS, \(names)")
    }

    /// The failure that TLS is the reason of, before CONNACK; nil where it is not.
    func brokenTLS(_ code: Int32, errno: Int32) -> ConnectionError? {
        guard request.tls != nil else { return nil }
        // A broker that refuses the client's certificate says so after the client's part of the handshake: where writing
        // fails, its reason may still be there to be read.
        let isBroken = code == MOSQ_ERR_ERRNO.rawValue && errno == EPROTO
        if isBroken, tlsFault == nil, socket != nil { _ = unsafe mosquitto_loop_read(handle, 1) }
        return (tlsFault ?? (isBroken ? Self.unsaid : nil)).map { .noTLS(request, $0) }
    }

    /// Whether TLS has decrypted more than was read, which no poll of the socket sees.
    var hasDecryptedMore: Bool {
        guard request.tls != nil, socket != nil else { return false }
        // SAFETY: the connection is libmosquitto's, and there for as long as its socket.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return false }
        return unsafe SSL_pending(OpaquePointer(connection)) > 0
    }

    /// What is to be said where the broker ends the handshake without a reason.
    private static let unsaid =
        "the broker broke it off; it may have no TLS there, or want a certificate of the node's, or another one"

    /// Listens to what libmosquitto logs, the only place where it says what was wrong.
    private func noteTLSFaults() {
        unsafe mosquitto_log_callback_set(handle) { _, owner, level, text in
            guard level == MOSQ_LOG_ERR, let owner = unsafe owner, let text = unsafe text else { return }
            // SAFETY: the owner is the client whose call this callback runs in; the text lives until it returns.
            let client = unsafe Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue()
            client.noteTLSFault(unsafe String(cString: text))
        }
    }

    /// What one error line means, in words.
    private func noteTLSFault(_ line: String) {
        guard line.hasPrefix("OpenSSL Error") else {
            let isName = line.hasPrefix("Error: host name verification failed")
            return note(
                tlsFault: isName
                    ? "the broker's certificate is for another host than \(request.broker.host)" : line.withoutFrame)
        }
        // OpenSSL puts its words last: "error:0A00010B:SSL routines::wrong version number".
        let words = line.split(separator: ":").last.map(String.init) ?? line
        guard words != ConnectionError.closedTLS || isHandshakeOver else { return note(tlsFault: Self.unsaid) }
        note(tlsFault: verificationFault.map { "the broker's certificate is refused: \($0)" } ?? words)
    }

    /// Whether CONNECT could be sent, so that a close may be the answer to it.
    private var isHandshakeOver: Bool {
        // SAFETY: libmosquitto logs before it lets go of its connection, so what it lends is there.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return false }
        return unsafe SSL_is_init_finished(OpaquePointer(connection)) == 1
    }

    /// What is wrong with the broker's certificate, as OpenSSL found it.
    private var verificationFault: String? {
        // SAFETY: libmosquitto logs before it lets go of its connection, so what it lends is there; the words are a
        // string literal.
        guard let connection = unsafe mosquitto_ssl_get(handle) else { return nil }
        let result = unsafe SSL_get_verify_result(OpaquePointer(connection))
        guard result != X509_V_OK else { return nil }
        return unsafe String(cString: X509_verify_cert_error_string(result))
    }
}

extension String {
    /// Without "Error: " before it and the full stop after it.
    fileprivate var withoutFrame: String {
        let body = hasPrefix("Error: ") ? dropFirst("Error: ".count) : Substring(self)
        return String(body.hasSuffix(".") ? body.dropLast() : body)
    }
}
