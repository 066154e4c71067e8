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
    /// What is left of the write that is on its way: a part of bytes that many streams share.
    var rest = ByteBuffer()
}
