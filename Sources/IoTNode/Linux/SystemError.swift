internal import Glibc

/// The system's words for its error numbers.
enum SystemError {
    /// What `errno` means, such as `No such file or directory`.
    static func text(_ code: Int32) -> String {
        // SAFETY: strerror gives a string that lives until this thread calls it again; it is copied at once.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
