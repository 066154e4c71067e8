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
