internal import BrokerLink
internal import CMosquitto
internal import Glibc
internal import TimerEngine

extension MosquittoClient {
    /// The result of sending a packet.
    enum Sending: Hashable {
        /// libmosquitto accepted it, under this identifier.
        case sent(Int32)
        /// The connection is broken; an `ended` event is recorded.
        case noConnection
        /// It exceeds the broker's maximum packet size (MQTT 5).
        case tooLarge
        /// libmosquitto rejected it, with this error message.
        case refused(String)
    }

    /// Subscribes to one filter with QoS 1.
    ///
    /// - Parameters:
    ///   - withIdentifier: whether the broker supports Subscription Identifiers; if not, none is sent.
    /// - Returns: the packet identifier that SUBACK will carry, or the failure.
    func subscribe(_ subscription: Subscription, withIdentifier: Bool) -> Sending {
        // libmosquitto ignores the options in MQTT 3.1.1.
        let retained = subscription.sendsRetained ? MQTT_SUB_OPT_SEND_RETAIN_ALWAYS : MQTT_SUB_OPT_SEND_RETAIN_NEVER
        var options = retained.rawValue
        if subscription.noLocal { options |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
        if subscription.retainAsPublished { options |= MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue }
        var properties = MosquittoProperties()
        if request.version == .v5, withIdentifier, let identifier = subscription.identifier {
            properties.addVariable(MQTT_PROP_SUBSCRIPTION_IDENTIFIER, UInt32(clamping: identifier))
        }
        guard properties.code == MOSQ_ERR_SUCCESS.rawValue else {
            return .refused(ConnectionError.text(properties.code))
        }
        var packet: Int32 = 0
        let code = unsafe properties.withPointer { list in
            // SAFETY: libmosquitto copies the filter and the properties.
            unsafe mosquitto_subscribe_v5(handle, &packet, subscription.filter, 1, Int32(options), list)
        }
        return sending(code, identifier: packet)
    }

    /// Sends a probe that makes the broker respond; returns false if the connection is gone.
    ///
    /// libmosquitto sends PINGREQ only at the end of its own keep-alive, in whole seconds, which leaves no time to wait
    /// for the response. Every broker responds to UNSUBSCRIBE, which changes nothing for a filter without a
    /// subscription.
    func requestSignOfLife() -> Bool {
        // SAFETY: libmosquitto copies the filter.
        let code = unsafe mosquitto_unsubscribe(handle, nil, "ping")
        if case .sent = sending(code, identifier: 0) { return true }
        return false
    }

    /// Publishes a message; libmosquitto sends it at once if the socket has room.
    ///
    /// Correlation data and an expiry are sent in MQTT 5 only.
    ///
    /// - Returns: the packet identifier that PUBACK will carry, or the failure.
    func publish(_ message: OutgoingMessage) -> Sending {
        var properties = MosquittoProperties()
        if request.version == .v5, let data = message.correlationData {
            properties.add(MQTT_PROP_CORRELATION_DATA, data)
        }
        if request.version == .v5, let expiry = message.expiry {
            properties.add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, UInt32(clamping: max(1, expiry.shownSeconds)))
        }
        guard properties.code == MOSQ_ERR_SUCCESS.rawValue else {
            return .refused(ConnectionError.text(properties.code))
        }
        var identifier: Int32 = 0
        let code = unsafe properties.withPointer { list in
            // SAFETY: libmosquitto copies the topic, the properties and the given number of payload bytes.
            unsafe message.topic.withCString { topic in
                unsafe message.payload.withUnsafeBytes {
                    unsafe mosquitto_publish_v5(
                        handle, &identifier, topic, Int32(clamping: $0.count), $0.baseAddress,
                        message.qos.rawValue, message.retain, list)
                }
            }
        }
        return sending(code, identifier: identifier)
    }

    /// Interprets libmosquitto's return code for a packet.
    ///
    /// Outside its loop, libmosquitto reports a broken connection only by its return code, without a callback, so the
    /// end is recorded here. Other errors concern the packet: too large for the broker, an invalid topic.
    private func sending(_ code: Int32, identifier: Int32) -> Sending {
        let number = errno
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS:
            return .sent(identifier)
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_TLS:
            recordEnd(.ended(code: code, errno: number))
            return .noConnection
        case MOSQ_ERR_OVERSIZE_PACKET:
            return .tooLarge
        default:
            return .refused(ConnectionError.text(code))
        }
    }
}

/// The sole owner of a list of MQTT 5 properties to send.
@safe struct MosquittoProperties: ~Copyable {
    private var list: OpaquePointer?
    /// The error code of the first property that libmosquitto rejected; success if it accepted all.
    private(set) var code = Int32(MOSQ_ERR_SUCCESS.rawValue)

    /// Creates an empty list, which libmosquitto treats as none.
    init() {}

    deinit {
        var list = unsafe list
        // SAFETY: only this owner has the list, because libmosquitto copies its arguments; nil is an empty list.
        unsafe mosquitto_property_free_all(&list)
    }

    /// Adds a four-byte integer.
    mutating func add(_ identifier: mqtt5_property, _ value: UInt32) {
        // SAFETY: we have exclusive access to the list during the call.
        keepFirstError(unsafe mosquitto_property_add_int32(&list, Int32(identifier.rawValue), value))
    }

    /// Adds a variable-length integer.
    mutating func addVariable(_ identifier: mqtt5_property, _ value: UInt32) {
        // SAFETY: as above.
        keepFirstError(unsafe mosquitto_property_add_varint(&list, Int32(identifier.rawValue), value))
    }

    /// Adds binary data; MQTT limits it to 65,535 bytes.
    mutating func add(_ identifier: mqtt5_property, _ bytes: [UInt8]) {
        guard let count = UInt16(exactly: bytes.count) else {
            return keepFirstError(Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue))
        }
        // SAFETY: libmosquitto copies `count` bytes before it returns.
        keepFirstError(
            unsafe bytes.withUnsafeBytes {
                unsafe mosquitto_property_add_binary(
                    &list, Int32(identifier.rawValue), $0.baseAddress, count)
            })
    }

    private mutating func keepFirstError(_ code: Int32) {
        if self.code == MOSQ_ERR_SUCCESS.rawValue { self.code = code }
    }

    /// Passes the list to one call; it must not escape.
    func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(list)
    }
}
