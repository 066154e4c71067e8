package import BrokerLink
internal import Glibc

/// Reads small files.
package enum File {
    /// Reads a file from its beginning.
    ///
    /// - Parameters:
    ///   - path: a regular file, or anything else with an end, such as a pipe.
    ///   - limit: the maximum number of bytes. A longer file is cut off there, so ask for one byte more to detect that.
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
    /// The group, other than root's, that may read and write a file; nil if there is none.
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
