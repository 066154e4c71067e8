internal import CMosquitto
internal import Glibc

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
