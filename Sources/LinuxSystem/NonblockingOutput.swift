internal import Glibc

/// Writes text to an inherited descriptor without blocking: a reader that stalls the output, with Ctrl-S or by not
/// reading a pipe, must not stall the lamps.
///
/// Setting O_NONBLOCK on the inherited descriptor would affect the open file description, which is shared with the
/// shell and other programs. So a pipe or a terminal is reopened for this object alone, and a socket gets MSG_DONTWAIT
/// on each call.
package final class NonblockingOutput {
    /// How a write is kept from blocking.
    private enum Mode {
        /// Not needed: a file never blocks.
        case file
        /// A flag on each call.
        case socket
        /// O_NONBLOCK on a descriptor of our own.
        case reopened
        /// Calling `poll` before each write, if reopening is not permitted, as with another user's terminal.
        case polled
    }

    private let descriptor: Int32
    private let mode: Mode
    /// The rest of a partially written text.
    private var pending: ArraySlice<UInt8> = []
    /// The error number of the last failed attempt; EAGAIN means that there was no room.
    private(set) var error: Int32 = 0

    /// Writes to an open descriptor, which must stay open for the lifetime of the process.
    package init(_ descriptor: Int32) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        let format = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard format != S_IFSOCK, format != S_IFREG else {
            mode = format == S_IFREG ? .file : .socket
            self.descriptor = descriptor
            return
        }
        let copy = unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        mode = copy >= 0 ? .reopened : .polled
        self.descriptor = copy >= 0 ? copy : descriptor
    }

    deinit {
        if mode == .reopened { close(descriptor) }
    }

    /// The descriptor to watch for writability; nil while no text is pending.
    package var watched: Int32? { error == EAGAIN ? descriptor : nil }

    /// Writes a text. If only a part fits, the rest is written before the next text.
    ///
    /// - Returns: whether the text was accepted; if not, no part of it will be written.
    package func write(_ text: String) -> Bool {
        guard flush() else { return false }
        pending = Array(text.utf8)[...]
        let count = pending.count
        guard !flush(), pending.count == count else { return true }
        pending = []
        return false
    }

    /// Writes the rest of a text; returns whether nothing is left.
    package func flush() -> Bool {
        error = 0
        while !pending.isEmpty {
            let (count, error) = writeOnce()
            if count > 0 {
                pending = pending.dropFirst(count)
            } else if error != EINTR {
                self.error = error
                return false
            }
        }
        return true
    }

    private func writeOnce() -> (count: Int, error: Int32) {
        if mode == .polled, let error = blockingError { return (0, error) }
        // SAFETY: the calls read as many bytes as they are told, which the slice has.
        let count = unsafe pending.withUnsafeBytes { bytes in
            switch mode {
            case .file, .reopened: unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            case .socket:
                unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            // A writable pipe accepts at least PIPE_BUF bytes without blocking.
            case .polled: unsafe Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
            }
        }
        return (count, count < 0 ? errno : 0)
    }

    /// The error number that explains why a write might block now; nil if it would not.
    private var blockingError: Int32? {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: the call reads and fills the struct and keeps no pointer.
        let ready = unsafe poll(&output, 1, 0)
        return ready > 0 ? nil : ready < 0 ? errno : EAGAIN
    }
}
