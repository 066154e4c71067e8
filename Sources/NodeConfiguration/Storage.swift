internal import TimerProtocol

extension NodeConfiguration {
    /// `storage`: where the state is kept.
    package struct Storage: Hashable, Sendable {
        package var directory: String
        package var afterReboot = AfterReboot.pause
        package var runs = 200
        /// How many may be kept: as many as fit into the file, whatever their names are.
        package static let runCounts = 0...1000

        package init(directory: String = "/var/lib/timer-node") { self.directory = directory }
    }

    /// How many runs are kept; a node without storage keeps them until it is restarted.
    package var runLimit: Int { (storage ?? Storage()).runs }
}

extension NodeConfiguration.Storage {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "directory", \.directory, .text(.name),
            "The folder, from the folder of this file; it is made where it is missing."),
        .optional(
            "after_reboot", \.afterReboot, .oneOf,
            "What becomes of a run when the machine was started anew: `pause` holds it where it was last saved, `resume` "
                + "goes on by the wall clock, which may be wrong by then, `stop` ends it."),
        .optional(
            "runs", \.runs, .integer(in: runCounts),
            "How many runs that ended are kept for the report; 0 for none.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var storage = section.readAll()
        storage.directory = section.context.resolve(storage.directory)
        return storage
    }
}

/// What happens to a run when the machine restarts. Only the wall clock tells how long the machine was off.
package enum AfterReboot: String, Hashable, Sendable, CaseIterable {
    /// It is paused where it was last saved.
    case pause
    /// It continues by the wall clock, as if the machine had never been off.
    case resume
    /// It is stopped.
    case stop
}
