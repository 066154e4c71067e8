internal import CMosquitto
internal import Glibc
internal import IoTNode

extension MosquittoClient {
    /// What became of a packet that was to be sent.
    enum Sending: Hashable {
        /// It is libmosquitto's from now on, under this identifier.
        case sent(Int32)
        /// The connection is broken, which is noted.
        case noConnection
        /// It is larger than the broker takes (MQTT 5).
        case tooLarge
        /// libmosquitto does not take it, in its own words.
        case refused(String)
    }

    /// Subscribes to one filter with QoS 1; in MQTT 5 nothing that is retained is sent now.
    ///
    /// - Parameters:
    ///   - subscription: the filter and its options.
    ///   - withIdentifier: whether the broker takes Subscription Identifiers, which are left out otherwise.
    /// - Returns: the identifier that the answer will carry, or why there will be none.
    func subscribe(_ subscription: Subscription, withIdentifier: Bool) -> Sending {
        // In 3.1.1 libmosquitto leaves the options out.
        var options = MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
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

    /// Publishes, at once where the socket has room.
    ///
    /// Correlation data goes out in MQTT 5 only.
    ///
    /// - Returns: the identifier that an acknowledgement will carry, or why there will be none.
    func publish(_ message: OutgoingMessage) -> Sending {
        var properties = MosquittoProperties()
        if request.version == .v5, let data = message.correlationData {
            properties.add(MQTT_PROP_CORRELATION_DATA, data)
        }
        guard properties.code == MOSQ_ERR_SUCCESS.rawValue else {
            return .refused(ConnectionError.text(properties.code))
        }
        var identifier: Int32 = 0
        let code = unsafe properties.withPointer { list in
            // SAFETY: libmosquitto copies the topic, the properties and as many bytes of payload as it is told.
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

    /// What libmosquitto made of a packet.
    ///
    /// It returns a broken connection as an error outside of its loop, calling nobody, so that this is noted here. Other
    /// errors mean the packet: too large for the broker, not a topic.
    private func sending(_ code: Int32, identifier: Int32) -> Sending {
        let number = errno
        switch mosq_err_t(code) {
        case MOSQ_ERR_SUCCESS:
            return .sent(identifier)
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_TLS:
            note(.ended(code: code, errno: number))
            return .noConnection
        case MOSQ_ERR_OVERSIZE_PACKET:
            return .tooLarge
        default:
            return .refused(ConnectionError.text(code))
        }
    }
}

/// The one owner of a list of MQTT 5 properties to send.
@safe struct MosquittoProperties: ~Copyable {
    private var list: OpaquePointer?
    /// What libmosquitto said to the first property that it did not take; success where it took all.
    private(set) var code = Int32(MOSQ_ERR_SUCCESS.rawValue)

    /// Makes an empty list, which libmosquitto takes for none.
    init() {}

    deinit {
        var list = unsafe list
        // SAFETY: the list is this owner's alone, as libmosquitto copies what it is given; it takes nil for none.
        unsafe mosquitto_property_free_all(&list)
    }

    /// Adds a number of four bytes.
    mutating func add(_ identifier: mqtt5_property, _ value: UInt32) {
        // SAFETY: the list is exclusively ours during the call.
        note(unsafe mosquitto_property_add_int32(&list, Int32(identifier.rawValue), value))
    }

    /// Adds a number of variable length.
    mutating func addVariable(_ identifier: mqtt5_property, _ value: UInt32) {
        // SAFETY: as above.
        note(unsafe mosquitto_property_add_varint(&list, Int32(identifier.rawValue), value))
    }

    /// Adds bytes; more than 65,535 of them do not fit in MQTT.
    mutating func add(_ identifier: mqtt5_property, _ bytes: [UInt8]) {
        guard let count = UInt16(exactly: bytes.count) else { return note(Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue)) }
        // SAFETY: libmosquitto copies `count` bytes before it returns.
        note(
            unsafe bytes.withUnsafeBytes {
                unsafe mosquitto_property_add_binary(
                    &list, Int32(identifier.rawValue), $0.baseAddress, count)
            })
    }

    private mutating func note(_ code: Int32) {
        if self.code == MOSQ_ERR_SUCCESS.rawValue { self.code = code }
    }

    /// Lends the list for one call; do not let it escape.
    func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(list)
    }
}
