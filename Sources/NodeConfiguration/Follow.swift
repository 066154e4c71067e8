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
            "node", \.node, .id, "The leader's id. It has timers of its own, and is reached by the brokers of `mqtt`."),
        .optional(
            "prefix", \.prefix, .topicPrefix, absent: "that of `mqtt`",
            "The first level, or levels, of the leader's topics.")
    )

    static let schema: Schema<Self> = .section(keys) { $0.readAll() }
}

extension Section<NodeConfiguration> {
    /// Completes the leader, and reports one that cannot be followed.
    func checkLeader() {
        guard var leader = draft.follow, !isFaulty(\.follow) else { return }
        guard let mqtt = draft.mqtt else {
            if !isFaulty(\.mqtt) {
                report(.other("needs mqtt: by its broker the node learns of its leader"), at: \.follow)
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
