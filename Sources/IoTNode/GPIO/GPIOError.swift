internal import Glibc

/// A call of libgpiod that failed.
struct GPIOError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number, such as `EBUSY`.
    let code: Int32

    /// The system's words for it.
    var description: String { unsafe String(cString: strerror(code)) }

    /// Throws where a result of CGPIOD is a negative error number.
    static func check(_ result: Int32) throws(GPIOError) {
        guard result >= 0 else { throw GPIOError(code: -result) }
    }
}
