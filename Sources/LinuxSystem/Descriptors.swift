internal import CLinux
internal import Glibc

/// The one owner of an open file descriptor, closed when the owner goes.
package struct FileDescriptor: ~Copyable {
    /// The number, for calls and for watching; valid for as long as the owner lives.
    package let number: Int32

    /// Takes over a descriptor that nothing else will close.
    package init(owning number: Int32) { self.number = number }

    deinit {
        // Linux has let go of the descriptor even when close reports an error, so there is nothing to try again.
        _ = close(number)
    }
}

/// A flag that one thread raises and another one's poll sees.
package struct EventFD: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Makes one that is not raised; fails where the process has no descriptor left.
    ///
    /// - Parameter isAwaited: whether ``lower()`` waits for the flag to be raised.
    package init(isAwaited: Bool = false) throws(SystemError) {
        let number = eventfd(0, Int32(isAwaited ? EFD_CLOEXEC : EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
    }

    /// The descriptor, readable once the flag is raised.
    package var number: Int32 { descriptor.number }

    /// Raises the flag, from any thread.
    package func raise() {
        // It fails only where it was raised 2^64 - 2 times, and then it is raised.
        _ = eventfd_write(descriptor.number, 1)
    }

    /// Takes the flag down.
    package func lower() {
        var count: eventfd_t = 0
        // SAFETY: the call fills the number and keeps no pointer. It fails only where the flag is down already, and is not
        // awaited.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}

/// A system call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name.
    package let call: String
    /// The error number.
    package let code: Int32

    /// The system's words for an error number.
    package static func text(_ code: Int32) -> String {
        // SAFETY: strerror returns a string that is valid until this thread's next call of it, and is copied at once.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// The call and the system's words.
    package var description: String { "\(call): \(Self.text(code))" }
}
