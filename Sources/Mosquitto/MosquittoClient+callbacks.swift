internal import CMosquitto
internal import Glibc
internal import IoTNode

/// What one of libmosquitto's callbacks told; they only note it, and the session reads the notes when they are done.
enum MosquittoArrival {
    /// CONNACK accepted the connection, and what it said about it.
    case accepted(Acceptance)
    /// CONNACK refused the connection, with a code of the protocol's version.
    case refused(code: Int32)
    /// PUBLISH came; with a QoS above 0 libmosquitto has sent the acknowledgement.
    case message(IncomingMessage, acknowledged: Bool)
    /// PUBACK came for the publication of that identifier, or a publication with QoS 0 left; from 0x80 up it was refused.
    case published(identifier: Int32, code: Int32)
    /// SUBACK came for the subscription of that identifier; from 0x80 up it was refused.
    case subscribed(identifier: Int32, code: Int32)
    /// The connection is gone: a code of DISCONNECT from 0x80 up, 0 where the broker took its leave without one, else one
    /// of libmosquitto's errors, with the system's error number beside it.
    case ended(code: Int32, errno: Int32)
}

/// What CONNACK said of the connection that it accepted.
struct Acceptance {
    /// A keep-alive of the broker's own, in seconds; nil where it leaves the client's.
    var keepAlive: Int?
    /// The largest packet that the broker takes, in bytes; nil where it does not say.
    var maximumPacketSize: Int?
    /// Whether the broker takes Subscription Identifiers.
    var takesIdentifiers = true
}

extension MosquittoClient {
    /// Sets the callbacks, which serve both versions of the protocol.
    ///
    /// They note what happened and do nothing else.
    func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, owner, code, _, properties in
            let acceptance = unsafe Acceptance(
                keepAlive: MosquittoClient.number(MQTT_PROP_SERVER_KEEP_ALIVE, in: properties),
                maximumPacketSize: MosquittoClient.largeNumber(MQTT_PROP_MAXIMUM_PACKET_SIZE, in: properties),
                takesIdentifiers: MosquittoClient.takesIdentifiers(properties))
            unsafe MosquittoClient.note(code == 0 ? .accepted(acceptance) : .refused(code: code), for: owner)
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, owner, code, _ in
            unsafe MosquittoClient.note(.ended(code: code, errno: errno), for: owner)
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, owner, identifier, code, _ in
            unsafe MosquittoClient.note(.published(identifier: identifier, code: code), for: owner)
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, owner, identifier, count, granted, _ in
            // SAFETY: `count` codes, one for each filter of the packet, which has one.
            guard count > 0, let granted = unsafe granted else { return }
            unsafe MosquittoClient.note(.subscribed(identifier: identifier, code: granted.pointee), for: owner)
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, owner, message, properties in
            // SAFETY: the message and its properties are libmosquitto's and live until the callback returns.
            guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
            let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            let incoming = unsafe IncomingMessage(
                topic: String(cString: topic), payload: Array(payload), retained: message.retain,
                responseTopic: MosquittoClient.string(MQTT_PROP_RESPONSE_TOPIC, in: properties),
                correlationData: MosquittoClient.bytes(MQTT_PROP_CORRELATION_DATA, in: properties),
                subscriptions: MosquittoClient.subscriptionIdentifiers(in: properties))
            unsafe MosquittoClient.note(.message(incoming, acknowledged: message.qos > 0), for: owner)
        }
    }

    private static func note(_ arrival: MosquittoArrival, for owner: UnsafeMutableRawPointer?) {
        guard let owner = unsafe owner else { return }
        // SAFETY: the owner is the client whose call this callback runs in, so it is alive and on this thread.
        unsafe Unmanaged<MosquittoClient>.fromOpaque(owner).takeUnretainedValue().note(arrival)
    }

    private static func number(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> Int? {
        var value: UInt16 = 0
        // SAFETY: libmosquitto takes nil for an empty list, and returns nil where it has no such property.
        let found = unsafe mosquitto_property_read_int16(properties, Int32(identifier.rawValue), &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    /// Whether CONNACK allows Subscription Identifiers, as it does where it says nothing.
    private static func takesIdentifiers(_ properties: OpaquePointer?) -> Bool {
        var value: UInt8 = 1
        // SAFETY: as above.
        _ = unsafe mosquitto_property_read_byte(
            properties, Int32(MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE.rawValue), &value, false)
        return value != 0
    }

    /// The identifiers of all subscriptions that a message is for; the property may stand several times.
    private static func subscriptionIdentifiers(in properties: OpaquePointer?) -> [Int] {
        let identifier = Int32(MQTT_PROP_SUBSCRIPTION_IDENTIFIER.rawValue)
        var found: [Int] = []
        var value: UInt32 = 0
        // SAFETY: as above; what is returned is an element of the list, from which the search goes on.
        var place = unsafe mosquitto_property_read_varint(properties, identifier, &value, false)
        while unsafe place != nil {
            found.append(Int(value))
            unsafe place = mosquitto_property_read_varint(place, identifier, &value, true)
        }
        return found
    }

    private static func largeNumber(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> Int? {
        var value: UInt32 = 0
        // SAFETY: as above.
        let found = unsafe mosquitto_property_read_int32(properties, Int32(identifier.rawValue), &value, false)
        return unsafe found == nil ? nil : Int(value)
    }

    private static func string(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        // SAFETY: as above; the string is a copy made with malloc, and ours to free.
        _ = unsafe mosquitto_property_read_string(properties, Int32(identifier.rawValue), &value, false)
        defer { unsafe free(value) }
        return unsafe value.map { unsafe String(cString: $0) }
    }

    private static func bytes(_ identifier: mqtt5_property, in properties: OpaquePointer?) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        // SAFETY: as above; `count` bytes, which may be none, with no copy then.
        let found = unsafe mosquitto_property_read_binary(properties, Int32(identifier.rawValue), &value, &count, false)
        defer { unsafe free(value) }
        guard unsafe found != nil else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(count)))
    }
}
