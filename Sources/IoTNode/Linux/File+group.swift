internal import Glibc

extension File {
    /// The group, other than root's, whose members may read and write a file; nil where there is none.
    static func group(of path: String) -> String? {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe stat(path, &status) == 0, status.st_gid != 0, status.st_mode & 0o060 == 0o060 else { return nil }
        // SAFETY: getgrgid's entry is valid until this thread's next call of it; the name is copied at once.
        guard let entry = unsafe getgrgid(status.st_gid), let name = unsafe entry.pointee.gr_name else {
            return String(status.st_gid)
        }
        return unsafe String(cString: name)
    }
}
