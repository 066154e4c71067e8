internal import BrokerLink
internal import Glibc
internal import TimerEngine

/// The address of the socket to which programs send notifications: a path or, after an `@`, an abstract name.
struct NotificationAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// - Parameter name: the value of `NOTIFY_SOCKET`.
    /// - Returns: nil if no socket can have this name.
    init?(_ name: String) {
        guard let first = name.first, "/@".contains(first) else { return nil }
        var bytes = Array(name.utf8)
        if first == "@" { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sa_family_t>.size
        guard bytes.count < MemoryLayout<sockaddr_un>.size - offset else { return nil }
        // SAFETY: the check above ensures that the bytes fit behind the family; the bytes after them stay zero.
        unsafe withUnsafeMutableBytes(of: &address) { unsafe $0[offset...].copyBytes(from: bytes) }
        length = socklen_t(offset + bytes.count)
    }

    /// Calls a function with the address, which is valid only during the call.
    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    /// Creates a socket for datagrams to or from such an address.
    static func makeSocket() throws(SystemError) -> FileDescriptor {
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError(call: "socket", code: errno) }
        return FileDescriptor(owning: number)
    }
}

/// The receiving end of `NOTIFY_SOCKET`, for a while: it shows whether a program feeds its watchdog where no systemd
/// watches it, as in a container.
package final class NotificationSocket {
    private let descriptor: FileDescriptor
    private let path: String
    /// Locked while the socket exists.
    private let lock: FileDescriptor

    /// Binds the socket. While another process has it, this waits.
    ///
    /// - Parameter path: the value of `NOTIFY_SOCKET`, a path; a file there is replaced, since a process that was killed
    ///   leaves its socket.
    /// - Throws: ``SystemError`` if there can be no socket at that path.
    package init(path: String) throws(SystemError) {
        guard path.hasPrefix("/"), let address = NotificationAddress(path) else {
            throw SystemError(call: "bind", code: EINVAL)
        }
        let lock = try Self.lock("\(path).lock")
        let descriptor = try NotificationAddress.makeSocket()
        let number = descriptor.number
        // SAFETY: the calls read the path and the address, and keep no pointer.
        _ = unsafe unlink(path)
        guard unsafe address.with({ unsafe bind(number, $0, $1) }) == 0 else {
            throw SystemError(call: "bind", code: errno)
        }
        self.lock = lock
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a file and locks it, until the descriptor is closed.
    private static func lock(_ path: String) throws(SystemError) -> FileDescriptor {
        // SAFETY: the call reads the path.
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw SystemError(call: "open", code: errno) }
        let file = FileDescriptor(owning: number)
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError(call: "flock", code: errno) }
        }
        return file
    }

    deinit {
        // SAFETY: the call reads the string.
        _ = unsafe unlink(path)
    }

    /// Waits for a notification.
    ///
    /// - Returns: whether it arrived in time.
    package func receive(_ text: String, within limit: Duration) -> Bool {
        let end = BootClock.bootTime + limit
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let rest = BootClock.bootTime.duration(to: end), rest > .zero {
            var watched = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            // SAFETY: the calls fill the descriptor and the buffer and keep no pointer.
            guard unsafe poll(&watched, 1, Int32(rest / .milliseconds(1)) + 1) > 0 else { continue }
            let count = unsafe recv(descriptor.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            let lines = buffer[..<max(0, count)].split(separator: UInt8(ascii: "\n"))
            if lines.contains(where: text.utf8.elementsEqual) { return true }
        }
        return false
    }
}
