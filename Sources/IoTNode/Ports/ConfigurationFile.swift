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

/// Reads a file: its path, and how many bytes at most.
package typealias FileReader = (String, Int) throws(FileError) -> [UInt8]

/// Why a file could not be read.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What whoever named the file can do about it.
    package enum Kind: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// No file can have this name.
        case invalidName
        /// Another user may be able to read it.
        case notPermitted
        case other
    }

    package let path: String
    package let kind: Kind
    /// The system's words.
    package let reason: String

    package init(path: String, kind: Kind, reason: String) {
        self.path = path
        self.kind = kind
        self.reason = reason
    }

    /// The path and the system's reason.
    package var description: String { "cannot read \(path): \(reason)" }
}
