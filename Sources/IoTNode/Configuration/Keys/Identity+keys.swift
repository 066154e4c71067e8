extension NodeConfiguration.Identity {
    /// The keys of `node`.
    enum Keys {
        static let id = Key(
            "id", .id, absent: "the host's name", "The node's name in topics. It is unique among the nodes of a broker."
        )
        static let name = Key(
            "name", .text, absent: "the id", "The node's name for people. Nothing shows it in this version.")
        static let groups = Key(
            "groups", .list(of: .id, count: 0...32, "a list of names, each \(Identifier.expected)"), absent: "none",
            "The groups of nodes it belongs to: it obeys commands under `@NAME` too.")

        static let all: [any DeclaredKey] = [id, name, groups]
    }

    /// How `node` is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            let id = section.read(Keys.id) ?? Identifier.fromHostName(section.context.hostName)
            var identity = Self(id: id, name: section.read(Keys.name))
            section.read(Keys.groups, into: &identity.groups)
            return identity
        }
    }
}
