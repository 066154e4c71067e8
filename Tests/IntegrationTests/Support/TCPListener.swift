import Foundation

/// A TCP server that does nothing on its own: the kernel completes connections, and a test may respond to them.
final class TCPListener {
    /// The port that it listens on, at 127.0.0.1.
    let port: Int
    private let descriptor: Int32
    private var connections: [Int32] = []

    /// Starts to listen. If `isFull` is set, clients hang while connecting, as behind a firewall that drops packets.
    init(isFull: Bool = false) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        try bindToLoopback(descriptor)
        guard listen(descriptor, isFull ? 0 : 8) == 0 else { throw TestFailure("cannot listen: \(errorText(errno))") }
        port = localPort(of: descriptor)
        guard isFull else { return }
        // Linux drops SYN once the queue is full. With a backlog of 0, one connection fills it.
        for _ in 0..<4 {
            let filler = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = loopback(port: port)
            _ = unsafe withSocketAddress(&address) { unsafe connect(filler, $0, $1) }
            connections.append(filler)
        }
        usleep(100_000)
    }

    deinit {
        for connection in connections { _ = Foundation.close(connection) }
        _ = Foundation.close(descriptor)
    }

    /// Waits for a connection and returns its socket, which the listener closes when it is deinitialised.
    func acceptConnection() throws -> Int32 {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&watched, 1, 30_000) == 1 else { throw TestFailure("no client connected") }
        let connection = accept(descriptor, nil, nil)
        connections.append(connection)
        return connection
    }

    /// Makes room, so a hanging client gets through with its next SYN.
    func letThrough() {
        listen(descriptor, 64)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while case let connection = accept(descriptor, nil, nil), connection >= 0 {
            connections.append(connection)
        }
    }

    /// Closes a connection from this side.
    func close(connection: Int32) {
        connections.removeAll { $0 == connection }
        _ = Foundation.close(connection)
    }
}

/// Returns a loopback port that no program listens on.
func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    try bindToLoopback(descriptor)
    return localPort(of: descriptor)
}

/// Binds a socket to a loopback port, by default to any free one.
func bindToLoopback(_ descriptor: Int32, port: Int = 0) throws {
    var address = loopback(port: port)
    guard unsafe withSocketAddress(&address, { unsafe bind(descriptor, $0, $1) }) == 0 else {
        throw TestFailure("cannot bind to port \(port): \(errorText(errno))")
    }
}

private func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
}

private func localPort(of descriptor: Int32) -> Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withSocketAddress(&address) { address, _ in unsafe getsockname(descriptor, address, &length) }
    return Int(UInt16(bigEndian: address.sin_port))
}

private func withSocketAddress(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
