internal import CommandLineSupport
internal import FoundationEssentials
internal import Glibc
internal import LinuxSystem

/// The file that `timer-node init` writes, completely or not at all. It replaces an existing file only on request.
struct NewConfigurationFile {
    let path: String

    /// Whether something with this name already exists.
    var exists: Bool {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        return unsafe lstat(path, &status) == 0
    }

    /// The path where an existing file is kept.
    var backup: String { path + ".bak" }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Throws if writing would fail, so that the user does not answer the questions in vain.
    func checkPermission() throws(InitFailure) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw InitFailure("cannot write \(path): it is not a regular file", .io)
        }
        // A missing folder will be created, so its closest existing ancestor must be writable.
        var folder = folder
        while unsafe access(folder, F_OK) != 0, errno == ENOENT, let slash = folder.lastIndex(of: "/") {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// Writes a new file in the same folder, syncs it to the disk, and renames it.
    ///
    /// - Parameter replaces: whether to replace an existing file, which is kept as ``backup``.
    func write(_ text: String, replaces: Bool) throws(InitFailure) {
        do {
            if unsafe access(folder, F_OK) != 0 {
                // The service's user must have access to the folder, whatever the umask is.
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            }
        } catch {
            throw InitFailure("cannot create the folder \(folder): \(error)", .io)
        }
        let new = path + ".new"
        // An earlier attempt may have left this file.
        guard unsafe unlink(new) == 0 || errno == ENOENT else { throw failure() }
        // O_EXCL guarantees a new file: neither another user's file nor one behind a link.
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
        // The service's user must be able to read the file, whatever the umask is. It contains no password.
        guard fchmod(file.number, 0o644) == 0 else { throw failure() }
        do throws(SystemError) { try file.write(Array(text.utf8)) } catch { throw failure(error.code) }
        guard fsync(file.number) == 0 else { throw failure() }
    }

    /// Gives the new file its final name, in one step.
    private func place(_ new: String, replaces: Bool) throws(InitFailure) {
        guard replaces else {
            // Unlike rename, link never replaces a file.
            guard unsafe link(new, path) == 0 else { throw failure() }
            _ = unsafe unlink(new)
            return
        }
        // The old file gets a second name, so a file exists under the path at every moment.
        guard unsafe unlink(backup) == 0 || errno == ENOENT, unsafe link(path, backup) == 0 || errno == ENOENT,
            unsafe rename(new, path) == 0
        else { throw failure() }
    }

    /// Syncs the file names to the disk. If that fails, the file still exists, so the failure is ignored.
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
