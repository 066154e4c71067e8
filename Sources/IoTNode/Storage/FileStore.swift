internal import Glibc

/// Keeps the document in a file, replaced atomically: a new file, its bytes on the disk, the rename, the folder.
public final class FileStore: Store {
    /// The longest document in bytes, several times a model of all the timers that fit; a longer file is no state.
    public static let longest = 1024 * 1024

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
        do throws(FileError) {
            return try File.read(path, upTo: Self.longest)
        } catch {
            if error.code == ENOENT { return nil }
            throw StoreError(error.description)
        }
    }

    /// Writes a new file beside the old one and puts it in its place.
    public func save(_ document: [UInt8]) throws(StoreError) {
        try makeFolder()
        let new = path + ".new"
        try write(document, to: new, O_TRUNC)
        try move(new, to: path)
    }

    /// Moves the file to another name, or writes a file beside it: `state.json.SUFFIX`, `timers.SUFFIX.json`.
    public func setAside(_ what: SetAside) throws(StoreError) -> String {
        switch what {
        case .document(let suffix):
            let file = free { "\(path).\(suffix)\($0)" }
            try move(path, to: file)
            return file
        case .edits(let timers, let suffix):
            try makeFolder()
            let file = free { "\(directory)/timers.\(suffix)\($0).json" }
            try write(timers, to: file, O_EXCL)
            try syncFolder()
            return file
        }
    }

    private func makeFolder() throws(StoreError) {
        if unsafe mkdir(directory, 0o750) != 0, errno != EEXIST { throw failure("make", directory) }
    }

    /// The first of the names, made with `""`, `-2`, `-3` and so on, that is not taken. Nobody else writes here.
    private func free(_ name: (String) -> String) -> String {
        var (file, number) = (name(""), 1)
        while unsafe access(file, F_OK) == 0 {
            number += 1
            file = name("-\(number)")
        }
        return file
    }

    private func write(_ bytes: [UInt8], to file: String, _ flag: Int32) throws(StoreError) {
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | flag | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw failure("create", file) }
        defer { close(descriptor) }
        handOver(descriptor)
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the call reads the slice's bytes and keeps no pointer.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failure("write", file) }
        }
        guard fsync(descriptor) == 0 else { throw failure("sync", file) }
    }

    /// Gives a file that root writes to whom the folder belongs, where root may: a trial by hand leaves a service its state.
    private func handOver(_ descriptor: Int32) {
        var folder = stat()
        guard geteuid() == 0, unsafe stat(directory, &folder) == 0 else { return }
        _ = fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    private func move(_ file: String, to other: String) throws(StoreError) {
        guard unsafe rename(file, other) == 0 else { throw failure("rename", file) }
        try syncFolder()
    }

    private func syncFolder() throws(StoreError) {
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open", directory) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("sync", directory) }
    }

    private func failure(_ step: String, _ path: String) -> StoreError {
        StoreError("cannot \(step) \(path): \(SystemError.text(errno))")
    }
}
