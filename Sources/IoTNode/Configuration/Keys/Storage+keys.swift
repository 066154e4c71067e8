extension NodeConfiguration.Storage {
    /// The keys of `storage`.
    enum Keys {
        static let directory = Key(
            "directory", .text, default: "/var/lib/timer-node",
            "The folder, from the folder of this file; it is made where it is missing.")

        static let afterReboot = Key(
            "after_reboot", Schema<AfterReboot>.oneOf, default: "pause",
            "What becomes of a run when the machine was started anew: `pause` holds it where it was last saved, `resume` "
                + "goes on by the wall clock, which may be wrong by then, `stop` ends it.")

        static let all: [any DeclaredKey] = [directory, afterReboot]
    }

    /// How `storage` is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            guard
                var storage = section.read(Keys.directory).map({
                    Self(directory: section.context.resolve($0))
                })
            else { return nil }
            section.read(Keys.afterReboot, into: &storage.afterReboot)
            return storage
        }
    }
}
