internal import IoTNode

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

extension NodeConfiguration.Log {
    /// The keys of `log`.
    enum Keys {
        static let level = Key("level", Schema<LogLevel>.oneOf, default: "info", "The least important level to log.")

        static let format = Key(
            "format", Schema<LogFormat>.oneOf, default: "text",
            "What a line looks like; `json` has an object with `time`, `level` and `message`.")

        static let all: [any DeclaredKey] = [level, format]
    }

    /// How `log` is written.
    static var schema: Schema<Self> {
        .section(Keys.all) { section in
            var log = Self()
            section.read(Keys.level, into: &log.level)
            section.read(Keys.format, into: &log.format)
            return log
        }
    }
}

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
