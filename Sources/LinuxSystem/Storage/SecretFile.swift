internal import Glibc
package import NodePorts

/// A file that only its owner may read: it is replaced as a whole, and by one process at a time.
package struct SecretFile: Sendable {
    /// The most bytes that it may have.
    private static let maximumSize = 1024 * 1024

    /// The file's path, for messages.
    package var path: String { "\(directory.text)/\(name)" }
    private let directory: StatePath
    private let name: String

    /// A file in a folder. The folder and its parents are created when the file is written for the first time.
    package init(directory: String, name: String) {
        self.directory = StatePath(directory)
        self.name = name
    }

    /// Reads the file; nil if there is none.
    ///
    /// - Throws: ``StoreError`` if it cannot be read, is a symbolic link or not a regular file, or is too large.
    package func read() throws(StoreError) -> [UInt8]? {
        guard let folder = try StateFolder(directory, createIfMissing: false) else { return nil }
        return try content(in: folder)
    }

    private func content(in folder: borrowing StateFolder) throws(StoreError) -> [UInt8]? {
        let content = try folder.read(name, upTo: Self.maximumSize + 1)
        if let content, content.count > Self.maximumSize {
            throw StoreError("cannot use \(path): it has more than \(Self.maximumSize) bytes")
        }
        return content
    }

    /// Who besides its owner may read or write the file, as `chmod` counts permissions; nil for nobody, or without a file.
    package var foreignPermissions: String? {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
        return String(status.st_mode & 0o777, radix: 8)
    }

    /// Replaces the content, while no other process can.
    ///
    /// - Parameter change: makes the new content of the old one, which is nil if there is no file; nil leaves it.
    /// - Throws: ``StoreError`` if it cannot be read or written, or would be too large to be read again, or what `change`
    ///   throws.
    package func update(_ change: ([UInt8]?) throws(StoreError) -> [UInt8]?) throws(StoreError) {
        guard let folder = try StateFolder(directory, createIfMissing: true) else { return }
        try folder.lock()
        guard let content = try change(try content(in: folder)) else { return }
        guard content.count <= Self.maximumSize else {
            throw StoreError(
                "cannot write \(path): it would have \(content.count) bytes, and may have \(Self.maximumSize)")
        }
        try folder.write(content, to: name + ".new", permissions: 0o600)
        try folder.rename(name + ".new", to: name)
    }
}
