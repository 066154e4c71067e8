internal import Glibc

/// Notices that a file of a folder was replaced, on a thread that sleeps until then.
package enum FolderWatch {
    /// Calls a function on a thread of its own, after each time that a file was renamed into the folder.
    ///
    /// - Throws: ``SystemError`` if the system has no watch left, or the folder is missing.
    package static func start(_ folder: String, _ changed: @escaping @Sendable () -> Void) throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "inotify_init1", code: errno) }
        guard unsafe inotify_add_watch(number, folder, UInt32(IN_MOVED_TO | IN_ONLYDIR)) >= 0 else {
            let error = SystemError(call: "inotify_add_watch", code: errno)
            close(number)
            throw error
        }
        try HelperThread.start {
            let descriptor = FileDescriptor(owning: number)
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                // SAFETY: read() writes at most as many bytes as the array has.
                let count = unsafe read(descriptor.number, &buffer, buffer.count)
                guard count > 0 else {
                    if errno == EINTR { continue }
                    return
                }
                let kinds = Self.kinds(in: buffer[..<count])
                if kinds & UInt32(IN_MOVED_TO) != 0 { changed() }
                // The folder is gone.
                if kinds & UInt32(IN_IGNORED) != 0 { return }
            }
        }
    }

    /// What happened, as the kernel's event records say.
    private static func kinds(in bytes: ArraySlice<UInt8>) -> UInt32 {
        var kinds: UInt32 = 0
        var rest = bytes
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
            // SAFETY: the struct consists of integers, and enough bytes are available.
            let event = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            kinds |= event.mask
            rest = rest.dropFirst(header + Int(event.len))
        }
        return kinds
    }
}
