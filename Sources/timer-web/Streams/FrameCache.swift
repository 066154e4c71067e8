internal import NIOCore
internal import WebCore

/// What events are encoded as, once for all streams that get the same.
struct FrameCache {
    private struct Key: Hashable {
        /// Nil for everything.
        let since: Int?
        let audience: Audience
    }

    /// There are as many audiences as somebody cares to ask for.
    private static let capacity = 500

    private var change = -1
    private var frames: [Key: ByteBuffer] = [:]

    /// The events after a change, for an audience.
    mutating func frame(of snapshot: Snapshot, since: Int, for audience: Audience) -> ByteBuffer {
        frame(of: snapshot, Key(since: since, audience: audience)) { snapshot.events(since: since, for: audience) }
    }

    /// The lasting part of everything, for an audience.
    mutating func everything(of snapshot: Snapshot, for audience: Audience, _ site: SiteReport) -> ByteBuffer {
        frame(of: snapshot, Key(since: nil, audience: audience)) { snapshot.lasting(for: audience, site: site) }
    }

    private mutating func frame(of snapshot: Snapshot, _ key: Key, _ bytes: () -> [UInt8]) -> ByteBuffer {
        if snapshot.change != change { (change, frames) = (snapshot.change, [:]) }
        if let known = frames[key] { return known }
        if frames.count >= Self.capacity { frames = [:] }
        let frame = ByteBuffer(bytes: bytes())
        frames[key] = frame
        return frame
    }
}
