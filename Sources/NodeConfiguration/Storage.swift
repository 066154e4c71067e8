internal import TimerProtocol

extension NodeConfiguration {
    /// `storage`: where the state is saved.
    package struct Storage: Hashable, Sendable {
        package var directory: String
        package var afterReboot = AfterReboot.pause
        package var runs = 200
        /// The allowed number of runs to keep: they must fit into the file, however long their names are.
        package static let runCounts = 0...1000

        package init(directory: String = "/var/lib/timer-node") { self.directory = directory }
    }

    /// The number of runs to keep; a node without storage keeps them until it is restarted.
    package var runLimit: Int { (storage ?? Storage()).runs }
}

extension NodeConfiguration.Storage {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "directory", \.directory, .text(.name),
            "The folder, relative to this file; it is created if missing."),
        .optional(
            "after_reboot", \.afterReboot, .oneOf,
            "What happens to a run when the machine restarts. `pause` pauses it where it was last saved; `resume` "
                + "continues it by the wall clock, which may be wrong."),
        .optional(
            "runs", \.runs, .integer(in: runCounts),
            "How many ended runs are kept for the report.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var storage = section.readAll()
        storage.directory = section.context.resolve(storage.directory)
        return storage
    }
}

/// What happens to a run when the machine restarts. Only the wall clock shows how long the machine was off.
package enum AfterReboot: String, Hashable, Sendable, CaseIterable {
    /// It is paused where it was last saved.
    case pause
    /// It continues by the wall clock, as if the machine had never been off.
    case resume
    /// It is stopped.
    case stop
}
