import Foundation
import TimerProtocol

/// A server's response.
struct HTTPAnswer {
    let status: Int
    /// The header fields, by their names in lower case.
    let fields: [String: String]
    let body: String

    /// The body as JSON; null if it is not JSON.
    var json: JSON { (try? JSON(parsing: Array(body.utf8))) ?? .null }
}

/// An event in a stream.
struct StreamEvent {
    let name: String
    let data: JSON
}

/// A test's connection that speaks HTTP. It reads nothing until the test requests it.
final class HTTPConnection {
    private let descriptor: Int32
    /// All data that has arrived.
    private(set) var received: [UInt8] = []
    /// Whether the server has closed it.
    private(set) var isClosed = false

    /// Connects to 127.0.0.1.
    ///
    /// - Parameters:
    ///   - address: the last number of the client's own address: 1 for 127.0.0.1.
    ///   - receiveBuffer: the number of unread bytes that the system accepts.
    init(port: Int, from address: UInt8 = 1, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        guard Self.bind(descriptor, to: address), Self.connect(descriptor, to: port)
        else { throw TestFailure("cannot connect to port \(port): \(errorText(errno))") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    private static func bind(_ descriptor: Int32, to address: UInt8) -> Bool {
        var own = loopback(0x7f00_0000 + UInt32(address), port: 0)
        return unsafe withUnsafePointer(to: &own) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        var server = loopback(0x7f00_0001, port: port)
        return unsafe withUnsafePointer(to: &server) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ host: UInt32, port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
            throw TestFailure("cannot send: \(errorText(errno))")
        }
    }

    /// Reads the available data, and detects whether the other side has closed the connection.
    ///
    /// - Parameter most: the maximum number of bytes to read.
    func read(upTo most: Int = .max) {
        var (buffer, left) = ([UInt8](repeating: 0, count: 65_536), most)
        while left > 0 {
            let count = unsafe Foundation.read(descriptor, &buffer, min(left, buffer.count))
            if count > 0 {
                received += buffer[..<count]
                left -= count
            } else {
                if count == 0 || errno != EAGAIN { isClosed = true }
                return
            }
        }
    }

    /// Waits until a condition on the data that has arrived holds.
    func waitUntil(
        _ what: String, timeout: Duration = longestWait, _ condition: (HTTPConnection) throws -> Bool
    ) throws {
        try IntegrationTests.waitUntil(what, timeout: timeout, pause: waitForBytes) {
            read()
            return try condition(self)
        }
    }

    private func waitForBytes() {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&watched, 1, 50) > 0, isClosed { usleep(5_000) }
    }

    /// The response; nil until all of it has arrived.
    var answer: HTTPAnswer? {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let body = received[end.upperBound...]
        if let length = fields["content-length"].flatMap({ Int($0) }), body.count < length { return nil }
        return HTTPAnswer(
            status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: fields,
            body: String(decoding: body, as: UTF8.self))
    }

    /// The stream events that have arrived.
    var events: [StreamEvent] {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
        let text = Self.unchunked(received[end.upperBound...])
        return text.components(separatedBy: "\n\n").dropLast().compactMap { event in
            let lines = event.split(separator: "\n")
            guard lines.count == 2, let data = try? JSON(parsing: Array(lines[1].dropFirst(6).utf8)) else {
                return nil
            }
            return StreamEvent(name: String(lines[0].dropFirst(7)), data: data)
        }
    }

    private static func unchunked(_ bytes: ArraySlice<UInt8>) -> String {
        var (rest, content) = (bytes, [UInt8]())
        while let line = rest.firstRange(of: Array("\r\n".utf8)),
            let length = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), length > 0,
            rest.endIndex >= line.upperBound + length
        {
            content += rest[line.upperBound..<line.upperBound + length]
            rest = rest[(line.upperBound + length)...].dropFirst(2)
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Waits for an event, and returns it.
    @discardableResult
    func waitForEvent(
        _ name: String, _ what: String = "", timeout: Duration = longestWait,
        where matches: (JSON) -> Bool = { _ in true }
    ) throws -> JSON {
        var found: JSON?
        try waitUntil("the event \(name) \(what)", timeout: timeout) {
            found = $0.events.last { $0.name == name && matches($0.data) }?.data
            return found != nil
        }
        return found ?? .null
    }
}

extension JSON {
    /// The value of a string; nil for other JSON values.
    var string: String? { if case .string(let text) = self { text } else { nil } }
}
