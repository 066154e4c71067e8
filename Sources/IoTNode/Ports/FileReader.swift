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
