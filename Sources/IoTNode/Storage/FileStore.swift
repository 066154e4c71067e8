internal import Glibc

/// Keeps the document in a file, replaced atomically: a new file, its bytes on the disk, the rename, the folder.
public final class FileStore: Store {
    private let directory: String
    private let name: String

    /// A store in a folder, which is made when the first document is saved.
    public init(directory: String, name: String = "state.json") {
        self.directory = directory
        self.name = name
    }

    private var path: String { "\(directory)/\(name)" }

    /// Reads the file; nil where there is none.
    public func load() throws(StoreError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var document: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // SAFETY: the call fills at most the buffer's bytes and keeps no pointer.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return document }
            document += buffer[..<count]
        }
    }

    /// Writes a new file beside the old one and puts it in its place.
    public func save(_ document: [UInt8]) throws(StoreError) {
        if unsafe mkdir(directory, 0o750) != 0, errno != EEXIST { throw failure("make", directory) }
        let new = path + ".new"
        try write(document, to: new)
        guard unsafe rename(new, path) == 0 else { throw failure("rename", new) }
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open", directory) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("sync", directory) }
    }

    private func write(_ document: [UInt8], to file: String) throws(StoreError) {
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw failure("create", file) }
        defer { close(descriptor) }
        var rest = document[...]
        while !rest.isEmpty {
            // SAFETY: the call reads the slice's bytes and keeps no pointer.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure("write", file) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw failure("sync", file) }
    }

    private func failure(_ step: String, _ path: String) -> StoreError {
        StoreError("cannot \(step) \(path): \(SystemError.text(errno))")
    }
}
