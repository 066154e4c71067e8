internal import Glibc

/// What the system calls an error number, as `strerror` words it.
func systemError(_ number: Int32) -> String {
    // SAFETY: glibc returns a string that stays valid for this thread until the next call, and it is copied here.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
}
