internal import Glibc

/// Text for a descriptor that was inherited, written only where there is room: whoever holds up the output, by Ctrl-S or
/// by not reading a pipe, does not hold up the lamps.
///
/// O_NONBLOCK would do it, but it belongs to the open file, which others have too: the shell, the programs beside this
/// one. So a pipe or a terminal is opened anew for this object alone, and a socket is asked not to block at each call.
package final class NonblockingOutput {
    /// How a call is kept from blocking.
    private enum Way {
        /// By nothing: a file always has room.
        case file
        /// By a flag of the call.
        case socket
        /// By O_NONBLOCK on a descriptor of our own.
        case opened
        /// By asking before, where it may not be opened anew, as the terminal of another user may not.
        case asked
    }

    private let descriptor: Int32
    private let way: Way
    /// What is left of a text that was written in part.
    private var rest: ArraySlice<UInt8> = []
    /// Why the last attempt failed, as an error number; EAGAIN is a lack of room.
    private(set) var fault: Int32 = 0

    /// Writes to an open descriptor, which stays open for as long as the process has it.
    package init(_ descriptor: Int32) {
        var status = stat()
        // SAFETY: the call fills the struct and keeps no pointer.
        let format = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard format != S_IFSOCK, format != S_IFREG else {
            way = format == S_IFREG ? .file : .socket
            self.descriptor = descriptor
            return
        }
        let own = unsafe open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        way = own >= 0 ? .opened : .asked
        self.descriptor = own >= 0 ? own : descriptor
    }

    deinit {
        if way == .opened { close(descriptor) }
    }

    /// The descriptor to watch for room; nil while nothing waits for any.
    package var watched: Int32? { fault == EAGAIN ? descriptor : nil }

    /// Writes a text: what there is no room for follows before the next text.
    ///
    /// - Returns: whether it was taken; else nothing of it is ever written.
    package func write(_ text: String) -> Bool {
        guard flush() else { return false }
        rest = Array(text.utf8)[...]
        let count = rest.count
        guard !flush(), rest.count == count else { return true }
        rest = []
        return false
    }

    /// Writes what is left of a text; returns whether nothing is left any more.
    package func flush() -> Bool {
        fault = 0
        while !rest.isEmpty {
            let (count, error) = writePart()
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if error != EINTR {
                fault = error
                return false
            }
        }
        return true
    }

    private func writePart() -> (count: Int, error: Int32) {
        if way == .asked, let error = lackOfRoom { return (0, error) }
        // SAFETY: the calls read as many bytes as they are told, and the slice has them.
        let count = unsafe rest.withUnsafeBytes { bytes in
            switch way {
            case .file, .opened: unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            case .socket:
                unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            // No more than a pipe takes at once if it has any room.
            case .asked: unsafe Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
            }
        }
        return (count, count < 0 ? errno : 0)
    }

    /// Why a write might block now, as an error number; nil where it does not.
    private var lackOfRoom: Int32? {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: the call reads and fills the struct and keeps no pointer.
        let ready = unsafe poll(&output, 1, 0)
        return ready > 0 ? nil : ready < 0 ? errno : EAGAIN
    }
}
