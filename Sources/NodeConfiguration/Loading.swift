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

/// Reads a file: its path, and how many bytes at most.
package typealias FileReader = (String, Int) throws(FileError) -> [UInt8]

/// Why a file could not be read.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the person who named the file can do about it.
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
