internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name.
    public let call: String
    /// The error number.
    public let code: Int32

    /// The system's words for an error number.
    static func text(_ code: Int32) -> String {
        // SAFETY: strerror returns a string that is valid until this thread's next call of it, and is copied at once.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// The call and the system's words.
    public var description: String { "\(call): \(Self.text(code))" }
}
