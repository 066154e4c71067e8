internal import Glibc

/// The one owner of an open file descriptor, closed when the owner goes.
struct FileDescriptor: ~Copyable {
    /// The number, for calls and for watching; valid for as long as the owner lives.
    let number: Int32

    /// Takes over a descriptor that nothing else will close.
    init(owning number: Int32) { self.number = number }

    deinit {
        // Linux has let go of the descriptor even when close reports an error, so there is nothing to try again.
        _ = close(number)
    }
}
