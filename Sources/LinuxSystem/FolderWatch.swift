internal import Glibc

/// What the kernel tells of the files of a folder (inotify).
package final class FolderWatch: Sendable {
    /// What happened to a file.
    package struct Change {
        /// The kinds of inotify, such as `IN_MOVED_TO`.
        package let kinds: UInt32
        /// The file's name; empty where the change is the folder's own, or where changes were lost.
        package let name: String
    }

    private let descriptor: FileDescriptor

    /// Watches a folder.
    ///
    /// - Parameters:
    ///   - kinds: what to be told of.
    ///   - isBlocking: whether ``changes()`` waits for one.
    /// - Throws: ``SystemError`` if the system has no watch left, or the folder is missing.
    package init(_ folder: String, for kinds: Int32, isBlocking: Bool = false) throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC) | (isBlocking ? 0 : Int32(IN_NONBLOCK)))
        guard number >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
        descriptor = FileDescriptor(owning: number)
        guard unsafe inotify_add_watch(number, folder, UInt32(kinds) | UInt32(IN_ONLYDIR)) >= 0 else {
            throw SystemError(call: "inotify_add_watch", code: errno)
        }
    }

    /// Readable when something has changed.
    package var number: Int32 { descriptor.number }

    /// The next changes; none where there are none, nil where they cannot be read.
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

    /// Calls a function on a thread of its own, after each time that a file was renamed into the folder.
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
