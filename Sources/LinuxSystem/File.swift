package import BrokerLink
internal import Glibc

/// Reads small files.
package enum File {
    /// Reads a file from its beginning.
    ///
    /// - Parameters:
    ///   - path: a regular file, or anything else with an end, such as a pipe.
    ///   - limit: the maximum number of bytes. A longer file is cut off there, so request one byte more to detect that.
    /// - Returns: at most `limit` bytes.
    /// - Throws: ``FileError`` with the system's error text.
    package static func read(_ path: String, upTo limit: Int) throws(FileError) -> [UInt8] {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw FileError(path: path, code: errno) }
        let descriptor = FileDescriptor(owning: number)
        do throws(SystemError) { return try read(descriptor.number, upTo: limit) } catch {
            throw FileError(path: path, code: error.code)
        }
    }

    /// Whether a path names a folder.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Reads at most `limit` bytes from the current position of an open file.
    static func read(_ descriptor: Int32, upTo limit: Int) throws(SystemError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
        while content.count < limit {
            // SAFETY: read() writes at most as many bytes as the array has.
            let count = unsafe Glibc.read(descriptor, &chunk, min(chunk.count, limit - content.count))
            if count > 0 {
                content += chunk[..<count]
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw SystemError(call: "read", code: errno)
            }
        }
        return content
    }
}

extension File {
    /// Returns the group, other than root's, that may read and write a file, or nil if there is none.
    package static func group(of path: String) -> String? {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe stat(path, &status) == 0, status.st_gid != 0, status.st_mode & 0o060 == 0o060 else { return nil }
        // SAFETY: getgrgid's entry is valid until this thread's next call; the name is copied at once.
        guard let entry = unsafe getgrgid(status.st_gid), let name = unsafe entry.pointee.gr_name else {
            return String(status.st_gid)
        }
        return unsafe String(cString: name)
    }
}

extension FileError {
    /// Classifies the `errno` of a failed call.
    package init(path: String, code: Int32) {
        let kind: Kind =
            switch code {
            case ENOENT: .missing
            case ENOTDIR, ENAMETOOLONG, EINVAL: .invalidName
            case EACCES, EPERM: .notPermitted
            default: .other
            }
        self.init(path: path, kind: kind, reason: SystemError.text(code))
    }
}

extension File {
    /// Writes a file as a whole: the old one stays until the new one is complete.
    ///
    /// - Parameter path: a new or regular file, which is replaced as a whole, or anything else, such as a pipe, to
    ///   which the bytes are written.
    /// - Throws: ``SystemError``; the old file then still exists.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        let isThere = unsafe stat(path, &status) == 0
        let isReplaced = !isThere || status.st_mode & S_IFMT == S_IFREG
        let place = isReplaced ? "\(path).new-\(getpid())" : path
        do throws(SystemError) {
            let mode = isThere ? status.st_mode & 0o777 : nil
            try write(bytes, toPlace: place, flags: isReplaced ? O_CREAT | O_EXCL : 0, mode: mode)
            guard isReplaced else { return }
            guard unsafe rename(place, path) == 0 else { throw SystemError(call: "rename", code: errno) }
        } catch {
            if isReplaced { _ = unsafe unlink(place) }
            throw error
        }
    }

    /// Writes a file and syncs it to the disk.
    ///
    /// - Parameter mode: the permissions of a new file; nil for the default ones. The file never has more permissions
    ///   than these.
    private static func write(
        _ bytes: [UInt8], toPlace place: String, flags: Int32, mode: mode_t?
    ) throws(SystemError) {
        let number = unsafe open(place, O_WRONLY | O_CLOEXEC | flags, mode ?? 0o644)
        guard number >= 0 else { throw SystemError(call: "open", code: errno) }
        let descriptor = FileDescriptor(owning: number)
        // The umask may have removed some permissions.
        if let mode, flags & O_CREAT != 0 { _ = fchmod(descriptor.number, mode) }
        try descriptor.write(bytes)
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw SystemError(call: "fsync", code: errno) }
    }
}

/// Watches the files of a folder with inotify.
package final class FolderWatch: Sendable {
    /// A change of a file.
    package struct Change {
        /// The inotify flags, such as `IN_MOVED_TO`.
        package let kinds: UInt32
        /// The file's name; empty if the folder itself changed, or if changes were lost.
        package let name: String
    }

    private let descriptor: FileDescriptor

    /// Watches a folder.
    ///
    /// - Parameters:
    ///   - kinds: the inotify flags of the changes to report.
    ///   - isBlocking: whether ``changes()`` waits for a change.
    /// - Throws: ``SystemError`` if the system has no inotify watch left, or the folder is missing.
    package init(_ folder: String, for kinds: Int32, isBlocking: Bool = false) throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC) | (isBlocking ? 0 : Int32(IN_NONBLOCK)))
        guard number >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
        descriptor = FileDescriptor(owning: number)
        guard unsafe inotify_add_watch(number, folder, UInt32(kinds) | UInt32(IN_ONLYDIR)) >= 0 else {
            throw SystemError(call: "inotify_add_watch", code: errno)
        }
    }

    /// The descriptor, readable when something has changed.
    package var number: Int32 { descriptor.number }

    /// Returns the next changes; empty if there are none, nil if they cannot be read.
    package func changes() -> [Change]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // SAFETY: read() writes at most as many bytes as the array has.
        let count = unsafe read(descriptor.number, &buffer, buffer.count)
        guard count > 0 else { return errno == EINTR || errno == EAGAIN ? [] : nil }
        var changes: [Change] = []
        var rest = buffer[..<count]
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
            // SAFETY: the struct consists of integers, and enough bytes are available.
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
            changes.append(Change(kinds: event.mask, name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(header + Int(event.len))
        }
        return changes
    }

    /// Calls a function on a separate thread each time a file has been renamed into the folder.
    ///
    /// - Throws: ``SystemError`` as ``init(_:for:isBlocking:)`` does.
    package static func start(_ folder: String, _ changed: @escaping @Sendable () -> Void) throws(SystemError) {
        let watch = try FolderWatch(folder, for: IN_MOVED_TO, isBlocking: true)
        try HelperThread.start {
            while let changes = watch.changes() {
                if changes.contains(where: { $0.kinds & UInt32(IN_MOVED_TO) != 0 }) { changed() }
                // The folder is gone.
                if changes.contains(where: { $0.kinds & UInt32(IN_IGNORED) != 0 }) { return }
            }
        }
    }
}

extension String {
    /// Creates a string from C characters without their final zero; invalid UTF-8 is replaced.
    init(characters: some Sequence<CChar>) {
        self.init(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
