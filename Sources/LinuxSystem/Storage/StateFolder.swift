internal import CLinux
internal import Glibc
internal import NodePorts

/// The path of a folder, split into its components once.
struct StatePath: Sendable {
    let text: String
    /// The components as C strings in reverse order, so that the next one can be popped from the end.
    let reversedComponents: [[CChar]]

    init(_ text: String) {
        self.text = text
        reversedComponents = text.split(separator: "/").map { $0.utf8.map(CChar.init(bitPattern:)) + [0] }.reversed()
    }
}

/// An open folder. All operations are relative to its descriptor, so they stay in this folder even if the path changes.
///
/// When root runs the program, the folder may belong to another user, who could place symbolic links there. So only
/// links owned by root are followed on the way to the folder, and no file of another process is written to.
struct StateFolder: ~Copyable {
    /// The path, for error messages.
    let path: String
    private let descriptor: FileDescriptor

    /// Opens a folder.
    ///
    /// - Parameter createIfMissing: whether to create it, with its parents, if it is missing.
    /// - Returns: nil if the folder is missing and was not created.
    init?(_ path: StatePath, createIfMissing: Bool) throws(StoreError) {
        let (path, reversedComponents) = (path.text, path.reversedComponents)
        var here = try Self.start(of: path, of: path)
        var names = reversedComponents
        var linksLeft = 40
        while let name = names.popLast() {
            var status = stat()
            // SAFETY: the call fills the struct and keeps no pointer.
            if unsafe fstatat(here.number, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
                guard errno == ENOENT else { throw StoreError("open", path) }
                guard createIfMissing else { return nil }
                // Another process may have created it meanwhile.
                guard unsafe mkdirat(here.number, name, names.isEmpty ? 0o750 : 0o755) == 0 || errno == EEXIST else {
                    throw StoreError("create", path)
                }
            } else if status.st_mode & S_IFMT == S_IFLNK {
                guard linksLeft > 0 else { throw StoreError("open", path, ELOOP) }
                guard geteuid() != 0 || status.st_uid == 0 else {
                    let link = String(characters: name.dropLast())
                    throw StoreError(
                        "cannot open \(path): \(link) is another user's link, which root does not follow")
                }
                linksLeft -= 1
                let target = try Self.target(of: name, in: here, of: path)
                names += StatePath(target).reversedComponents
                if target.hasPrefix("/") { here = try Self.start(of: target, of: path) }
                continue
            }
            let number = unsafe openat(
                here.number, name, clinux_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else { throw StoreError("open", path) }
            here = FileDescriptor(owning: number)
        }
        // Reopened for reading, as fsync requires.
        let number = unsafe openat(here.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw StoreError("open", path) }
        self.path = path
        descriptor = FileDescriptor(owning: number)
    }

    private static func start(of target: String, of path: String) throws(StoreError) -> FileDescriptor {
        let number = unsafe open(target.hasPrefix("/") ? "/" : ".", clinux_o_path | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw StoreError("open", path) }
        return FileDescriptor(owning: number)
    }

    private static func target(
        of link: [CChar], in folder: borrowing FileDescriptor, of path: String
    ) throws(StoreError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // SAFETY: the call fills at most as many bytes as the array has.
        let count = unsafe readlinkat(folder.number, link, &bytes, bytes.count)
        guard count >= 0 else { throw StoreError("open", path) }
        return String(characters: bytes.prefix(count))
    }
}

// MARK: - Files

extension StateFolder {
    /// Reads at most `limit` bytes of a regular file; nil if it does not exist.
    func read(_ name: String, upTo limit: Int) throws(StoreError) -> [UInt8]? {
        // O_NONBLOCK: opening a named pipe without a writer would block forever.
        let number = unsafe openat(
            descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw StoreError("cannot read \(path)/\(name): it is a link") }
            throw StoreError("read", "\(path)/\(name)")
        }
        let file = FileDescriptor(owning: number)
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe fstat(file.number, &status) == 0 else { throw StoreError("read", "\(path)/\(name)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError("cannot read \(path)/\(name): it is not a regular file")
        }
        do throws(SystemError) { return try File.read(file.number, upTo: limit) } catch {
            throw StoreError("read", "\(path)/\(name)", error.code)
        }
    }

    /// Waits until no other process has the folder locked, and locks it until this value is destroyed.
    func lock() throws(StoreError) {
        while flock(descriptor.number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw StoreError("lock", path) }
        }
    }

    /// Replaces a file atomically: writes and syncs a new file, renames it over the old one, and syncs the folder.
    ///
    /// - Parameter permissions: the mode of the file, before the umask.
    /// - Returns: the file, open for appending.
    @discardableResult
    func replace(
        _ name: String, with bytes: [UInt8], permissions: mode_t = 0o640
    ) throws(StoreError) -> FileDescriptor {
        let file = try write(bytes, to: name + ".new", permissions: permissions)
        try rename(name + ".new", to: name)
        return file
    }

    /// Writes a new file and syncs it to the disk; an existing file of that name is removed first.
    ///
    /// - Parameter permissions: the mode of the file, before the umask.
    /// - Returns: the file, open for appending.
    @discardableResult
    func write(
        _ bytes: [UInt8], to name: String, permissions: mode_t = 0o640
    ) throws(StoreError) -> FileDescriptor {
        let file = "\(path)/\(name)"
        guard unsafe unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw StoreError("remove", file)
        }
        // O_EXCL guarantees a new file: neither another user's file nor one behind a link.
        let number = unsafe openat(
            descriptor.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
        guard number >= 0 else { throw StoreError("create", file) }
        let new = FileDescriptor(owning: number)
        do throws(StoreError) {
            try changeOwner(new, file)
            try append(bytes, to: new, name)
            return new
        } catch {
            // A partial file wastes space on a disk that may be full. If it cannot be removed now, the next write
            // removes it.
            _ = unsafe unlinkat(descriptor.number, name, 0)
            throw error
        }
    }

    /// Appends to an open file, and syncs the file to the disk.
    func append(_ bytes: [UInt8], to file: borrowing FileDescriptor, _ name: String) throws(StoreError) {
        do throws(SystemError) { try file.write(bytes) } catch {
            throw StoreError("write", "\(path)/\(name)", error.code)
        }
        guard fsync(file.number) == 0 else { throw StoreError("sync", "\(path)/\(name)") }
    }

    /// Whether an open file has this name.
    func contains(_ file: borrowing FileDescriptor, as name: String) -> Bool {
        var (open, named) = (stat(), stat())
        // SAFETY: the calls fill the structs and keep no pointer.
        guard unsafe fstat(file.number, &open) == 0 else { return false }
        guard unsafe fstatat(descriptor.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return open.st_dev == named.st_dev && open.st_ino == named.st_ino
    }

    /// Gives a file created by root to the folder's owner, so that a manual run as root does not lock the service out
    /// of its state.
    private func changeOwner(_ file: borrowing FileDescriptor, _ name: String) throws(StoreError) {
        guard geteuid() == 0 else { return }
        var folder = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe fstat(descriptor.number, &folder) == 0 else { throw StoreError("inspect", path) }
        // EPERM: root lacks the right, as in some containers, or the file system has no owners, as on a USB stick.
        guard fchown(file.number, folder.st_uid, folder.st_gid) == 0 || errno == EPERM else {
            throw StoreError("change the owner of", name)
        }
    }

    /// Renames a file and syncs the folder to the disk.
    func rename(_ name: String, to other: String) throws(StoreError) {
        guard unsafe renameat(descriptor.number, name, descriptor.number, other) == 0 else {
            throw StoreError("rename", "\(path)/\(name)")
        }
        try sync()
    }

    /// Syncs the folder's entries to the disk.
    func sync() throws(StoreError) {
        guard fsync(descriptor.number) == 0 else { throw StoreError("sync", path) }
    }

    /// Removes a file, if it exists.
    func remove(_ name: String) throws(StoreError) {
        guard unsafe unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
            throw StoreError("remove", "\(path)/\(name)")
        }
    }

    /// Returns the names of all files.
    func names() throws(StoreError) -> [String] {
        let number = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0, let folder = unsafe fdopendir(number) else { throw StoreError("list", path) }
        // SAFETY: the stream owns the descriptor and is closed here; each name is copied before the next call.
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// Returns the size of a file in bytes; 0 if it does not exist.
    func size(of name: String) -> Int {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Int(status.st_size) : 0
    }

    /// Whether the name exists, even as a dangling link.
    func exists(_ name: String) -> Bool {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
}

extension StoreError {
    /// The failed step with the system's error message.
    fileprivate init(_ step: String, _ path: String, _ code: Int32 = errno) {
        self.init("cannot \(step) \(path): \(SystemError.text(code))")
    }
}
