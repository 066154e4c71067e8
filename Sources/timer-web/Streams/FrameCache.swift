internal import NIOCore
internal import TimerEngine
internal import WebCore

/// The encoded events, shared by all streams that receive the same data.
struct FrameCache {
    /// A full snapshot, without the part that varies with time.
    struct Full {
        /// The newest change in it.
        let change: Int
        let frame: ByteBuffer
        fileprivate let expiry: Instant
    }

    private struct Key: Hashable {
        let since: StreamBacklog.Position
        let audience: Audience
    }

    /// How long new streams receive the same full snapshot, followed by the changes since. Otherwise each stream that
    /// does not read would keep a full snapshot of its own while the nodes count.
    private static let lifetime: Duration = .seconds(2)
    /// The cache is limited because clients can create any number of audiences.
    private static let capacity = 500

    private var change = -1
    private var frames: [Key: ByteBuffer] = [:]
    private var full: [Audience: Full] = [:]

    /// The events after a position, for an audience.
    mutating func frame(
        of snapshot: Snapshot, since: StreamBacklog.Position, for audience: Audience
    ) -> ByteBuffer {
        if snapshot.change != change { (change, frames) = (snapshot.change, [:]) }
        let key = Key(since: since, audience: audience)
        if let known = frames[key] { return known }
        if frames.count >= Self.capacity { frames = [:] }
        let frame = ByteBuffer(bytes: snapshot.events(since: since, for: audience))
        frames[key] = frame
        return frame
    }

    /// A full snapshot for an audience, which may be a moment old.
    mutating func everything(
        of snapshot: Snapshot, for audience: Audience, _ site: SiteReport, at now: Instant
    ) -> Full {
        full = full.filter { $0.value.expiry > now && snapshot.canFollow($0.value.change) }
        if let known = full[audience] { return known }
        if full.count >= Self.capacity { full = [:] }
        let frame = ByteBuffer(bytes: snapshot.lasting(for: audience, site: site))
        let new = Full(change: snapshot.change, frame: frame, expiry: now + Self.lifetime)
        full[audience] = new
        return new
    }
}
