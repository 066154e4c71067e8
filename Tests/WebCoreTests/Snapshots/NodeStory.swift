import FoundationEssentials
import TimerClient
import TimerEngine
import TimerProtocol

@testable import WebCore

/// The messages that nodes publish, and the resulting snapshots, in virtual time.
struct NodeStory {
    private(set) var client = NodeClient(boot: "a boot", askingTimeAs: "web")
    private(set) var keeper = SnapshotKeeper()
    var now = Instant(sinceEpoch: .seconds(1000))

    init() { connect() }

    var snapshot: Snapshot { keeper.snapshot }

    /// Whether the last message changed anything for pages.
    private(set) var wasNews = false

    mutating func connect() { handle(.connected) }
    mutating func disconnect() { handle(.disconnected) }

    mutating func say(_ kind: TopicKind, _ payload: String, node: String = "lectern", retained: Bool = false) {
        say(kind, Array(payload.utf8), node: node, retained: retained)
    }

    mutating func say(_ kind: TopicKind, _ payload: [UInt8], node: String = "lectern", retained: Bool = false) {
        handle(.message(topic: kind.name(prefix: "timer", node: node), payload: payload, retained: retained))
    }

    private mutating func handle(_ event: NodeClient.Event) {
        let news = client.handle(event, at: .init(instant: now, date: Date(timeIntervalSince1970: 1_800_000_000)))
        wasNews = keeper.apply(
            news, of: client, BrokerReport(isConnected: client.isConnected, address: "mqtt://broker:1883"))
    }

    /// The events for a role after a change, each as its name and its data.
    func events(since change: Int, for role: Role, node: String? = nil) throws -> [(name: String, data: JSON)] {
        try Self.events(snapshot.events(since: .init(change), for: Audience(role: role, node: node)))
    }

    static func events(_ bytes: [UInt8]) throws -> [(name: String, data: JSON)] {
        try String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map { event in
            let lines = event.split(separator: "\n")
            let data = lines[1].dropFirst("data: ".count)
            return (String(lines[0].dropFirst("event: ".count)), try JSON(parsing: Array(data.utf8)))
        }
    }
}

extension JSON {
    /// The keys of an object.
    var keys: [String] {
        if case .object(let members) = self { members.map(\.key) } else { [] }
    }
}
