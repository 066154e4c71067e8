/// A configuration that was read and can be used.
package struct LoadedConfiguration: Hashable, Sendable {
    package let configuration: NodeConfiguration
    /// What may not be as it was meant, a line each.
    package let warnings: [String]

    package init(_ configuration: NodeConfiguration, warnings: [String] = []) {
        self.configuration = configuration
        self.warnings = warnings
    }
}

/// Why a configuration cannot be used.
package struct ConfigurationRejection: Error, Hashable, Sendable {
    /// A line for each fault.
    package let faults: [String]

    package init(faults: [String]) { self.faults = faults }
}
