internal import TimerProtocol

extension NodeConfiguration {
    /// `node`: the identity of the node.
    package struct Identity: Hashable, Sendable {
        package var id: String
        package var name: String
        package var groups: [String]
        package var webURL: String?

        /// An identity; without a name, people see the id.
        package init(id: String, name: String? = nil, groups: [String] = []) {
            (self.id, self.name, self.groups) = (id, name ?? id, groups)
        }
    }
}

extension NodeConfiguration.Identity {
    private static let keys = Keys(
        prototype: Self(id: ""),
        .optional(
            "id", \.id, .id, absent: "the host name",
            "The node's name in topics, unique among the nodes on a broker."),
        .optional(
            "name", \.name, .text(.name), absent: "the id",
            "The name that people see, for example in Home Assistant."),
        .optional(
            "web_url", \.webURL, .webURL, absent: "none",
            "A web page about the node, which Home Assistant links to."),
        .optional(
            "groups", \.groups, .list(of: .id, count: 0...32, "a list of at most 32 names"),
            absent: "none",
            "The node's groups; a name has the form of an `id`. The node also obeys commands under `@NAME`.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var identity = section.readAll()
        if identity.id.isEmpty { identity.id = Identifier.fromHostName(section.context.hostName) }
        if identity.name.isEmpty { identity.name = identity.id }
        return identity
    }
}

extension Schema where Value == String {
    /// The URL of a page. Home Assistant drops the whole announcement of a node if it rejects the host or the port.
    fileprivate static var webURL: Schema {
        scalar(
            "a URL such as http://lectern.local:8080/, with a name or an IPv4 address, up to "
                + "\(TextKind.longest) bytes", format: { $0 }
        ) {
            let pattern = /https?:\/\/(?<host>[A-Za-z0-9_.-]+)(:(?<port>[0-9]{1,5}))?([\/?#]\S*)?/
            guard TextKind.plain.fits($0), let url = $0.wholeMatch(of: pattern) else { return nil }
            let labels = url.host.split(separator: ".", omittingEmptySubsequences: false)
            let isHost = labels.allSatisfy { (1...63).contains($0.count) }
            let isPort = url.port.map { (1...65_535).contains(Int($0) ?? 0) } ?? true
            return isHost && isPort ? $0 : nil
        }
    }
}

extension NodeConfiguration {
    /// `follow`: the node whose timer this one shows.
    package struct Follow: Hashable, Sendable {
        package var node: String
        package var prefix: String

        package init(node: String, prefix: String) { (self.node, self.prefix) = (node, prefix) }
    }
}

extension NodeConfiguration.Follow {
    private static let keys = Keys(
        prototype: Self(node: "", prefix: ""),
        .required(
            "node", \.node, .id, "The id of the leader, which runs its own timers and uses the same brokers."),
        .optional(
            "prefix", \.prefix, .topicPrefix, absent: "`mqtt.prefix`",
            "The first level or levels of the leader's topics.")
    )

    static let schema: Schema<Self> = .section(keys) { $0.readAll() }
}

extension Section<NodeConfiguration> {
    /// Fills in the leader's prefix, and reports a leader that cannot be followed.
    func checkLeader() {
        guard var leader = draft.follow, !isFaulty(\.follow) else { return }
        guard let mqtt = draft.mqtt else {
            if !isFaulty(\.mqtt) {
                report(.other("needs mqtt: the node follows its leader through a broker"), at: \.follow)
            }
            return
        }
        if leader.prefix.isEmpty { leader.prefix = mqtt.prefix }
        draft.follow = leader
        if leader.node == draft.node.id, leader.prefix == mqtt.prefix {
            report(.unexpected(found: "the node itself", expected: "the id of another node"), at: \.follow)
        }
    }
}
