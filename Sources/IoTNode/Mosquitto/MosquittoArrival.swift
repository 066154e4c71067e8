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
