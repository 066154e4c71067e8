internal import CMosquitto
internal import Glibc

/// The one owner of a list of MQTT 5 properties to send.
@safe struct MosquittoProperties: ~Copyable {
    private var list: OpaquePointer?

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
        _ = unsafe mosquitto_property_add_int32(&list, Int32(identifier.rawValue), value)
    }

    /// Adds a number of variable length.
    mutating func addVariable(_ identifier: mqtt5_property, _ value: UInt32) {
        // SAFETY: as above.
        _ = unsafe mosquitto_property_add_varint(&list, Int32(identifier.rawValue), value)
    }

    /// Adds bytes; more than 65,535 of them do not fit in MQTT and are left out.
    mutating func add(_ identifier: mqtt5_property, _ bytes: [UInt8]) {
        guard let count = UInt16(exactly: bytes.count) else { return }
        // SAFETY: libmosquitto copies `count` bytes before it returns.
        _ = unsafe bytes.withUnsafeBytes {
            unsafe mosquitto_property_add_binary(
                &list, Int32(identifier.rawValue), $0.baseAddress, count)
        }
    }

    /// Lends the list for one call; do not let it escape.
    func withPointer<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        unsafe body(list)
    }
}
