internal import CLinux
internal import Glibc

/// The sole owner of an open file descriptor; closes it when deinitialised.
package struct FileDescriptor: ~Copyable {
    /// The number, for system calls and `poll`; valid for the owner's lifetime.
    package let number: Int32

    /// Takes ownership; nothing else may close the descriptor.
    package init(owning number: Int32) { self.number = number }

    deinit {
        // Linux releases the descriptor even if close reports an error, so there is nothing to retry.
        _ = close(number)
    }
}

extension FileDescriptor {
    /// Writes all the bytes; blocks while the descriptor has no room for them.
    ///
    /// - Throws: ``SystemError`` if writing fails; some of the bytes may have been written.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemError) { try Self.write(bytes, to: number) }

    /// Writes all the bytes to a descriptor that the caller owns; see ``write(_:)``.
    static func write(_ bytes: [UInt8], to number: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the call reads the slice's bytes and keeps no pointer.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw SystemError(call: "write", code: errno)
            }
        }
    }
}

/// A flag that one thread sets and another thread's `poll` sees.
package struct EventFD: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Creates a flag that is not set; fails if the process has no descriptor left.
    ///
    /// - Parameter isBlocking: whether ``reset()`` waits until the flag is set.
    package init(isBlocking: Bool = false) throws(SystemError) {
        let number = eventfd(0, Int32(isBlocking ? EFD_CLOEXEC : EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
    }

    /// The descriptor, readable while the flag is set.
    package var number: Int32 { descriptor.number }

    /// Sets the flag; any thread may call this.
    package func set() {
        // This fails only if the counter is at its maximum, and then the flag is set anyway.
        _ = eventfd_write(descriptor.number, 1)
    }

    /// Resets the flag.
    package func reset() {
        var count: eventfd_t = 0
        // SAFETY: the call fills the number and keeps no pointer. It fails only for a flag that is not set and not
        // blocking.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}

/// A failed system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call.
    let call: String
    package let code: Int32

    /// The system's message for an error number.
    package static func text(_ code: Int32) -> String {
        // SAFETY: strerror's string is valid until this thread's next call; it is copied at once.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    package var description: String { "\(call): \(Self.text(code))" }
}
