internal import BrokerLink
internal import CMosquitto
internal import Glibc
internal import LinuxSystem

extension MosquittoClient {
    /// Sets all options that CONNECT carries.
    func configure() throws(ConnectionError) {
        let version = request.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), "the protocol version")
        // The node sends small packets in quick succession; Nagle's algorithm would hold back all but the first.
        try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "TCP_NODELAY")

        if let credentials = request.credentials {
            let password = try credentials.password?.text
            // SAFETY: libmosquitto copies both strings.
            try check(unsafe mosquitto_username_pw_set(handle, credentials.username, password), "the user name")
        }

        if let files = request.tls { try configureTLS(files) }

        guard let will = request.will else { return }
        // SAFETY: libmosquitto copies the topic and the given number of bytes.
        let code = unsafe will.payload.withUnsafeBytes {
            unsafe mosquitto_will_set_v5(
                handle, will.topic, Int32(clamping: $0.count), $0.baseAddress, will.qos.rawValue, will.retain, nil)
        }
        try check(code, "the will on \(will.topic)")
    }

    /// Resolves the host name, connects and sends CONNECT.
    func connect() throws(ConnectionError) {
        let broker = request.broker
        var properties = MosquittoProperties()
        if request.version == .v5 {
            properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, Self.maximumPacketSize)
        }
        try check(properties.code, "the CONNECT properties")
        let (code, number) = unsafe properties.withPointer { list in
            // SAFETY: libmosquitto copies the strings and the properties.
            let code = unsafe mosquitto_connect_bind_v5(
                handle, broker.host, Int32(clamping: broker.port), Int32(clamping: request.keepAlive), nil, list)
            return (code, errno)
        }
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw tlsFailure(code, errno: number) ?? .cannotConnect(request, code: code, errno: number)
        }
    }

    /// Throws if libmosquitto rejected a setting.
    func check(_ code: Int32, _ what: String) throws(ConnectionError) {
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw ConnectionError("libmosquitto rejects \(what): \(ConnectionError.text(code))")
        }
    }
}

extension Credentials.Password {
    /// The password; a password file is read again each time.
    fileprivate var text: String {
        get throws(ConnectionError) {
            switch self {
            case .text(let text): return text
            case .file(let path):
                do throws(PasswordError) { return try PasswordFile.read(path, by: File.read) } catch {
                    throw ConnectionError("no usable password: \(error)")
                }
            }
        }
    }
}
