internal import Glibc
package import NodePorts

/// A file that only its owner may read. It is replaced as a whole, by one process at a time.
package struct SecretFile: Sendable {
    /// The maximum size in bytes.
    private static let maximumSize = 1024 * 1024

    /// The file's path, for messages.
    package var path: String { "\(directory.text)/\(name)" }
    private let directory: StatePath
    private let name: String

    /// Creates a value for a file in a folder. The folder and its parents are created when the file is first written.
    package init(directory: String, name: String) {
        self.directory = StatePath(directory)
        self.name = name
    }

    /// Reads the file; nil if it does not exist.
    ///
    /// - Throws: ``StoreError`` if it cannot be read, is a symbolic link or not a regular file, or is too large.
    package func read() throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, createIfMissing: false) else { return nil }
        return try content(in: folder)
    }

    private func content(in folder: borrowing StateFolder) throws(StoreError) -> [UInt8]? {
        let content = try folder.read(name, upTo: Self.maximumSize + 1)
        if let content, content.count > Self.maximumSize {
            throw StoreError("cannot use \(path): it is larger than \(Self.maximumSize) bytes")
        }
        return content
    }

    /// The file's permissions in octal, as for `chmod`, if users other than its owner have any; nil otherwise, or if
    /// there is no file.
    package var permissionsOfOthers: String? {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
        return String(status.st_mode & 0o777, radix: 8)
    }

    /// Replaces the content while keeping other processes locked out.
    ///
    /// - Parameter change: returns the new content for the old one, which is nil if there is no file; or returns nil to
    ///   leave the file unchanged.
    /// - Throws: ``StoreError`` if the file cannot be read or written, or would be too large to be read again; also any
    ///   error that `change` throws.
    package func update(_ change: ([UInt8]?) throws(StoreError) -> [UInt8]?) throws(StoreError) {
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try folder.lock()
        guard let content = try change(try content(in: folder)) else { return }
        guard content.count <= Self.maximumSize else {
            throw StoreError(
                "cannot write \(path): it would be \(content.count) bytes, more than \(Self.maximumSize)")
        }
        try folder.replace(name, with: content, permissions: 0o600)
    }
}
