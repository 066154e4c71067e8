internal import CLinux
internal import Glibc

/// A flag that one thread raises and another one's poll sees.
struct EventFD: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Makes one that is not raised; fails where the process has no descriptor left.
    ///
    /// - Parameter isAwaited: whether ``lower()`` waits for the flag to be raised.
    init(isAwaited: Bool = false) throws(SystemError) {
        let number = eventfd(0, Int32(isAwaited ? EFD_CLOEXEC : EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        descriptor = FileDescriptor(owning: number)
    }

    /// The descriptor, readable once the flag is raised.
    var number: Int32 { descriptor.number }

    /// Raises the flag, from any thread.
    func raise() {
        // It fails only where it was raised 2^64 - 2 times, and then it is raised.
        _ = eventfd_write(descriptor.number, 1)
    }

    /// Takes the flag down.
    func lower() {
        var count: eventfd_t = 0
        // SAFETY: the call fills the number and keeps no pointer. It fails only where the flag is down already, and is not
        // awaited.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}
