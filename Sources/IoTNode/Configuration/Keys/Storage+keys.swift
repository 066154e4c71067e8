extension NodeConfiguration.Storage {
    /// The keys of `storage`.
    enum Keys {
        static let directory = Key(
            "directory", .text, default: "/var/lib/timer-node", "The folder; it is made where it is missing.")

        static let all: [any DeclaredKey] = [directory]
    }

    /// How `storage` is written.
    static var form: Form<Self> {
        .section(Keys.all) { section in section.read(Keys.directory).map { Self(directory: $0) } }
    }
}
