internal import BrokerLink
internal import CMosquitto
internal import Glibc

/// The records of libmosquitto's callbacks, which only record. The session reads the records afterwards.
struct Inbox {
    /// The events that the session reports: messages, and a connection that CONNACK accepted.
    var events: [ConnectionEvent] = []
    /// The number of messages that arrived, including discarded ones, and the bytes of their payloads.
    var messages = 0
    var bytes = 0
    /// The properties of CONNACK, if it accepted the connection.
    var acceptance: Acceptance?
    /// Whether libmosquitto acknowledged a message, as it does with a QoS above 0.
    var hasAcknowledged = false
    /// The broker's responses, in order.
    var answers: [Answer] = []
    /// Why the connection is over; no record follows this one.
    var end: End?

    /// The broker's response to the packet with this identifier. Codes from 0x80 mean that the broker refused the
    /// packet.
    enum Answer {
        /// PUBACK for a message, or a message with QoS 0 that was sent.
        case published(identifier: Int32, code: Int32)
        /// SUBACK for a subscription.
        case subscribed(identifier: Int32, code: Int32)
    }

    enum End {
        /// CONNACK refused the connection; the codes depend on the protocol version.
        case refused(code: Int32)
        /// The connection ended. The code comes from the broker's DISCONNECT (from 0x80), is 0 if the broker
        /// disconnected without one, or is a libmosquitto error, with the system's error number.
        case ended(code: Int32, errno: Int32)
    }
}

/// The connection's properties from CONNACK.
struct Acceptance {
    /// The keep-alive that the broker imposes, in seconds; nil to use the client's.
    var keepAlive: Int?
    /// The maximum packet size that the broker accepts, in bytes; nil if the broker sent none.
    var maximumPacketSize: Int?
    /// Whether the broker supports Subscription Identifiers.
    var supportsSubscriptionIdentifiers = true
}

extension MosquittoClient {
    /// Sets the callbacks for both protocol versions.
    ///
    /// They record events and do nothing else.
    func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, owner, code, _, properties in
            let acceptance = unsafe Acceptance(
                keepAlive: MosquittoClient.twoByteInteger(MQTT_PROP_SERVER_KEEP_ALIVE, in: properties),
                maximumPacketSize: MosquittoClient.fourByteInteger(MQTT_PROP_MAXIMUM_PACKET_SIZE, in: properties),
                supportsSubscriptionIdentifiers: MosquittoClient.supportsSubscriptionIdentifiers(properties))
            unsafe MosquittoClient.owner(owner)?.recordConnack(acceptance, code: code)
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, owner, code, _ in
            unsafe MosquittoClient.owner(owner)?.recordEnd(.ended(code: code, errno: errno))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, owner, identifier, code, _ in
            unsafe MosquittoClient.owner(owner)?.record(.published(identifier: identifier, code: code))
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, owner, identifier, count, granted, _ in
            // SAFETY: there are `count` codes, one per filter of the packet, which has one.
            guard count > 0, let granted = unsafe granted else { return }
            unsafe MosquittoClient.owner(owner)?.record(.subscribed(identifier: identifier, code: granted.pointee))
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, owner, message, properties in
            // SAFETY: libmosquitto owns the message and its properties until the callback returns.
            guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
            let bytes = unsafe Int(message.payloadlen)
            let isAcknowledged = unsafe message.qos > 0
            guard bytes <= MosquittoClient.maximumPacketSize else {
                let event = unsafe ConnectionEvent.leftOut(
                    topic: String(cString: topic), bytes: bytes, limit: Int(MosquittoClient.maximumPacketSize))
                // The payload is discarded, but reading it took time, so it counts.
                unsafe MosquittoClient.owner(owner)?.record(event, bytes: bytes, isAcknowledged)
                return
            }
            let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: bytes)
            let incoming = unsafe IncomingMessage(
                topic: String(cString: topic), payload: Array(payload), retained: message.retain,
                responseTopic: MosquittoClient.string(MQTT_PROP_RESPONSE_TOPIC, in: properties),
                correlationData: MosquittoClient.bytes(MQTT_PROP_CORRELATION_DATA, in: properties),
                subscriptions: MosquittoClient.subscriptionIdentifiers(in: properties))
            unsafe MosquittoClient.owner(owner)?.record(.message(incoming), bytes: bytes, isAcknowledged)
        }
    }

    private static func owner(_ owner: UnsafeMutableRawPointer?) -> MosquittoClient? {
        guard let owner = unsafe owner else { return nil }
        // SAFETY: this callback runs inside a call of the owner, so the owner is alive and on this thread.
        return unsafe Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue()
    }

    private static func twoByteInteger(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> Int? {
        var value: UInt16 = 0
        // SAFETY: libmosquitto treats nil as an empty list and returns nil if the property is missing.
        let found = unsafe mosquitto_property_read_int16(properties, Int32(identifier.rawValue), &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    /// Whether CONNACK allows Subscription Identifiers; the default is yes.
    private static func supportsSubscriptionIdentifiers(_ properties: OpaquePointer?) -> Bool {
        var value: UInt8 = 1
        // SAFETY: as above.
        _ = unsafe mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE.rawValue), &value, false)
        return value != 0
    }

    /// The identifiers of all subscriptions that the message matches; the property may occur several times.
    private static func subscriptionIdentifiers(in properties: OpaquePointer?) -> [Int] {
        let identifier = Int32(MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue)
        var found: [Int] = []
        var value: UInt32 = 0
        // SAFETY: as above; the result is an element of the list, where the search continues.
        var place = unsafe mosquitto_property_read_varint(properties, identifier, &value, false)
        while unsafe place != nil {
            found.append(Int(value))
            unsafe place = mosquitto_property_read_varint(place, identifier, &value, true)
        }
        return found
    }

    private static func fourByteInteger(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> Int? {
        var value: UInt32 = 0
        // SAFETY: as above.
        let found = unsafe mosquitto_property_read_int32(properties, Int32(identifier.rawValue), &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    private static func string(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        // SAFETY: as above; the string is a malloc copy that we must free.
        _ = unsafe mosquitto_property_read_string(properties, Int32(identifier.rawValue), &value, false)
        defer { unsafe free(value) }
        return unsafe value.map { unsafe String(cString: $0) }
    }

    private static func bytes(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        // SAFETY: as above; the copy has `count` bytes, and is nil if that is 0.
        let found = unsafe mosquitto_property_read_binary(properties, Int32(identifier.rawValue), &value, &count, false)
        defer { unsafe free(value) }
        guard unsafe found != nil else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(count)))
    }
}
