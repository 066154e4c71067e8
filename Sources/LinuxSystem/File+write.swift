internal import Glibc

extension File {
    /// Writes a file as a whole: until it is complete, the old one stays.
    ///
    /// - Parameter path: a regular file, which is replaced, or none yet. Something else, such as a pipe, is written to.
    /// - Throws: ``SystemError``; the old file is still there then.
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

    /// - Parameter mode: the permissions of a new file; nil for the usual ones. At no moment has it more than these.
    private static func write(
        _ bytes: [UInt8], toPlace place: String, flags: Int32, mode: mode_t?
    ) throws(SystemError) {
        let number = unsafe open(place, O_WRONLY | O_CLOEXEC | flags, mode ?? 0o644)
        guard number >= 0 else { throw SystemError(call: "open", code: errno) }
        let descriptor = FileDescriptor(owning: number)
        // The umask may have taken some away.
        if let mode, flags & O_CREAT != 0 { _ = fchmod(descriptor.number, mode) }
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: write() reads as many bytes as the slice has.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SystemError(call: "write", code: errno)
            }
        }
        guard fsync(descriptor.number) == 0 || errno == EINVAL else { throw SystemError(call: "fsync", code: errno) }
    }
}
