internal import Glibc

/// Tells whether journald reads what this process writes.
public enum Journal {
    /// Whether standard error goes to journald: `JOURNAL_STREAM` names its device and inode then.
    ///
    /// The variable alone does not tell: it is inherited by a process whose output was redirected.
    public static func reads(standardErrorOf environment: [String: String]) -> Bool {
        var information = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        guard unsafe fstat(STDERR_FILENO, &information) == 0 else { return false }
        return environment["JOURNAL_STREAM"] == "\(information.st_dev):\(information.st_ino)"
    }
}
