internal import NIOCore
internal import NIOHTTPTypes
internal import TimerEngine
internal import WebCore

/// An open stream of events. Only its event loop touches it, and it knows what is to be sent, and has no queue.
struct EventStream {
    /// Why a stream ends.
    enum End: Sendable {
        /// The client went away, or took nothing for too long.
        case gone
        /// The server ends it.
        case closed
    }

    let channel: any Channel
    let identity: Identity
    let audience: Audience
    let ended: OneShot<End>
    var backlog = StreamBacklog()
    /// What is left of the write that is on its way, one after another. Streams share the memory of what many get, so that
    /// those that do not read cost little.
    var rest: [ByteBuffer] = []

    /// Takes the next piece of ``rest``; nil where nothing is left.
    ///
    /// - Parameter length: how many bytes it has at most.
    mutating func takePiece(upTo length: Int) -> ByteBuffer? {
        guard let available = rest.first?.readableBytes else { return nil }
        defer { if available <= length { rest.removeFirst() } }
        return rest[0].readSlice(length: min(available, length))
    }
}
