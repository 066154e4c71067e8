extension NodeConfiguration {
    /// `programme`: how the running order is reckoned.
    package struct RunningOrder: Hashable, Sendable {
        /// The time between two entries.
        package var gap: Duration = .zero
    }
}

extension NodeConfiguration.RunningOrder {
    private static let keys = Keys(
        prototype: Self(),
        .optional("gap", \.gap, .seconds(in: 0...3600), "The time that is expected to pass between two entries."))

    static let schema: Schema<Self> = .section(keys) { section in section.readAll() }
}
