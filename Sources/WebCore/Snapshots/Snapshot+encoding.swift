package import TimerEngine
internal import TimerProtocol

extension Snapshot {
    /// Everything that an audience may know, as the API and the first event of a stream have it.
    ///
    /// - Parameter now: the server's present instant, by which pages count until they have measured its clock.
    package func everything(for audience: Audience, site: SiteReport, now: Instant) -> [UInt8] {
        Self.beginning(at: now) + lasting(for: audience, site: site)
    }

    /// The beginning of ``everything(for:site:now:)``, which is different each time.
    package static func beginning(at now: Instant) -> [UInt8] {
        Array("{\"now\":\(now.milliseconds),".utf8)
    }

    /// The rest of ``everything(for:site:now:)``, which is the same for all of an audience.
    package func lasting(for audience: Audience, site: SiteReport) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        writer.object { writer in
            writer.member("boot", site.boot)
            writer.key("broker")
            writer.encoded(broker.full)
            writer.member("site") { $0.fields(of: site) }
            writer.member("role", audience.role)
            writer.member("nodes") { writer in
                for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
                    writer.key(escaping: id)
                    writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
                }
            }
        }
        return Array(writer.bytes.dropFirst())
    }

    /// One node as the API has it; nil where there is none for the audience.
    package func node(_ id: String, for audience: Audience) -> [UInt8]? {
        guard audience.hears(of: id), let node = nodes[id] else { return nil }
        var writer = JSONWriter(capacity: 4096)
        writer.object { node.write(id, for: audience.role, since: 0, to: &$0) }
        return writer.bytes
    }

    /// Whether a stream that has sent everything up to a change can go on from there.
    package func canFollow(_ position: Int) -> Bool { position >= resync }

    /// The events of a stream for an audience that has heard everything up to a change; empty where nothing concerns it.
    package func events(since position: Int, for audience: Audience) -> [UInt8] {
        var frame = EventFrame()
        if broker.change > position { frame.add("broker", broker.full) }
        for (id, change) in gone where change > position && audience.hears(of: id) {
            frame.add("gone") { $0.member("id", id) }
        }
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) where audience.hears(of: id) {
            guard node.hasNews(since: position, for: audience.role) else { continue }
            frame.add("node") { node.write(id, for: audience.role, since: position, to: &$0) }
        }
        for occurrence in occurrences where occurrence.part.change > position && audience.hears(of: occurrence.node) {
            guard let bytes = occurrence.part.bytes(for: audience.role) else { continue }
            frame.add("event") { writer in
                writer.member("id", occurrence.node)
                writer.key("event")
                writer.encoded(bytes)
            }
        }
        return frame.bytes
    }
}

extension Snapshot.Node {
    /// Whether a part that the role gets has changed.
    fileprivate func hasNews(since position: Int, for role: Role) -> Bool {
        parts.values.contains { $0.change > position && $0.bytes(for: role) != nil }
    }

    /// Writes the id, and the parts that have changed.
    fileprivate func write(_ id: String, for role: Role, since position: Int, to writer: inout JSONWriter) {
        writer.member("id", id)
        for kind in NodePart.allCases {
            guard let part = parts[kind], part.change > position, let bytes = part.bytes(for: role) else { continue }
            writer.key(kind.rawValue)
            writer.encoded(bytes)
        }
    }
}
