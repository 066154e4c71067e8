import Foundation

/// A connection to a broker that the test plays, byte by byte.
struct ScriptedBroker {
    private let socket: Int32

    /// Waits for a client to connect.
    init(_ listener: TCPListener) throws { socket = try listener.acceptConnection() }

    /// Waits for the next packet of a type, given by the high four bits of its first byte, and returns its body.
    ///
    /// Other packets that arrive before it are skipped.
    @discardableResult
    func packet(_ kind: UInt8) throws -> [UInt8] {
        while true {
            let first = try bytes(1)[0]
            var length = 0
            var shift = 0
            var isLast = false
            while !isLast {
                let byte = try bytes(1)[0]
                length |= Int(byte & 0x7F) << shift
                shift += 7
                isLast = byte & 0x80 == 0
            }
            let body = try bytes(length)
            if first >> 4 == kind { return body }
        }
    }

    /// Waits for CONNECT and returns its protocol level: 4 for MQTT 3.1.1, 5 for MQTT 5.
    func connectLevel() throws -> UInt8 { try packet(1)[6] }

    /// An MQTT 5 PUBLISH with a payload of a given number of bytes.
    ///
    /// - Parameter identifier: the packet identifier of a message with QoS 1; nil for QoS 0.
    static func message(on topic: String, _ bytes: Int, identifier: Int? = nil) -> [UInt8] {
        var body = [UInt8(topic.utf8.count >> 8), UInt8(topic.utf8.count & 0xFF)] + Array(topic.utf8)
        if let identifier { body += [UInt8(identifier >> 8), UInt8(identifier & 0xFF)] }
        body += [0] + [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
        var packet: [UInt8] = [identifier == nil ? 0x30 : 0x32]
        var length = body.count
        repeat {
            packet.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return packet + body
    }

    /// Sends raw bytes.
    func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe Foundation.send(socket, $0.baseAddress, $0.count, 0) }
    }

    /// Sends all bytes, waiting for room in the socket; returns false if the client disconnects.
    func sendWhole(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends in another thread while a block runs. Then it shuts the connection down and waits for the thread, which
    /// would otherwise write to the next connection that gets the number of this socket.
    func sendMeanwhile(_ send: @escaping @Sendable () -> Void, while body: () throws -> Void) rethrows {
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            send()
            ended.signal()
        }
        defer {
            shutdown(socket, Int32(SHUT_RDWR))
            ended.wait()
        }
        try body()
    }

    /// Closes the sending side.
    func close() { shutdown(socket, Int32(SHUT_WR)) }

    private func bytes(_ count: Int) throws -> [UInt8] {
        var read: [UInt8] = []
        while read.count < count {
            var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, 30_000) == 1 else { throw TestFailure("the client sends nothing") }
            var buffer = [UInt8](repeating: 0, count: count - read.count)
            let received = unsafe recv(socket, &buffer, buffer.count, 0)
            guard received > 0 else { throw TestFailure("the client has closed the connection") }
            read += buffer.prefix(received)
        }
        return read
    }
}
