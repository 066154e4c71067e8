internal import Glibc

/// Why a file could not be read.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// The `errno` of the call that failed.
    public let code: Int32

    /// Whether there is no such file.
    var isMissingFile: Bool { code == ENOENT }

    /// Whether no file can have this name: it is missing, or no name at all.
    var isNoName: Bool { [ENOENT, ENOTDIR, ENAMETOOLONG, EINVAL].contains(code) }

    /// Whether another user may be able to read it.
    var isPermission: Bool { code == EACCES || code == EPERM }

    /// Names a file and the system's reason.
    public init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }

    /// The path and the system's reason.
    public var description: String { "cannot read \(path): \(SystemError.text(code))" }
}
