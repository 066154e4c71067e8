import Foundation
import TimerEngine

/// A minimal MQTT 3.1.1 broker for one node, which sleeps until the node sends something.
///
/// mosquitto wakes ten times a second, so a simulated day would take minutes.
final class QuietBroker {
    struct Message {
        /// The time of arrival, in seconds on the node's monotonic clock.
        let time: Double
        /// The topic's last level.
        let topic: String
        let payload: String
    }

    /// The messages that the node has published.
    private(set) var messages: [Message] = []
    /// The times at which the node tried to subscribe to ``refused``, in seconds on its monotonic clock.
    private(set) var refusals: [Double] = []
    /// The filter whose subscription is refused; nil for none.
    var refused: String?
    /// Whether the node has sent DISCONNECT.
    private(set) var hasLeft = false
    /// The URL that the broker listens on.
    var url: String { "mqtt://127.0.0.1:\(listener.port)" }

    private let listener: TCPListener
    private var socket: Int32 = -1
    private var received: [UInt8] = []
    private var hasSubscribed = false

    init() throws { listener = try TCPListener() }

    /// Waits until the node is connected and has subscribed, even if it has closed an earlier connection.
    func waitForSubscription() throws {
        if socket >= 0 { close(socket) }
        socket = try listener.acceptConnection()
        (received, hasSubscribed) = ([], false)
        let limit = bootTime() + .seconds(30)
        while !hasSubscribed {
            guard bootTime() < limit else { throw TestFailure("the node does not subscribe") }
            try serve(until: bootTime() + .seconds(1))
        }
    }

    /// Sends a command with QoS 1; its packet has at most 16 KiB.
    func send(_ verb: String, _ payload: String = "") throws {
        let topic = Array("timer/lectern/command/\(verb)".utf8)
        // Each packet is acknowledged long before its identifier is used again.
        let body = [0, UInt8(topic.count)] + topic + [0, 1] + Array(payload.utf8)
        // The length has seven bits in each byte, the lowest first.
        let length = body.count < 128 ? [UInt8(body.count)] : [UInt8(body.count % 128) | 0x80, UInt8(body.count / 128)]
        try write([0x32] + length + body)
    }

    /// Serves the node until an instant.
    func serve(until end: Instant) throws {
        while case let rest = bootTime().duration(to: end).inSeconds, rest > 0 {
            var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&watched, 1, Int32((rest * 1000).rounded(.up))) == 1 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            if count == 0, hasLeft { return }
            guard count > 0 else { throw TestFailure("the node has closed the connection") }
            received += buffer.prefix(count)
            let time = Instant(sinceEpoch: .zero).duration(to: bootTime()).inSeconds
            while let packet = nextPacket() { try answer(packet.first, Array(packet.body), at: time) }
        }
    }

    /// Removes a whole packet from the received bytes.
    private func nextPacket() -> (first: UInt8, body: ArraySlice<UInt8>)? {
        let digits = received.dropFirst().prefix { $0 & 0x80 != 0 }.count + 1
        guard received.count > digits else { return nil }
        let length = received[1...digits].reversed().reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        guard received.count > digits + length else { return nil }
        defer { received.removeFirst(1 + digits + length) }
        return (received[0], received[(1 + digits)..<(1 + digits + length)])
    }

    private func answer(_ first: UInt8, _ body: [UInt8], at time: Double) throws {
        switch first >> 4 {
        case 1: try write([0x20, 2, 0, 0])
        case 3:
            let topicEnd = 2 + Int(body[0]) << 8 + Int(body[1])
            let isAcknowledged = first & 0x06 != 0
            let topic = String(decoding: body[2..<topicEnd], as: UTF8.self)
            let payload = String(decoding: body[(topicEnd + (isAcknowledged ? 2 : 0))...], as: UTF8.self)
            messages.append(
                Message(time: time, topic: String(topic.split(separator: "/").last ?? ""), payload: payload))
            if isAcknowledged { try write([0x40, 2] + body[topicEnd..<(topicEnd + 2)]) }
        case 4: break
        case 8:
            // Each filter is a length, a string and a QoS.
            var rest = body.dropFirst(2)
            var codes: [UInt8] = []
            while let high = rest.first, let low = rest.dropFirst().first {
                let length = Int(high) << 8 + Int(low)
                let isRefused = String(decoding: rest.dropFirst(2).prefix(length), as: UTF8.self) == refused
                if isRefused { refusals.append(time) }
                codes.append(isRefused ? 0x80 : 1)
                rest = rest.dropFirst(2 + length + 1)
            }
            try write([0x90, UInt8(2 + codes.count)] + body.prefix(2) + codes)
            hasSubscribed = true
        case 10: try write([0xB0, 2] + body.prefix(2))
        case 12: try write([0xD0, 0])
        case 14: hasLeft = true
        default: throw TestFailure("the node sends a packet of type \(first >> 4)")
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard unsafe Foundation.send(socket, bytes, bytes.count, 0) == bytes.count else {
            throw TestFailure("cannot send to the node: \(errorText(errno))")
        }
    }
}
