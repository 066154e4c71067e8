internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem

/// The file that `timer-node init` writes: whole or not at all, and never over another one unless it is told to.
struct NewConfigurationFile {
    let path: String

    /// Whether something has this name already.
    var exists: Bool {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe lstat(path, &status) == 0
    }

    /// Where an existing file is kept.
    var backup: String { path + ".bak" }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Fails where writing would fail, so that nobody answers questions in vain.
    func checkPermission() throws(InitFailure) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw InitFailure("cannot write \(path): it is no regular file", .io)
        }
        // A missing folder is made, in the next one above.
        var folder = folder
        while unsafe access(folder, F_OK) != 0, errno == ENOENT, let slash = folder.lastIndex(of: "/") {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// Writes a new file beside it, brings that to the disk and gives it the name.
    ///
    /// - Parameter replaces: whether an existing file may be replaced, which is kept as ``backup``.
    func write(_ text: String, replaces: Bool) throws(InitFailure) {
        do {
            if unsafe access(folder, F_OK) != 0 {
                // The service's user has to get to the file, whatever the umask is.
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            }
        } catch {
            throw InitFailure("cannot make the folder \(folder): \(error)", .io)
        }
        let new = path + ".new"
        // What an earlier attempt may have left.
        guard unsafe unlink(new) == 0 || errno == ENOENT else { throw failure() }
        // O_EXCL: the file is certainly new, neither another user's nor behind a link.
        let number = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw failure() }
        do throws(InitFailure) {
            try fill(FileDescriptor(owning: number), with: text)
            try place(new, replaces: replaces)
        } catch {
            _ = unsafe unlink(new)
            throw error
        }
        syncFolder()
    }

    private func fill(_ file: consuming FileDescriptor, with text: String) throws(InitFailure) {
        // The service's user has to read it, whatever the umask is. There is no password in it.
        guard fchmod(file.number, 0o644) == 0 else { throw failure() }
        do throws(SystemError) { try file.write(Array(text.utf8)) } catch { throw failure(error.code) }
        guard fsync(file.number) == 0 else { throw failure() }
    }

    /// Gives a file the name, in one step.
    private func place(_ new: String, replaces: Bool) throws(InitFailure) {
        guard replaces else {
            // Unlike a rename, a link replaces nothing.
            guard unsafe link(new, path) == 0 else { throw failure() }
            _ = unsafe unlink(new)
            return
        }
        // A second name for the old file, so that there is a file at every moment.
        guard unsafe unlink(backup) == 0 || errno == ENOENT, unsafe link(path, backup) == 0 || errno == ENOENT,
            unsafe rename(new, path) == 0
        else { throw failure() }
    }

    /// Brings the names to the disk. Where that fails, the file is there nevertheless.
    private func syncFolder() {
        let number = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return }
        _ = fsync(FileDescriptor(owning: number).number)
    }

    private func failure(_ code: Int32 = errno) -> InitFailure {
        let help = [EACCES, EPERM].contains(code) && geteuid() != 0 ? "; run it with sudo" : ""
        return InitFailure("cannot write \(path): \(SystemError.text(code))\(help)", .io)
    }
}
