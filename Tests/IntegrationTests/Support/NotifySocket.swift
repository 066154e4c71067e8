import Foundation
import TimerEngine

@testable import LinuxSystem

/// The socket of a service manager, to which a node sends its status.
final class NotifySocket {
    /// The name of the socket, in the form that `NOTIFY_SOCKET` uses.
    let name: String
    /// The messages so far, each with the instant at which it was read.
    private(set) var messages: [(text: String, at: Instant)] = []
    private let descriptor: Int32

    /// Binds a socket to a path or to an abstract name.
    init(isAbstract: Bool = false) throws {
        let path = "/tmp/notify-\(UUID().uuidString)"
        name = isAbstract ? "@\(path)" : path
        descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard let address = NotificationAddress(name) else { throw TestFailure("\(name) cannot be a socket's name") }
        let number = descriptor
        guard unsafe address.with({ unsafe bind(number, $0, $1) }) == 0 else {
            throw TestFailure("cannot bind \(name): \(errorText(errno))")
        }
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unsafe unlink(name) }
    }

    /// The text of each message so far.
    var texts: [String] {
        read()
        return messages.map(\.text)
    }

    /// Waits until a message arrives.
    func wait(for text: String, timeout: Duration = longestWait) throws {
        try waitUntil("\(text) in \(messages.map(\.text))", timeout: timeout) { texts.contains(text) }
    }

    /// Reads messages as they arrive, until an instant.
    func listen(until end: Instant) {
        while case let rest = bootTime().duration(to: end).inSeconds, rest > 0 {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&watched, 1, Int32((rest * 1000).rounded(.up)))
            read()
        }
    }

    /// Reads the messages that have arrived.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            messages.append((String(decoding: buffer.prefix(count), as: UTF8.self), bootTime()))
        }
    }
}
