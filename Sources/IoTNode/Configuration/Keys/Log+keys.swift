extension NodeConfiguration.Log {
    /// The keys of `log`.
    enum Keys {
        static let level = Key("level", Form<LogLevel>.oneOf, default: "info", "The least important level to log.")

        static let all: [any DeclaredKey] = [level]
    }

    /// How `log` is written.
    static var form: Form<Self> {
        .section(Keys.all) { section in
            var log = Self()
            section.read(Keys.level, into: &log.level)
            return log
        }
    }
}
