/// A configuration that can be used.
package struct LoadedConfiguration<Configuration: Hashable & Sendable>: Hashable, Sendable {
    package let configuration: Configuration
    /// The warnings in the order of their lines.
    package let warnings: [ConfigurationFault]

    package init(_ configuration: Configuration, warnings: [ConfigurationFault] = []) {
        (self.configuration, self.warnings) = (configuration, warnings)
    }
}

extension NodeConfiguration {
    package typealias Loaded = LoadedConfiguration<NodeConfiguration>

    /// What a file is read for.
    package enum Purpose: Hashable, Sendable {
        /// A node is to run by the file. Each file that it names has to be readable.
        case running
        /// A person wants to know what is wrong with the file. A named file that only the node's user may read is right,
        /// so it is a warning.
        case checking
    }

    /// The longest file, in bytes. The largest model of timers needs a fraction of it.
    package static let maximumFileSize = 262_144
}
